// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPathTracer.h"

#include "Filters/Work/PathlineWork.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkImplicitFunction.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <limits>
#include <sstream>

vtkStandardNewMacro(vtkRivuletPathTracer);

using namespace rivulet;

class vtkRivuletPathTracer::Work final : public PathlineWork
{
public:
  explicit Work(vtkRivuletPathTracer& filter)
    : PathlineWork(filter)
    , filter_(filter)
  {
  }

  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;

private:
  [[nodiscard]] PathlineSettings settings_now() const override;
  [[nodiscard]] ReleaseChoice releases() const;

  vtkRivuletPathTracer& filter_;
};

ReleaseChoice vtkRivuletPathTracer::Work::releases() const
{
  return { .kind = static_cast<ReleaseChoice::Kind>(filter_.Release),
    .every_nth = filter_.ForceReinjectionEveryNSteps,
    .start = filter_.ReleaseStart,
    .end = filter_.ReleaseEnd,
    .interval = filter_.ReleaseInterval,
    .times = filter_.ReleaseTimes,
    .array = filter_.ReleaseArray };
}

PathlineSettings vtkRivuletPathTracer::Work::settings_now() const
{
  PathlineSettings settings{ .backward = filter_.IntegrationDirection == BACKWARD,
    .both = filter_.IntegrationDirection == BOTH,
    .static_seeds = filter_.StaticSeeds,
    .releases = releases(),
    .time = filter_.TerminationTime,
    .tail = filter_.TailDuration,
    .paths = filter_.ComputePaths,
    .ends_at_function = filter_.EndSurface == FUNCTION,
    .end_function = filter_.EndFunction,
    .options = {},
    .part = filter_.GetTracingPart() };
  PathlineOptions& options = settings.options;
  filter_.SetStepOptions(options);
  options.maximum_length =
      filter_.MaximumPropagation > 0.0 ? filter_.MaximumPropagation : std::numeric_limits<double>::infinity();
  options.maximum_time = filter_.MaximumTime;
  options.terminal_speed = filter_.TerminalSpeed;
  options.compute_vorticity = filter_.ComputeVorticity;
  options.rotation_scale = filter_.RotationScale;
  return settings;
}

void vtkRivuletPathTracer::Work::fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts)
{
  const FlowInput& flow = steps().flow();
  const LineOutputOptions options{ .velocity = steps().vectors(), .rotation = filter_.ComputeVorticity };
  fill_pathlines(frame().lines, flow, table(), options, *vtkPolyData::GetData(pass.outputs, 0));
  fill_particles(frame().particles, flow, table(), options, *vtkPolyData::GetData(pass.outputs, 1));
  fill_releases(frame().lines.seeds, table(), static_cast<TraceDirection>(filter_.IntegrationDirection),
      *vtkPolyData::GetData(pass.outputs, 2));
  add_count("LinesCut", report.lines_cut, facts);
}

void vtkRivuletPathTracer::Work::warn(const UnsteadyPass& pass, const RunReport& report)
{
  PathlineWork::warn(pass, report);
  auto paths = static_cast<std::int64_t>(frame().lines.lines.size());
  Ranks().sum({ &paths, 1 });
  const double first = begin_of_releases();
  const bool begins = filter_.IntegrationDirection == BACKWARD ? time() >= first : time() <= first;
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::digits10);
  if (paths > 0 || !filter_.ComputePaths || !begins)
  {
    text << paths << (paths == 1 ? " path" : " paths") << " at time " << time();
  }
  else
  {
    text << "none yet: particles are released at time " << first << ". Go on in time, or set Termination Time";
  }
  filter_.PathsShown = text.str();
}

vtkRivuletPathTracer::vtkRivuletPathTracer()
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(3);
}

vtkRivuletPathTracer::~vtkRivuletPathTracer() = default;

std::unique_ptr<UnsteadyWork> vtkRivuletPathTracer::MakeWork()
{
  return std::make_unique<Work>(*this);
}

void vtkRivuletPathTracer::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletPathTracer::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

void vtkRivuletPathTracer::AddReleaseTime(double time)
{
  this->ReleaseTimes.push_back(time);
  this->Modified();
}

void vtkRivuletPathTracer::RemoveAllReleaseTimes()
{
  this->ReleaseTimes.clear();
  this->Modified();
}

void vtkRivuletPathTracer::SetReleaseArray(const char* name)
{
  const std::string array = name != nullptr ? name : "";
  if (this->ReleaseArray != array)
  {
    this->ReleaseArray = array;
    this->Modified();
  }
}

vtkImplicitFunction* vtkRivuletPathTracer::GetEndFunction() const
{
  return this->EndFunction;
}

void vtkRivuletPathTracer::SetEndFunction(vtkImplicitFunction* function)
{
  if (this->EndFunction != function)
  {
    this->EndFunction = function;
    this->Modified();
  }
}

vtkMTimeType vtkRivuletPathTracer::GetMTime()
{
  const vtkMTimeType own = this->Superclass::GetMTime();
  const bool used = this->EndSurface == FUNCTION && this->EndFunction != nullptr;
  return used ? std::max(own, this->EndFunction->GetMTime()) : own;
}

void vtkRivuletPathTracer::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "StaticSeeds: " << this->StaticSeeds << "\n"
     << indent << "Release: " << this->Release << "\n"
     << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n"
     << indent << "NumberOfReleaseTimes: " << this->ReleaseTimes.size() << "\n"
     << indent << "ReleaseArray: " << this->ReleaseArray << "\n"
     << indent << "ForceReinjectionEveryNSteps: " << this->ForceReinjectionEveryNSteps << "\n"
     << indent << "TerminationTime: " << this->TerminationTime << "\n"
     << indent << "TailDuration: " << this->TailDuration << "\n"
     << indent << "ComputePaths: " << this->ComputePaths << "\n"
     << indent << "MaximumPropagation: " << this->MaximumPropagation << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "EndSurface: " << this->EndSurface << "\n"
     << indent << "EndFunction: " << this->EndFunction.Get() << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n"
     << indent << "RotationScale: " << this->RotationScale << "\n";
}
