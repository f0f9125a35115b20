// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPatchReader.h"

#include "Base/Bytes.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/ReadingText.h"
#include "Pipeline/TimeSteps.h"
#include "Readers/AmrOutput.h"
#include "Readers/DumpFormat.h"
#include "Readers/OpenDump.h"
#include "vtkCommand.h"
#include "vtkCompositeDataPipeline.h"
#include "vtkDataArraySelection.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkOverlappingAMR.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <array>
#include <optional>

using namespace rivulet;

struct vtkRivuletPatchReader::Internals
{
  explicit Internals(vtkAlgorithm& reader)
    : Dump(reader)
  {
  }

  OpenDump Dump;
  std::string Reported;    // the last error shown: retries do not repeat it
  std::optional<bool> AMR; // whether the output is AMR; set by the first dump opened
};

vtkRivuletPatchReader::vtkRivuletPatchReader()
  : State(std::make_unique<Internals>(*this))
{
  this->SetNumberOfInputPorts(0);
  for (vtkDataArraySelection* selection : { this->PointSelection.Get(), this->CellSelection.Get() })
  {
    selection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkRivuletPatchReader::Modified);
  }
}

vtkRivuletPatchReader::~vtkRivuletPatchReader() = default;

void vtkRivuletPatchReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  for (const std::string& name : this->FileNames)
  {
    os << indent << "FileName: " << name << "\n";
  }
  os << indent << "FinestLevel: " << this->FinestLevel << "\n";
  os << indent << "NumberOfIOThreads: " << this->NumberOfIOThreads << "\n";
  os << indent << "ReadOnDemand: " << this->ReadOnDemand << "\n";
  os << indent << "MemoryBudget: " << this->MemoryBudget << "\n";
  os << indent << "LocalCacheDirectory: " << this->LocalCacheDirectory << "\n";
  os << indent << "LocalCacheLimit: " << this->LocalCacheLimit << "\n";
  os << indent << "SkipUnreadablePatches: " << this->SkipUnreadablePatches << "\n";
  os << indent << "KeepGhostLayers: " << this->KeepGhostLayers << "\n";
}

void vtkRivuletPatchReader::AddFileName(const char* name)
{
  if (name != nullptr && *name != '\0')
  {
    this->FileNames.emplace_back(name);
    this->Refresh();
  }
}

void vtkRivuletPatchReader::ClearFileNames()
{
  if (!this->FileNames.empty())
  {
    this->FileNames.clear();
    this->Refresh();
  }
}

void vtkRivuletPatchReader::Refresh()
{
  this->State->Dump.forget();
  this->State->Reported.clear();
  this->Modified();
}

void vtkRivuletPatchReader::SetFinestLevel(int level)
{
  if (std::max(level, -1) != this->FinestLevel)
  {
    this->FinestLevel = std::max(level, -1);
    this->Modified();
  }
}

void vtkRivuletPatchReader::SetSkipUnreadablePatches(bool skip)
{
  if (skip != this->SkipUnreadablePatches)
  {
    this->SkipUnreadablePatches = skip;
    this->Refresh(); // half-written steps count now, or no longer
  }
}

void vtkRivuletPatchReader::SetKeepGhostLayers(bool keep)
{
  if (keep != this->KeepGhostLayers)
  {
    this->KeepGhostLayers = keep;
    this->Modified();
  }
}

void vtkRivuletPatchReader::SetReadOnDemand(int when)
{
  if (when != this->ReadOnDemand)
  {
    this->ReadOnDemand = when;
    this->Modified();
  }
}

void vtkRivuletPatchReader::SetMemoryBudget(int mebibytes)
{
  this->MemoryBudget = std::max(0, mebibytes);
  this->State->Dump.set_memory_budget(this->MemoryBudget * kMiB);
}

// Values read before stay: the cache changes no value.
void vtkRivuletPatchReader::SetLocalCacheDirectory(const char* folder)
{
  this->LocalCacheDirectory = folder == nullptr ? "" : folder;
}

void vtkRivuletPatchReader::SetLocalCacheLimit(int mebibytes)
{
  this->LocalCacheLimit = std::max(0, mebibytes);
}

vtkIdType vtkRivuletPatchReader::GetBytesRead() const
{
  return this->State->Dump.bytes_read();
}

int vtkRivuletPatchReader::GetThreadsInUse() const
{
  return this->State->Dump.threads();
}

