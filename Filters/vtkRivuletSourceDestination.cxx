// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletSourceDestination.h"

#include "Filters/Work/SourceDestinationWork.h"
#include "vtkImplicitFunction.h"
#include "vtkInformation.h"
#include "vtkObjectFactory.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletSourceDestination);

using namespace rivulet;

vtkRivuletSourceDestination::vtkRivuletSourceDestination()
{
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(4);
}

vtkRivuletSourceDestination::~vtkRivuletSourceDestination() = default;

SourceDestinationSettings vtkRivuletSourceDestination::GetSettings() const
{
  SourceDestinationSettings settings{
    .regions = { RegionChoice{ "source", static_cast<RegionChoice::Kind>(this->SourceKind), this->SourceFunction,
                     this->SourceLabelArray, this->SourceLabels },
        RegionChoice{ "destination", static_cast<RegionChoice::Kind>(this->DestinationKind), this->DestinationFunction,
            this->DestinationLabelArray, this->DestinationLabels } },
    .seeds = this->NumberOfSeeds,
    .seed_spacing = this->SeedSpacing,
    .backward = this->IntegrationDirection == BACKWARD,
    .release_start = this->ReleaseStart,
    .release_end = this->ReleaseEnd,
    .release_interval = this->ReleaseInterval,
    .end_at_first_hit = this->EndAtFirstHit,
    .lines = this->ComputeLines,
    .bins = this->NumberOfBins,
    .options = {}
  };
  PathlineOptions& options = settings.options;
  this->SetStepOptions(options);
  options.direction = settings.backward ? TraceDirection::Backward : TraceDirection::Forward;
  options.maximum_time = this->Duration;
  options.terminal_speed = 0.0;
  options.compute_vorticity = false;
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletSourceDestination::MakeWork()
{
  return std::make_unique<SourceDestinationWork>(*this, [this] { return this->GetSettings(); });
}

int vtkRivuletSourceDestination::FillInputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port > 0)
  {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  }
  return 1;
}

int vtkRivuletSourceDestination::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port < 2 ? "vtkPolyData" : "vtkTable");
  return 1;
}

vtkMTimeType vtkRivuletSourceDestination::GetMTime()
{
  vtkMTimeType time = this->Superclass::GetMTime();
  for (vtkImplicitFunction* const function : { this->SourceFunction.Get(), this->DestinationFunction.Get() })
  {
    time = function != nullptr ? std::max(time, function->GetMTime()) : time;
  }
  return time;
}

void vtkRivuletSourceDestination::SetSourceFunction(vtkImplicitFunction* function)
{
  if (this->SourceFunction != function)
  {
    this->SourceFunction = function;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::SetDestinationFunction(vtkImplicitFunction* function)
{
  if (this->DestinationFunction != function)
  {
    this->DestinationFunction = function;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::SetText(std::string& text, const char* to)
{
  const std::string other = to != nullptr ? to : "";
  if (text != other)
  {
    text = other;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::AddLabel(std::vector<int>& labels, int label)
{
  labels.push_back(label);
  this->Modified();
}

void vtkRivuletSourceDestination::RemoveLabels(std::vector<int>& labels)
{
  labels.clear();
  this->Modified();
}

void vtkRivuletSourceDestination::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SourceKind: " << this->SourceKind << "\n"
     << indent << "DestinationKind: " << this->DestinationKind << "\n"
     << indent << "SourceFunction: " << this->SourceFunction.Get() << "\n"
     << indent << "DestinationFunction: " << this->DestinationFunction.Get() << "\n"
     << indent << "SourceLabelArray: " << this->SourceLabelArray << "\n"
     << indent << "DestinationLabelArray: " << this->DestinationLabelArray << "\n"
     << indent << "NumberOfSeeds: " << this->NumberOfSeeds << "\n"
     << indent << "SeedSpacing: " << this->SeedSpacing << "\n"
     << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "Duration: " << this->Duration << "\n"
     << indent << "EndAtFirstHit: " << this->EndAtFirstHit << "\n"
     << indent << "ComputeLines: " << this->ComputeLines << "\n"
     << indent << "NumberOfBins: " << this->NumberOfBins << "\n";
}
