// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreakLine.h"

#include "Filters/Work/StreakLineWork.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletStreakLine);

using namespace rivulet;

vtkRivuletStreakLine::vtkRivuletStreakLine()
{
  this->SetNumberOfOutputPorts(2);
}

vtkRivuletStreakLine::~vtkRivuletStreakLine() = default;

PathlineSettings vtkRivuletStreakLine::GetSettings() const
{
  PathlineSettings settings{ .backward = false,
    .static_seeds = false,
    .releases = { .kind =
                      this->Release == REPEATEDLY ? ReleaseChoice::Kind::Repeatedly : ReleaseChoice::Kind::AtFirstStep,
        .every_nth = this->ForceReinjectionEveryNSteps,
        .start = this->ReleaseStart,
        .end = this->ReleaseEnd,
        .interval = this->ReleaseInterval,
        .times = {},
        .array = {} },
    .time = this->TerminationTime,
    .tail = 0.0,
    .paths = false,
    .end_function = {},
    .options = {} };
  PathlineOptions& options = settings.options;
  this->SetStepOptions(options);
  options.maximum_time = this->MaximumTime;
  options.terminal_speed = this->TerminalSpeed;
  options.compute_vorticity = this->ComputeVorticity;
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletStreakLine::MakeWork()
{
  return std::make_unique<StreakLineWork>(*this, [this] { return this->GetSettings(); });
}

void vtkRivuletStreakLine::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Release: " << this->Release << "\n"
     << indent << "ForceReinjectionEveryNSteps: " << this->ForceReinjectionEveryNSteps << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "TerminationTime: " << this->TerminationTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n";
}
