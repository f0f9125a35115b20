// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletVortexSeeds.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Work/VortexSeedsRun.h"
#include "vtkDataSetAttributes.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkStreamingDemandDrivenPipeline.h"

vtkStandardNewMacro(vtkRivuletVortexSeeds);

using namespace rivulet;

vtkRivuletVortexSeeds::~vtkRivuletVortexSeeds() = default;

vtkRivuletVortexSeeds::vtkRivuletVortexSeeds()
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

int vtkRivuletVortexSeeds::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkRivuletVortexSeeds::RequestInformation(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  outputVector->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkRivuletVortexSeeds::RequestUpdateExtent(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector*)
{
  request_all_of(*inputVector[0]->GetInformationObject(0));
  return 1;
}

int vtkRivuletVortexSeeds::RequestData(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  VortexSeedsSettings settings{ .of_all = this->GetFilterSettings(), .options = {} };
  settings.options.minimum = this->MinimumVorticity;
  settings.options.maximum = this->MaximumVorticity;
  settings.options.count = this->NumberOfSeeds;
  settings.options.random_seed = static_cast<std::uint64_t>(this->RandomSeed);
  FilterFacts facts;
  const Result<void> done = VortexSeedsRun(*this, settings, this->Last, inputVector, *outputVector).run(facts);
  return this->Finish(facts, done ? nullptr : &done.error());
}

void vtkRivuletVortexSeeds::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MinimumVorticity: " << this->MinimumVorticity << "\n"
     << indent << "MaximumVorticity: " << this->MaximumVorticity << "\n"
     << indent << "NumberOfSeeds: " << this->NumberOfSeeds << "\n"
     << indent << "RandomSeed: " << this->RandomSeed << "\n";
}
