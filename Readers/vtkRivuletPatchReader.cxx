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
#include "vtkCompositeDataPipeline.h"
#include "vtkDataObjectTypes.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkOverlappingAMR.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <optional>

using namespace rivulet;

vtkRivuletPatchReader::vtkRivuletPatchReader()
  : Dump(std::make_unique<OpenDump>(*this))
{
}

vtkRivuletPatchReader::~vtkRivuletPatchReader() = default;

void vtkRivuletPatchReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FinestLevel: " << this->FinestLevel << "\n";
  os << indent << "NumberOfIOThreads: " << this->NumberOfIOThreads << "\n";
  os << indent << "ReadOnDemand: " << this->ReadOnDemand << "\n";
  os << indent << "MemoryBudget: " << this->MemoryBudget << "\n";
  os << indent << "LocalCacheDirectory: " << this->LocalCacheDirectory << "\n";
  os << indent << "LocalCacheLimit: " << this->LocalCacheLimit << "\n";
  os << indent << "SkipUnreadablePatches: " << this->SkipUnreadablePatches << "\n";
  os << indent << "KeepGhostLayers: " << this->KeepGhostLayers << "\n";
}

void vtkRivuletPatchReader::Refresh()
{
  this->Dump->forget();
  this->Reported.clear();
  this->Modified();
}

void vtkRivuletPatchReader::SetSkipUnreadablePatches(bool skip)
{
  if (skip != this->SkipUnreadablePatches)
  {
    this->SkipUnreadablePatches = skip;
    this->Refresh(); // half-written steps count now, or no longer
  }
}

void vtkRivuletPatchReader::SetMemoryBudget(int mebibytes)
{
  this->MemoryBudget = std::max(0, mebibytes);
  this->Dump->set_memory_budget(this->MemoryBudget * kMiB);
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
  return this->Dump->bytes_read();
}

int vtkRivuletPatchReader::GetThreadsInUse() const
{
  return this->Dump->threads();
}

const char* vtkRivuletPatchReader::GetThreadsBecause() const
{
  return this->Dump->threads_because().c_str();
}

const char* vtkRivuletPatchReader::GetValuesRead()
{
  this->ReadText = values_read({ .bytes_read = this->GetBytesRead() });
  return this->ReadText.c_str();
}

int vtkRivuletPatchReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkCompositeDataSet");
  return 1;
}

/// Shows an error once, on the first rank, and sets the error code.
bool vtkRivuletPatchReader::Complain(const Error& error, unsigned long code)
{
  if (error.describe() != this->Reported)
  {
    this->Reported = error.describe();
    if (Ranks().rank() == 0)
    {
      report_error(this, error);
    }
  }
  this->SetErrorCode(code);
  return false;
}

/// Opens the dump of the time, or the first one.
bool vtkRivuletPatchReader::EnsureDump(std::optional<double> time)
{
  if (this->GetFileNames().empty())
  {
    return false;
  }
  if (Result<void> found = this->Dump->find(this->GetDumpFormat(), this->GetFileNames(), !this->SkipUnreadablePatches);
      !found)
  {
    return this->Complain(found.error(), vtkErrorCode::CannotOpenFileError);
  }
  if (Result<void> opened = this->Dump->open(time ? step_at(this->Dump->times(), *time) : 0); !opened)
  {
    return this->Complain(opened.error(), vtkErrorCode::FileFormatError);
  }
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

int vtkRivuletPatchReader::RequestDataObject(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // A dump that cannot be opened gives an empty AMR and an error code, so that there is one message and not a page of
  // them. The output's type never changes later, because pipelines and views are made for one type.
  if (!this->AMR && this->EnsureDump({}))
  {
    this->AMR = is_overlapping_amr(this->Dump->dump());
  }
  const char* wanted = this->AMR.value_or(true) ? "vtkOverlappingAMR" : "vtkMultiBlockDataSet";
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  if (output == nullptr || !output->IsA(wanted))
  {
    auto made = vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(wanted));
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
  if (!this->EnsureDump({}))
  {
    offer_times(*outInfo, {});
    return 1;
  }
  this->OfferArrays(this->Dump->names(Centering::Node), this->Dump->names(Centering::Cell));
  offer_times(*outInfo, this->Dump->times());
  this->OfferBoxes(*outInfo);
  return 1;
}

/// Filters that choose patches, such as Resample AMR, need the boxes before any patch is read.
void vtkRivuletPatchReader::OfferBoxes(vtkInformation& outInfo)
{
  if (is_overlapping_amr(this->Dump->dump()))
  {
    vtkNew<vtkOverlappingAMR> boxes;
    set_boxes(this->Dump->dump(), this->Dump->finest_of(this->FinestLevel), *boxes);
    outInfo.Set(vtkCompositeDataPipeline::COMPOSITE_DATA_META_DATA(), boxes);
  }
}

/// Numbers of the variables that are enabled, and of the node coordinates of deformed meshes.
std::vector<int> vtkRivuletPatchReader::WantedVariables()
{
  const AmrDump& dump = this->Dump->dump();
  std::vector<int> wanted;
  for (std::size_t i = 0; i < dump.variables.size(); ++i)
  {
    const AmrVariable& variable = dump.variables[i];
    if (static_cast<int>(i) == dump.coordinates ||
        this->IsArrayEnabled(variable.name, variable.centering == Centering::Node))
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
  if (this->RefusesSinglePatches(*outInfo) || !this->EnsureDump(requested_time(*outInfo)))
  {
    return 1;
  }
  const PatchChoice choice{ .variables = this->WantedVariables(),
    .finest = this->Dump->finest_of(this->FinestLevel),
    .piece = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER()),
    .pieces = std::max(1, outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES())),
    .ghost_layers = this->KeepGhostLayers,
    .skip_unreadable = this->SkipUnreadablePatches,
    .on_demand = static_cast<PatchChoice::OnDemand>(this->ReadOnDemand),
    .memory_budget = this->MemoryBudget * kMiB,
    .threads = this->NumberOfIOThreads,
    .local_cache = { this->LocalCacheDirectory, this->LocalCacheLimit * kMiB } };
  if (Result<void> shown = this->Dump->show(choice, *output); !shown)
  {
    this->Reported.clear(); // each attempt to read values tells
    this->Complain(shown.error(), vtkErrorCode::FileFormatError);
    return 1;
  }
  set_time(*output, this->Dump->dump().time);
  return 1;
}