const char* vtkRivuletPatchReader::GetThreadsBecause() const
{
  return this->State->Dump.threads_because().c_str();
}

const char* vtkRivuletPatchReader::GetValuesRead()
{
  this->ReadText = values_read({ .bytes_read = this->GetBytesRead() });
  return this->ReadText.c_str();
}

int vtkRivuletPatchReader::GetNumberOfPointArrays()
{
  return this->PointSelection->GetNumberOfArrays();
}
const char* vtkRivuletPatchReader::GetPointArrayName(int index)
{
  return this->PointSelection->GetArrayName(index);
}
int vtkRivuletPatchReader::GetPointArrayStatus(const char* name)
{
  return this->PointSelection->ArrayIsEnabled(name);
}
void vtkRivuletPatchReader::SetPointArrayStatus(const char* name, int status)
{
  this->PointSelection->SetArraySetting(name, status);
}
int vtkRivuletPatchReader::GetNumberOfCellArrays()
{
  return this->CellSelection->GetNumberOfArrays();
}
const char* vtkRivuletPatchReader::GetCellArrayName(int index)
{
  return this->CellSelection->GetArrayName(index);
}
int vtkRivuletPatchReader::GetCellArrayStatus(const char* name)
{
  return this->CellSelection->ArrayIsEnabled(name);
}
void vtkRivuletPatchReader::SetCellArrayStatus(const char* name, int status)
{
  this->CellSelection->SetArraySetting(name, status);
}

int vtkRivuletPatchReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkCompositeDataSet");
  return 1;
}

/// Shows an error once, on the first rank, and sets the error code.
bool vtkRivuletPatchReader::Complain(const Error& error, unsigned long code)
{
  Internals& state = *this->State;
  if (error.describe() != state.Reported)
  {
    state.Reported = error.describe();
    if (Ranks().rank() == 0)
    {
      report_error(this, error);
    }
  }
  this->SetErrorCode(code);
  return false;
}

