// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/PathTracerWork.h"

#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformationVector.h"
#include "vtkPolyData.h"

#include <limits>
#include <sstream>

namespace rivulet
{

void PathTracerWork::fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts)
{
  const FlowInput& flow = steps().flow();
  const LineOutputOptions options = line_output();
  const TraceDirection direction = settings().both       ? TraceDirection::Both
                                   : settings().backward ? TraceDirection::Backward
                                                         : TraceDirection::Forward;
  fill_pathlines(frame().lines, flow, table(), options, *vtkPolyData::GetData(pass.outputs, 0));
  fill_particles(frame().particles, flow, table(), options, *vtkPolyData::GetData(pass.outputs, 1));
  fill_releases(frame().lines.seeds, table(), direction, *vtkPolyData::GetData(pass.outputs, 2));
  fill_crossings(frame().lines.crossings, table(), settings().both, *vtkPolyData::GetData(pass.outputs, 3));
  add_count("LinesCut", report.lines_cut, facts);
}

void PathTracerWork::warn(const UnsteadyPass& pass, const RunReport& report)
{
  PathlineWork::warn(pass, report);
  auto paths = static_cast<std::int64_t>(frame().lines.lines.size());
  Ranks().sum({ &paths, 1 });
  const double first = begin_of_releases();
  const bool begins = settings().backward ? time() >= first : time() <= first;
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::digits10);
  if (paths > 0 || !settings().paths || !begins)
  {
    text << paths << (paths == 1 ? " path" : " paths") << " at time " << time();
  }
  else
  {
    text << "none yet: particles are released at time " << first << ". Go on in time, or set Termination Time";
  }
  paths_shown_ = text.str();
}

} // namespace rivulet
