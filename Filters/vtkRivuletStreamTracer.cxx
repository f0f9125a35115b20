// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreamTracer.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Seeds/SeedsInPlane.h"
#include "Filters/Work/StreamTracerRun.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSmartPointer.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletStreamTracer);

using namespace rivulet;

vtkRivuletStreamTracer::~vtkRivuletStreamTracer() = default;

vtkRivuletStreamTracer::vtkRivuletStreamTracer()
  : Kept(std::make_unique<StreamTracerKept>())
{
  this->IntegrationStepUnit = CELL_LENGTH_UNIT; // the defaults of vtkStreamTracer
  this->MinimumIntegrationStep = 0.01;
  this->MaximumNumberOfSteps = 2000;
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(2);
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

void vtkRivuletStreamTracer::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletStreamTracer::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

int vtkRivuletStreamTracer::FillInputPortInformation(int port, vtkInformation* info)
{
  // Any data object on port 0: the filter's own message about an unsupported type is clearer than the pipeline's.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 0 ? "vtkDataObject" : "vtkDataSet");
  return 1;
}

int vtkRivuletStreamTracer::RequestUpdateExtent(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector*)
{
  request_all_of(*inputVector[0]->GetInformationObject(0));
  request_all_of(*inputVector[1]->GetInformationObject(0));
  return 1;
}

int vtkRivuletStreamTracer::RequestData(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformationVector* inputs[] = { inputVector[0], inputVector[1] };
  const vtkSmartPointer<vtkInformationVector> moved =
      this->SeedsInPlane ? seeds_in_plane(*inputs[0], *inputs[1]) : nullptr;
  if (moved != nullptr)
  {
    inputs[1] = moved;
  }
  StreamTracerSettings settings{ .of_all = this->GetFilterSettings(), .options = {} };
  StreamlineOptions& options = settings.options;
  this->SetStepOptions(options);
  options.direction = static_cast<TraceDirection>(this->IntegrationDirection);
  options.maximum_length = this->MaximumPropagation;
  options.maximum_time = this->MaximumTime;
  options.terminal_speed = this->TerminalSpeed;
  options.exact_ends = this->EndOnBoundary;
  options.compute_vorticity = this->ComputeVorticity;
  options.rotation_scale = this->RotationScale;
  settings.on_surface = this->SurfaceStreamlines;
  FilterFacts facts;
  const Result<void> done = StreamTracerRun(*this, settings, *this->Kept, inputs, *outputVector).run(facts);
  return this->Finish(facts, done ? nullptr : &done.error());
}

void vtkRivuletStreamTracer::SetIntegrationStepUnit(int unit)
{
  this->Superclass::SetIntegrationStepUnit(std::max<int>(unit, LENGTH_UNIT));
}

void vtkRivuletStreamTracer::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "SurfaceStreamlines: " << this->SurfaceStreamlines << "\n"
     << indent << "MaximumPropagation: " << this->MaximumPropagation << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "EndOnBoundary: " << this->EndOnBoundary << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n"
     << indent << "RotationScale: " << this->RotationScale << "\n";
}