bool vtkRivuletPatchReader::EnsureIndex()
{
  OpenDump& dump = this->State->Dump;
  if (this->FileNames.empty() || dump.is_found())
  {
    return dump.is_found();
  }
  if (Result<void> found = dump.find(this->GetDumpFormat(), this->FileNames, !this->SkipUnreadablePatches); !found)
  {
    return this->Complain(found.error(), vtkErrorCode::CannotOpenFileError);
  }
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

bool vtkRivuletPatchReader::EnsureDump(std::size_t step)
{
  if (!this->EnsureIndex())
  {
    return false;
  }
  if (Result<void> opened = this->State->Dump.open(step); !opened)
  {
    return this->Complain(opened.error(), vtkErrorCode::FileFormatError);
  }
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

void vtkRivuletPatchReader::OfferArrays()
{
  // If a script named arrays before the dump was opened, it wants these only; otherwise all are enabled.
  const bool chosen =
      !this->Offered && this->PointSelection->GetNumberOfArrays() + this->CellSelection->GetNumberOfArrays() > 0;
  this->Offered = true;
  const AmrDump& dump = this->State->Dump.dump();
  for (std::size_t i = 0; i < dump.variables.size(); ++i)
  {
    const AmrVariable& variable = dump.variables[i];
    const bool node = variable.centering == Centering::Node;
    vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
    if (static_cast<int>(i) != dump.coordinates && !selection->ArrayExists(variable.name.c_str()))
    {
      selection->AddArray(variable.name.c_str(), !chosen);
    }
  }
}

int vtkRivuletPatchReader::RequestDataObject(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // A dump that cannot be opened gives an empty AMR and an error code, so that there is one message and not a page of
  // them. The output's type never changes later, because pipelines and views are made for one type.
  std::optional<bool>& settled = this->State->AMR;
  if (!settled && this->EnsureDump(0))
  {
    settled = is_overlapping_amr(this->State->Dump.dump());
  }
  const bool amr = settled.value_or(true);
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  if (output == nullptr || !output->IsA(amr ? "vtkOverlappingAMR" : "vtkMultiBlockDataSet"))
  {
    vtkSmartPointer<vtkDataObject> made;
    amr ? made = vtkSmartPointer<vtkOverlappingAMR>::New() : made = vtkSmartPointer<vtkMultiBlockDataSet>::New();
    outInfo->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkRivuletPatchReader::RequestInformation(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  outInfo->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  outInfo->Remove(vtkCompositeDataPipeline::COMPOSITE_DATA_META_DATA());
  if (!this->EnsureDump(0))
  {
    outInfo->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
    outInfo->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
    return 1;
  }
  this->OfferArrays();
  const std::vector<double> times = this->State->Dump.times();
  const std::array<double, 2> range{ times.front(), times.back() };
  outInfo->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
  outInfo->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range.data(), 2);
  this->OfferBoxes(*outInfo);
  return 1;
}

/// Filters that choose patches, such as Resample AMR, need the boxes before any patch is read.
void vtkRivuletPatchReader::OfferBoxes(vtkInformation& outInfo)
{
  if (is_overlapping_amr(this->State->Dump.dump()))
  {
    vtkNew<vtkOverlappingAMR> boxes;
    set_boxes(this->State->Dump.dump(), this->State->Dump.finest_of(this->FinestLevel), *boxes);
    outInfo.Set(vtkCompositeDataPipeline::COMPOSITE_DATA_META_DATA(), boxes);
  }
}

bool vtkRivuletPatchReader::Wanted(const char* name, bool node)
{
  return (node ? this->PointSelection : this->CellSelection)->ArrayIsEnabled(name) != 0;
}

/// Numbers of the variables that are enabled, and of the node coordinates of deformed meshes.
std::vector<int> vtkRivuletPatchReader::WantedVariables()
{
  const AmrDump& dump = this->State->Dump.dump();
  std::vector<int> wanted;
  for (std::size_t i = 0; i < dump.variables.size(); ++i)
  {
    const AmrVariable& variable = dump.variables[i];
    if (static_cast<int>(i) == dump.coordinates ||
        this->Wanted(variable.name.c_str(), variable.centering == Centering::Node))
    {
      wanted.push_back(static_cast<int>(i));
    }
  }
  return wanted;
}

/// Reading is collective. A request for single patches runs on some ranks only, which would wait for the others
/// forever.
bool vtkRivuletPatchReader::RefusesSinglePatches(vtkInformation& outInfo)
{
  using Pipeline = vtkCompositeDataPipeline;
  if (Ranks().size() == 1 || outInfo.Has(Pipeline::UPDATE_COMPOSITE_INDICES()) == 0)
  {
    return false;
  }
  outInfo.Remove(Pipeline::UPDATE_COMPOSITE_INDICES());
  outInfo.Remove(Pipeline::LOAD_REQUESTED_BLOCKS());
  vtkErrorMacro(<< "On several ranks patches cannot be read for one rank alone. Switch Demand Driven Mode off.");
  return true;
}

int vtkRivuletPatchReader::RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  output->Initialize();
  if (this->RefusesSinglePatches(*outInfo) || !this->EnsureIndex())
  {
    return 1;
  }
  const bool timed = outInfo->Has(Pipeline::UPDATE_TIME_STEP()) != 0;
  const std::size_t step = timed ? step_at(this->State->Dump.times(), outInfo->Get(Pipeline::UPDATE_TIME_STEP())) : 0;
  if (!this->EnsureDump(step))
  {
    return 1;
  }
  const AmrDump& dump = this->State->Dump.dump();
  if (output->IsA("vtkOverlappingAMR") && !is_overlapping_amr(dump))
  {
    this->Complain({ ErrorCode::Unsupported,
                       "the mesh is deformed, or its ratios differ between the axes, and what was opened first made "
                       "overlapping AMR, which cannot show it",
                       "Open this dump anew, on its own", dump.path },
        vtkErrorCode::FileFormatError);
    return 1;
  }
  const PatchChoice choice{ .variables = this->WantedVariables(),
    .finest = this->State->Dump.finest_of(this->FinestLevel),
    .piece = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER()),
    .pieces = std::max(1, outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES())),
    .ghost_layers = this->KeepGhostLayers,
    .skip_unreadable = this->SkipUnreadablePatches,
    .on_demand = static_cast<PatchChoice::OnDemand>(this->ReadOnDemand),
    .memory_budget = this->MemoryBudget * kMiB,
    .threads = this->NumberOfIOThreads,
    .local_cache = { this->LocalCacheDirectory, this->LocalCacheLimit * kMiB } };
  const Result<void> shown = this->State->Dump.show(choice, *output);
  if (shown)
  {
    set_time(*output, dump.time);
    return 1;
  }
  if (Ranks().rank() == 0)
  {
    report_error(this, shown.error());
  }
  this->SetErrorCode(vtkErrorCode::FileFormatError);
  return 1;
}
