// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFieldWriter.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/RunProgress.h"
#include "Readers/FieldSaver.h"
#include "vtkAlgorithmOutput.h"
#include "vtkCommand.h"
#include "vtkCommunicator.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkRectilinearGrid.h"
#include "vtkStreamingDemandDrivenPipeline.h"

vtkStandardNewMacro(vtkRivuletFieldWriter);

namespace
{

// Whether any rank says yes.
bool OnAnyRank(bool here)
{
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  int mine = here ? 1 : 0;
  int any = mine;
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1)
  {
    controller->AllReduce(&mine, &any, 1, vtkCommunicator::MAX_OP);
  }
  return any != 0;
}

// The steps that all ranks see. One rank may see more of a store that grows on a network file system.
std::vector<double> TimesOfAll(std::vector<double> times)
{
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  const int mine = static_cast<int>(times.size());
  int least = mine;
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1)
  {
    controller->AllReduce(&mine, &least, 1, vtkCommunicator::MIN_OP);
  }
  times.resize(static_cast<std::size_t>(least));
  return times;
}

bool IsFirst()
{
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  return controller == nullptr || controller->GetLocalProcessId() == 0;
}

// The nodes of the whole grid; none for an input without an extent, which is no structured dataset.
rivulet::Box WholeNodes(vtkInformation* info)
{
  rivulet::Box nodes;
  if (info->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()))
  {
    const int* whole = info->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      nodes.begin[axis] = whole[2 * axis];
      nodes.end[axis] = whole[2 * axis + 1] + 1;
    }
  }
  return nodes;
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
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkStructuredGrid");
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

vtkDataSet* vtkRivuletFieldWriter::FetchStep(double time, const rivulet::SaveShare& share)
{
  const bool writes = !share.nodes.empty();
  vtkInformation* info = this->GetInputInformation(0, 0);
  vtkNew<vtkInformation> request;
  if (this->Timed)
  {
    request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
  }
  const bool structured = info->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
  int extent[6] = { 0, -1, 0, -1, 0, -1 };
  for (std::size_t axis = 0; axis < 3 && writes; ++axis)
  {
    extent[2 * axis] = share.nodes.begin[axis];
    extent[2 * axis + 1] = share.nodes.end[axis] - 1;
  }
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT(), extent, 6);
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
                what + ", and a field file holds an image, a rectilinear or a curvilinear grid (vtkImageData, "
                       "vtkRectilinearGrid, vtkStructuredGrid)",
                "apply Resample To Image to it, and save that", this->FileName });
}

rivulet::SaveTarget vtkRivuletFieldWriter::GetTarget() const
{
  return { this->FileName };
}

// Only the first rank can write hidden points and cells. Only a whole rectilinear grid has all positions of its nodes.
int vtkRivuletFieldWriter::SaveStep(
    rivulet::FieldSaver& saver, int step, double time, const std::function<bool(double)>& progress)
{
  const bool rectilinear = vtkRectilinearGrid::SafeDownCast(this->GetInputDataObject(0, 0)) != nullptr;
  const bool together = saver.is_shared() && !rectilinear;
  rivulet::SaveShare share = together ? saver.share() : saver.share_of_one();
  vtkDataSet* dataset = this->FetchStep(time, share);
  if (together && OnAnyRank(rivulet::FieldSaver::hides(dataset)))
  {
    share = saver.share_of_one();
    dataset = this->FetchStep(time, share);
  }
  const bool moved = OnAnyRank(saver.moved(share.bricks.empty() ? nullptr : dataset));
  const auto added = saver.add_step(step, dataset, share, moved, progress);
  return added ? 1 : rivulet::report_error(this, added.error());
}

int vtkRivuletFieldWriter::WriteSteps()
{
  const rivulet::Box whole = WholeNodes(this->GetInputInformation(0, 0));
  const bool refused = whole.empty() || vtkDataSet::SafeDownCast(this->GetInputDataObject(0, 0)) == nullptr;
  if (OnAnyRank(refused))
  {
    return refused ? this->RefuseInput() : 0;
  }
  const std::vector<double> times = TimesOfAll(this->GetTimes());
  auto saver = rivulet::FieldSaver::open(this->GetTarget(), times, whole);
  if (!saver)
  {
    return rivulet::report_error(this, saver.error());
  }
  rivulet::RunProgress shown(*this, "saving " + this->FileName);
  const auto progress = shown.callback();
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    const auto progress_in_all = [&](double share)
    {
      return progress((static_cast<double>(step) + share) / static_cast<double>(times.size()));
    };
    // A rank that has failed must not leave the others alone in requests that all take part in.
    if (saver->wants(static_cast<int>(step)) &&
        OnAnyRank(this->SaveStep(*saver, static_cast<int>(step), times[step], progress_in_all) == 0))
    {
      return 0;
    }
  }
  if (const std::string note = saver->note(); !note.empty() && IsFirst())
  {
    vtkWarningMacro(<< this->FileName << ": " << note);
  }
  const auto finished = saver->finish();
  return finished ? 1 : rivulet::report_error(this, finished.error());
}

int vtkRivuletFieldWriter::Write()
{
  if (this->GetNumberOfInputConnections(0) == 0 || this->FileName.empty())
  {
    vtkErrorMacro("An input and a file name are needed to save a field.");
    return 0;
  }
  this->InvokeEvent(vtkCommand::StartEvent);
  this->SetAbortExecute(0);
  this->GetInputAlgorithm(0, 0)->UpdateInformation();
  const int written = this->WriteSteps();
  this->InvokeEvent(vtkCommand::EndEvent);
  return OnAnyRank(written == 0) ? 0 : 1;
}
