// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/RunReport.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "vtkAlgorithm.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkRectilinearGrid.h"
#include "vtkTypeInt64Array.h"

#include <array>
#include <new>
#include <sstream>
#include <string>

namespace rivulet
{

namespace
{

std::array<double, 6> bounds_of(const Grid& grid)
{
  std::array<double, 6> bounds;
  const Box nodes{ { 0, 0, 0 }, grid.nodes };
  if (grid.kind == Grid::Kind::Rectilinear)
  {
    vtkNew<vtkRectilinearGrid> like;
    set_geometry(*like, grid, nodes);
    like->GetBounds(bounds.data());
  }
  else
  {
    vtkNew<vtkImageData> like;
    set_geometry(*like, grid, nodes);
    like->GetBounds(bounds.data());
  }
  return bounds;
}

std::string box_text(const double* bounds)
{
  std::ostringstream text;
  text << '[' << bounds[0] << ", " << bounds[1] << "] x [" << bounds[2] << ", " << bounds[3] << "] x [" << bounds[4]
       << ", " << bounds[5] << ']';
  return text.str();
}

} // namespace

void combine(const Ranks& ranks, RunReport& report)
{
  SourceStatistics& read = report.read;
  TraceStatistics& trace = report.trace;
  std::array<std::int64_t, 6> sums{ read.bytes_read, read.bricks_read, read.cache_hits, read.cache_misses,
    trace.integration_steps, trace.seeds_outside };
  ranks.sum(sums);
  read.bytes_read = sums[0];
  read.bricks_read = sums[1];
  read.cache_hits = sums[2];
  read.cache_misses = sums[3];
  trace.integration_steps = sums[4];
  trace.seeds_outside = sums[5];
  ranks.max({ &read.peak_bytes, 1 });
  ranks.max({ &trace.trace_seconds, 1 });
  trace.stall_seconds += read.stall_seconds;
  ranks.sum({ &trace.stall_seconds, 1 });
}

void add_count(const char* name, std::int64_t value, vtkFieldData& output)
{
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(name);
  array->InsertNextValue(value);
  output.AddArray(array);
}

void add_report(const RunReport& report, vtkFieldData& output)
{
  const auto add_seconds = [&](const char* name, double value)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    array->InsertNextValue(value);
    output.AddArray(array);
  };
  add_count("BytesRead", report.read.bytes_read, output);
  add_count("BricksRead", report.read.bricks_read, output);
  add_count("CacheHits", report.read.cache_hits, output);
  add_count("CacheMisses", report.read.cache_misses, output);
  add_count("PeakBytes", report.read.peak_bytes, output);
  add_count("IntegrationSteps", report.trace.integration_steps, output);
  add_seconds("TraceSeconds", report.trace.trace_seconds);
  add_seconds("StallSeconds", report.trace.stall_seconds);
  add_count("SeedsOutside", report.trace.seeds_outside, output);
}

void report_data_error(vtkAlgorithm& filter, const Ranks& ranks, const std::shared_ptr<const Error>& error)
{
  Result<void> mine;
  if (error)
  {
    mine = tl::unexpected(*error);
  }
  const Result<void> agreed = ranks.agree(std::move(mine));
  if (!agreed && ranks.rank() == 0)
  {
    (void)report_error(&filter, agreed.error());
  }
}

Result<void> within_memory(const std::function<Result<void>()>& work)
{
  try
  {
    return work();
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system has no memory for the input or the output of the filter",
        "ask for fewer or shorter lines, or raise the limit of addresses (ulimit -v)");
  }
}

void warn_if_all_outside(
    vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, const Grid& grid, vtkDataSet& seeds)
{
  if (ranks.rank() != 0 || report.trace.seeds_outside != seeds.GetNumberOfPoints())
  {
    return;
  }
  Error outside;
  outside.code = ErrorCode::BadArgument;
  outside.what = "no lines, because all " + std::to_string(report.trace.seeds_outside) +
                 " seeds are outside the grid or in hidden cells: the seeds are in " + box_text(seeds.GetBounds()) +
                 ", the grid in " + box_text(bounds_of(grid).data());
  outside.remedy = "move the seeds into the grid";
  report_warning(&filter, outside);
}

void keep_what_is_there(vtkAlgorithm& filter)
{
  filter.SetAbortOutput(false);
  Error stopped;
  stopped.code = ErrorCode::Cancelled;
  stopped.what = "stopped on request, the output is incomplete";
  stopped.remedy = "change a property and apply to run again";
  report_warning(&filter, stopped);
}

} // namespace rivulet
