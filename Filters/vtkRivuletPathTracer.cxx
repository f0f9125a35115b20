// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPathTracer.h"

#include "Filters/Work/PathTracerWork.h"
#include "vtkImplicitFunction.h"
#include "vtkObjectFactory.h"

#include <algorithm>
#include <limits>

vtkStandardNewMacro(vtkRivuletPathTracer);

using namespace rivulet;

vtkRivuletPathTracer::vtkRivuletPathTracer()
{
  this->SetNumberOfOutputPorts(4);
}

vtkRivuletPathTracer::~vtkRivuletPathTracer() = default;

PathlineSettings vtkRivuletPathTracer::GetSettings() const
{
  PathlineSettings settings{ .backward = this->IntegrationDirection == BACKWARD,
    .both = this->IntegrationDirection == BOTH,
    .static_seeds = this->StaticSeeds,
    .releases = { .kind = static_cast<ReleaseChoice::Kind>(this->Release),
        .every_nth = this->ForceReinjectionEveryNSteps,
        .start = this->ReleaseStart,
        .end = this->ReleaseEnd,
        .interval = this->ReleaseInterval,
        .times = this->ReleaseTimes,
        .array = this->ReleaseArray },
    .time = this->TerminationTime,
    .tail = this->TailDuration,
    .paths = this->ComputePaths,
    .has_surface = this->EndSurface == FUNCTION,
    .end_function = this->EndFunction,
    .goes_on_at_surface = this->AtSurface == GO_ON,
    .options = {} };
  PathlineOptions& options = settings.options;
  this->SetStepOptions(options);
  options.maximum_length =
      this->MaximumPropagation > 0.0 ? this->MaximumPropagation : std::numeric_limits<double>::infinity();
  options.maximum_time = this->MaximumTime;
  options.terminal_speed = this->TerminalSpeed;
  options.compute_vorticity = this->ComputeVorticity;
  options.rotation_scale = this->RotationScale;
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletPathTracer::MakeWork()
{
  return std::make_unique<PathTracerWork>(
      *this, [this] { return this->GetSettings(); }, this->PathsShown);
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
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "NumberOfReleaseTimes: " << this->ReleaseTimes.size() << "\n"
     << indent << "ReleaseArray: " << this->ReleaseArray << "\n"
     << indent << "ForceReinjectionEveryNSteps: " << this->ForceReinjectionEveryNSteps << "\n"
     << indent << "TerminationTime: " << this->TerminationTime << "\n"
     << indent << "TailDuration: " << this->TailDuration << "\n"
     << indent << "ComputePaths: " << this->ComputePaths << "\n"
     << indent << "MaximumPropagation: " << this->MaximumPropagation << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "EndSurface: " << this->EndSurface << "\n"
     << indent << "AtSurface: " << this->AtSurface << "\n"
     << indent << "EndFunction: " << this->EndFunction.Get() << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n"
     << indent << "RotationScale: " << this->RotationScale << "\n";
}
