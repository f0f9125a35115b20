// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletResidenceTime.h"

#include "Filters/Work/ResidenceTimeWork.h"
#include "vtkDataSet.h"
#include "vtkImplicitFunction.h"
#include "vtkInformation.h"
#include "vtkInformationDoubleVectorKey.h"
#include "vtkInformationIntegerVectorKey.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cstring>

vtkStandardNewMacro(vtkRivuletResidenceTime);

using namespace rivulet;
using Pipeline = vtkStreamingDemandDrivenPipeline;

vtkRivuletResidenceTime::vtkRivuletResidenceTime()
{
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(2);
}

vtkRivuletResidenceTime::~vtkRivuletResidenceTime() = default;

ResidenceTimeSettings vtkRivuletResidenceTime::GetSettings() const
{
  ResidenceTimeSettings settings{ .regions = { "region", static_cast<RegionChoice::Kind>(this->RegionKind),
                                      this->RegionFunction, this->RegionLabelArray, this->RegionLabels },
    .backward = this->IntegrationDirection == BACKWARD,
    .duration = this->Duration,
    .options = {} };
  this->SetStepOptions(settings.options);
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletResidenceTime::MakeWork()
{
  return std::make_unique<ResidenceTimeWork>(*this, [this] { return this->GetSettings(); });
}

int vtkRivuletResidenceTime::FillInputPortInformation(int port, vtkInformation* info)
{
  // Any data object, as in the base: for composite seeds the pipeline would execute the filter once for each block.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port == 2)
  {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  }
  return 1;
}

int vtkRivuletResidenceTime::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkDataSet" : "vtkPolyData");
  return 1;
}

/// Output 0 is of the type of the seeds; of seeds in blocks it is poly data.
int vtkRivuletResidenceTime::RequestDataObject(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkDataSet* const seeds = vtkDataSet::GetData(inputVector[1], 0);
  const char* const type = seeds != nullptr ? seeds->GetClassName() : "vtkPolyData";
  const vtkDataObject* const output = vtkDataObject::GetData(outputVector, 0);
  if (output == nullptr || std::strcmp(output->GetClassName(), type) != 0)
  {
    const auto made = seeds != nullptr ? vtkSmartPointer<vtkDataObject>::Take(seeds->NewInstance())
                                       : vtkSmartPointer<vtkDataObject>(vtkSmartPointer<vtkPolyData>::New());
    outputVector->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkRivuletResidenceTime::RequestInformation(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformation& seeds = *inputVector[1]->GetInformationObject(0);
  vtkInformation& output = *outputVector->GetInformationObject(0);
  output.Remove(Pipeline::WHOLE_EXTENT()); // of the field
  if (seeds.Has(Pipeline::WHOLE_EXTENT()) != 0)
  {
    output.CopyEntry(&seeds, Pipeline::WHOLE_EXTENT());
  }
  for (vtkInformationDoubleVectorKey* const key :
      { vtkDataObject::ORIGIN(), vtkDataObject::SPACING(), vtkDataObject::DIRECTION() })
  {
    output.Remove(key);
    if (seeds.Has(key) != 0)
    {
      output.CopyEntry(&seeds, key);
    }
  }
  return 1;
}

void vtkRivuletResidenceTime::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletResidenceTime::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

vtkMTimeType vtkRivuletResidenceTime::GetMTime()
{
  const vtkMTimeType own = this->Superclass::GetMTime();
  return this->RegionFunction != nullptr ? std::max(own, this->RegionFunction->GetMTime()) : own;
}

void vtkRivuletResidenceTime::SetRegionFunction(vtkImplicitFunction* function)
{
  if (this->RegionFunction != function)
  {
    this->RegionFunction = function;
    this->Modified();
  }
}

void vtkRivuletResidenceTime::SetRegionLabelArray(const char* name)
{
  const std::string array = name != nullptr ? name : "";
  if (this->RegionLabelArray != array)
  {
    this->RegionLabelArray = array;
    this->Modified();
  }
}

void vtkRivuletResidenceTime::AddRegionLabel(int label)
{
  this->RegionLabels.push_back(label);
  this->Modified();
}

void vtkRivuletResidenceTime::RemoveAllRegionLabels()
{
  this->RegionLabels.clear();
  this->Modified();
}

void vtkRivuletResidenceTime::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RegionKind: " << this->RegionKind << "\n"
     << indent << "RegionFunction: " << this->RegionFunction.Get() << "\n"
     << indent << "RegionLabelArray: " << this->RegionLabelArray << "\n"
     << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "Duration: " << this->Duration << "\n";
}
