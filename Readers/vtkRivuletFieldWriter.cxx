// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFieldWriter.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/RunProgress.h"
#include "Readers/FieldSaver.h"
#include "vtkAlgorithmOutput.h"
#include "vtkCommand.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <optional>

vtkStandardNewMacro(vtkRivuletFieldWriter);

namespace
{

bool Writes(vtkMultiProcessController* controller)
{
  return controller == nullptr || controller->GetLocalProcessId() == 0;
}

} // namespace

vtkRivuletFieldWriter::vtkRivuletFieldWriter()
{
  this->SetNumberOfInputPorts(1);
  this->SetNumberOfOutputPorts(0);
}

void vtkRivuletFieldWriter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << this->FileName << "\n";
  os << indent << "WriteAllTimeSteps: " << this->WriteAllTimeSteps << "\n";
}

void vtkRivuletFieldWriter::SetFileName(const char* name)
{
  this->FileName = name != nullptr ? name : "";
  this->Modified();
}

int vtkRivuletFieldWriter::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkRectilinearGrid");
  return 1;
}

std::vector<double> vtkRivuletFieldWriter::GetTimes()
{
  vtkInformation* info = this->GetInputInformation(0, 0);
  vtkInformationDoubleVectorKey* key = vtkStreamingDemandDrivenPipeline::TIME_STEPS();
  this->Timed = info->Has(key) && info->Length(key) > 0;
  if (this->WriteAllTimeSteps && this->Timed)
  {
    return { info->Get(key), info->Get(key) + info->Length(key) };
  }
  // The current step of the pipeline.
  if (info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP()))
  {
    return { info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP()) };
  }
  return { this->Timed ? info->Get(key)[0] : 0.0 };
}

vtkDataSet* vtkRivuletFieldWriter::FetchStep(double time)
{
  const bool writes = Writes(vtkMultiProcessController::GetGlobalController());
  vtkInformation* info = this->GetInputInformation(0, 0);
  vtkNew<vtkInformation> request;
  if (this->Timed)
  {
    request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
  }
  const bool structured = info->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
  const int nothing[6] = { 0, -1, 0, -1, 0, -1 };
  const int* whole = structured ? info->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()) : nothing;
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT(), writes ? whole : nothing, 6);
  // With an empty extent the piece must not be empty, too: ParaView 6.1's Wavelet would end the process.
  const bool other_piece = !writes && !structured;
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER(), other_piece ? 1 : 0);
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_PIECES(), other_piece ? 2 : 1);
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  vtkNew<vtkInformationVector> requests;
  const int port = this->GetInputConnection(0, 0)->GetIndex();
  for (int at = 0; at <= port; ++at)
  {
    requests->Append(request);
  }
  this->GetInputAlgorithm(0, 0)->Update(port, requests);
  return vtkDataSet::SafeDownCast(this->GetInputDataObject(0, 0));
}

int vtkRivuletFieldWriter::RefuseInput()
{
  vtkDataObject* input = this->GetInputDataObject(0, 0);
  const std::string what =
      input != nullptr ? std::string("the input is a ") + input->GetClassName() : std::string("there is no input");
  return rivulet::report_error(
      this, rivulet::Error{ rivulet::ErrorCode::Unsupported,
                what + ", and a field file holds an image or a rectilinear grid (vtkImageData, vtkRectilinearGrid)",
                "apply Resample To Image to it, and save that", this->FileName });
}

rivulet::SaveTarget vtkRivuletFieldWriter::GetTarget() const
{
  return { this->FileName };
}

// By step, whether it is to be written, as the first rank sees it: all ranks take part in the same requests.
std::vector<int> vtkRivuletFieldWriter::GetWantedSteps(
    const std::vector<double>& times, vtkMultiProcessController* controller)
{
  const std::vector<bool> wanted =
      Writes(controller) ? rivulet::steps_to_save(this->GetTarget(), times) : std::vector<bool>(times.size());
  std::vector<int> steps(wanted.begin(), wanted.end());
  if (controller != nullptr)
  {
    controller->Broadcast(steps.data(), static_cast<vtkIdType>(steps.size()), 0);
  }
  return steps;
}

int vtkRivuletFieldWriter::WriteSteps(vtkMultiProcessController* controller)
{
  const bool writes = Writes(controller);
  const std::vector<double> times = this->GetTimes();
  const std::vector<int> wanted = this->GetWantedSteps(times, controller);
  rivulet::RunProgress shown(*this, "saving " + this->FileName); // only the first rank writes
  const auto progress = shown.callback();
  std::optional<rivulet::FieldSaver> saver;
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    vtkDataSet* dataset = wanted[step] != 0 ? this->FetchStep(times[step]) : nullptr;
    if (!writes || wanted[step] == 0)
    {
      continue;
    }
    if (dataset == nullptr)
    {
      return this->RefuseInput();
    }
    if (!saver)
    {
      auto created = rivulet::FieldSaver::create(this->GetTarget(), *dataset, times);
      if (!created)
      {
        return rivulet::report_error(this, created.error());
      }
      saver = std::move(*created);
    }
    const auto progress_in_all = [&](double share)
    {
      return progress((static_cast<double>(step) + share) / static_cast<double>(times.size()));
    };
    if (auto added = saver->add_step(static_cast<int>(step), *dataset, progress_in_all); !added)
    {
      return rivulet::report_error(this, added.error());
    }
  }
  if (!saver)
  {
    return 1;
  }
  if (const std::string note = saver->note(); !note.empty())
  {
    vtkWarningMacro(<< this->FileName << ": " << note);
  }
  auto finished = saver->finish();
  return finished ? 1 : rivulet::report_error(this, finished.error());
}

int vtkRivuletFieldWriter::Write()
{
  if (this->GetNumberOfInputConnections(0) == 0 || this->FileName.empty())
  {
    vtkErrorMacro("An input and a file name are needed to save a field.");
    return 0;
  }
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  this->InvokeEvent(vtkCommand::StartEvent);
  this->SetAbortExecute(0);
  this->GetInputAlgorithm(0, 0)->UpdateInformation();
  int written = this->WriteSteps(controller);
  this->InvokeEvent(vtkCommand::EndEvent);
  if (controller != nullptr)
  {
    controller->Broadcast(&written, 1, 0);
  }
  return written;
}
