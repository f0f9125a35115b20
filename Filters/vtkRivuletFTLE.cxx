// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFTLE.h"

#include "Base/Bytes.h"
#include "Filters/Output/OutputLattice.h"
#include "Filters/Work/FtleWork.h"
#include "Pipeline/GridConversion.h"
#include "vtkDataObject.h"
#include "vtkDataObjectTypes.h"
#include "vtkInformation.h"
#include "vtkInformationDoubleVectorKey.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletFTLE);

using namespace rivulet;
using Pipeline = vtkStreamingDemandDrivenPipeline;

vtkRivuletFTLE::vtkRivuletFTLE() = default;

vtkRivuletFTLE::~vtkRivuletFTLE() = default;

FtleSettings vtkRivuletFTLE::GetSettings()
{
  FtleSettings settings{ .backward = this->IntegrationDirection == BACKWARD,
    .duration = this->Duration,
    .box = this->Lattice == BOX,
    .refinement = this->Refinement,
    .adaptive = this->AdaptiveSampling,
    .sampling = { this->SamplingTolerance, this->SamplingLevels },
    .keep_map = this->ComputeFlowMap,
    .options = {},
    .memory_budget = this->GetMemoryBudget() * kMiB,
    .changed = this->GetMTime() };
  std::copy_n(this->Bounds, settings.bounds.size(), settings.bounds.begin());
  std::copy_n(this->Dimensions, settings.dimensions.size(), settings.dimensions.begin());
  this->SetStepOptions(settings.options);
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletFTLE::MakeWork()
{
  return std::make_unique<FtleWork>(*this, [this] { return this->GetSettings(); });
}

int vtkRivuletFTLE::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

int vtkRivuletFTLE::RequestDataObject(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  const bool of_field = this->Lattice == OF_THE_FIELD;
  const int type = of_field && vtkStructuredGrid::GetData(inputVector[0]) != nullptr     ? VTK_STRUCTURED_GRID
                   : of_field && vtkUnstructuredGrid::GetData(inputVector[0]) != nullptr ? VTK_UNSTRUCTURED_GRID
                                                                                         : VTK_IMAGE_DATA;
  vtkDataObject* const output = vtkDataObject::GetData(outputVector, 0);
  if (output == nullptr || output->GetDataObjectType() != type)
  {
    const auto made = vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(type));
    outputVector->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkRivuletFTLE::RequestInformation(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformation& input = *inputVector[0]->GetInformationObject(0);
  vtkInformation& output = *outputVector->GetInformationObject(0);
  const bool box = this->Lattice == BOX;
  if (!box && vtkUnstructuredGrid::GetData(inputVector[0]) != nullptr)
  {
    output.Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
    vtkDataObject::SetPointDataActiveScalarInfo(&output, VTK_DOUBLE, 1);
    return 1;
  }
  Result<Grid> lattice =
      box ? lattice_of_box(this->Bounds, this->Dimensions) : lattice_of_field(input, this->Refinement);
  const Grid grid = lattice ? *lattice : Grid{}; // RequestData says why there is none
  output.Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  output.Set(Pipeline::WHOLE_EXTENT(), whole_extent_of(grid).data(), 6);
  for (vtkInformationDoubleVectorKey* const key :
      { vtkDataObject::ORIGIN(), vtkDataObject::SPACING(), vtkDataObject::DIRECTION() })
  {
    output.Remove(key); // may be unknown before the input is executed
    if (!box && input.Has(key))
    {
      output.CopyEntry(&input, key);
    }
  }
  if (!box && input.Has(vtkDataObject::SPACING()))
  {
    Vec3 spacing;
    input.Get(vtkDataObject::SPACING(), spacing.data());
    for (double& each : spacing)
    {
      each /= this->Refinement;
    }
    output.Set(vtkDataObject::SPACING(), spacing.data(), 3);
  }
  if (box && has_bounds(this->Bounds))
  {
    output.Set(vtkDataObject::ORIGIN(), grid.origin.data(), 3);
    output.Set(vtkDataObject::SPACING(), grid.spacing.data(), 3);
    output.Set(vtkDataObject::DIRECTION(), grid.direction.data(), 9);
  }
  vtkDataObject::SetPointDataActiveScalarInfo(&output, VTK_DOUBLE, 1);
  return 1;
}

void vtkRivuletFTLE::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "Duration: " << this->Duration << "\n"
     << indent << "Lattice: " << this->Lattice << "\n"
     << indent << "Refinement: " << this->Refinement << "\n"
     << indent << "Bounds: " << this->Bounds[0] << " " << this->Bounds[1] << " " << this->Bounds[2] << " "
     << this->Bounds[3] << " " << this->Bounds[4] << " " << this->Bounds[5] << "\n"
     << indent << "Dimensions: " << this->Dimensions[0] << " " << this->Dimensions[1] << " " << this->Dimensions[2]
     << "\n"
     << indent << "AdaptiveSampling: " << this->AdaptiveSampling << "\n"
     << indent << "SamplingTolerance: " << this->SamplingTolerance << "\n"
     << indent << "SamplingLevels: " << this->SamplingLevels << "\n"
     << indent << "ComputeFlowMap: " << this->ComputeFlowMap << "\n";
}
