// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletUnsteadyFilter.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Seeds/SeedsInPlane.h"
#include "Filters/Steps/StepRequests.h"
#include "Filters/Steps/UnsteadyRequest.h"
#include "Filters/Steps/UnsteadyRun.h"
#include "vtkDataObject.h"
#include "vtkDataSetAttributes.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <vector>

using namespace rivulet;
using Pipeline = vtkStreamingDemandDrivenPipeline;

vtkRivuletUnsteadyFilter::vtkRivuletUnsteadyFilter()
  : Request(std::make_unique<UnsteadyRequest>())
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

vtkRivuletUnsteadyFilter::~vtkRivuletUnsteadyFilter() = default;

void vtkRivuletUnsteadyFilter::SetStepOptions(TraceOptions& options) const
{
  this->Superclass::SetStepOptions(options);
  options.time_interpolation = static_cast<rivulet::TimeInterpolation>(this->TimeInterpolation);
}

int vtkRivuletUnsteadyFilter::FillInputPortInformation(int, vtkInformation* info)
{
  // Any data object: the filter's own message about an unsupported type is clearer than the pipeline's, and for
  // composite seeds the pipeline would execute the filter once for each block.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkRivuletUnsteadyFilter::RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  const auto for_each_input = [&](int first_port, const auto& use)
  {
    for (int port = first_port; port < this->GetNumberOfInputPorts(); ++port)
    {
      for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
      {
        use(*inputVector[port]->GetInformationObject(i));
      }
    }
  };
  for_each_input(0, [](vtkInformation& input) { request_all_of(input); });
  vtkInformation& field = *inputVector[0]->GetInformationObject(0);
  UnsteadyRequest& kept = this->GetRequest();
  if (!kept.under_way)
  {
    kept.traits = kept.work->read_settings();
    kept.simulation.look_at(*this, field);
  }
  const Result<std::vector<double>> times = kept.times(field);
  if (!times)
  {
    return 1; // RequestData says so
  }
  const bool has_steps = field.Has(Pipeline::TIME_STEPS()) != 0;
  const double of_step = kept.choose_step(*times, requested_time(*request, *outputVector));
  const double time = kept.choose_time(*this, *times, of_step, has_steps);
  if (has_steps)
  {
    field.Set(Pipeline::UPDATE_TIME_STEP(), time);
  }
  const double of_others = kept.shared ? time : kept.others_time;
  for_each_input(1, [of_others](vtkInformation& input) { input.Set(Pipeline::UPDATE_TIME_STEP(), of_others); });
  return 1;
}

UnsteadyRequest& vtkRivuletUnsteadyFilter::GetRequest()
{
  if (this->Request->work == nullptr)
  {
    this->Request->work = this->MakeWork();
  }
  return *this->Request;
}

int vtkRivuletUnsteadyFilter::RequestData(
    vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  UnsteadyRequest& kept = this->GetRequest();
  if (!kept.under_way && kept.others_wanted)
  {
    kept.others.take(*this, inputVector, kept.others_time, kept.shared);
  }
  vtkInformationVector** const all = kept.others.with_field(inputVector);
  std::vector<vtkInformationVector*> inputs(all, all + this->GetNumberOfInputPorts());
  const vtkSmartPointer<vtkInformationVector> moved =
      this->SeedsInPlane && inputs.size() > 1 ? seeds_in_plane(*inputs[0], *inputs[1]) : nullptr;
  if (moved != nullptr)
  {
    inputs[1] = moved;
  }
  const UnsteadyPass pass{ inputs.data(), outputVector, requested_time(*request, *outputVector), kept.grows() };
  const UnsteadySettings settings{ this->GetFilterSettings(),
    static_cast<rivulet::TimeInterpolation>(this->TimeInterpolation) };
  UnsteadyFacts facts;
  const Result<bool> more = UnsteadyRun(*this, settings, kept, pass).pass(facts);
  if (more && *more)
  {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(Pipeline::CONTINUE_EXECUTING());
  kept.under_way = false;
  kept.seeds_wanted = false;
  if (!more || facts.unfinished)
  {
    this->Request = std::make_unique<UnsteadyRequest>(); // results with a gap are not gone on with
  }
  this->TimeAccess = facts.time_access;
  this->StepsRequested = facts.steps_requested;
  return this->Finish(facts, more ? nullptr : &more.error());
}

void vtkRivuletUnsteadyFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TimeInterpolation: " << this->TimeInterpolation << "\n";
}
