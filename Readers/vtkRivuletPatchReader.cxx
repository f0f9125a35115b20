// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPatchReader.h"

#include "Amr/DumpBytes.h"
#include "Amr/PatchShares.h"
#include "Base/Bytes.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/ReadingText.h"
#include "Pipeline/RunProgress.h"
#include "Pipeline/TimeSteps.h"
#include "Readers/DumpFormat.h"
#include "Readers/GhostLayers.h"
#include "Readers/OnDemandArrays.h"
#include "Readers/ReadArrays.h"
#include "Store/LocalCache/LocalCache.h"
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
#include <set>

struct vtkRivuletPatchReader::Internals
{
  std::optional<rivulet::DumpIndex> Index;
  std::optional<rivulet::AmrDump> Dump;
  std::size_t DumpStep = 0;
  std::set<int> RangesAsked; // variables of Dump whose ranges were searched for: the same on all ranks
  rivulet::PatchReader Reader;
  std::shared_ptr<rivulet::PatchStore> Store; // store of Dump, if patches are read on demand
  rivulet::Int3 StoreLayers{ 0, 0, 0 };       // ghost layers in Store
  std::shared_ptr<rivulet::LocalCache> Cache; // of Dump; nullptr: none
  std::string CacheTrouble;                   // the last one shown
  std::string Reported;                       // the last error shown: retries do not repeat it
  std::optional<bool> AMR;                    // whether the output is AMR; set by the first dump opened
  bool Noted = false;                         // whether the note on parts left out was shown

  void ForgetDump()
  {
    this->Dump.reset();
    this->RangesAsked.clear();
    this->Store.reset();
  }
  void Forget()
  {
    this->ForgetDump();
    this->Index.reset();
    this->Noted = false;
    this->Reported.clear();
  }
};

/// Levels, variables and patches of one run.
struct vtkRivuletPatchReader::Request
{
  int Finest = 0; // level
  std::vector<int> Variables;
  std::vector<int> Patches; // of this rank
  rivulet::Int3 Layers{ 0, 0, 0 };
  std::optional<rivulet::AmrDump> Shown; // dump with these layers, if there are any

  /// Call it after the search for ranges: Shown copies them.
  void AddLayers(const rivulet::AmrDump& dump)
  {
    if (this->Layers != rivulet::Int3{ 0, 0, 0 })
    {
      this->Shown = rivulet::with_ghosts(dump, this->Layers);
    }
  }
};

namespace
{

void fill(const rivulet::AmrDump& dump, const rivulet::AmrDump& shown, int finest, rivulet::PatchArrays& arrays,
    vtkDataObject& output)
{
  if (auto* amr = vtkOverlappingAMR::SafeDownCast(&output))
  {
    rivulet::fill_amr(dump, shown, finest, arrays, *amr);
  }
  else if (auto* blocks = vtkMultiBlockDataSet::SafeDownCast(&output))
  {
    rivulet::fill_multiblock(dump, shown, finest, arrays, *blocks);
  }
}

/// "12 of 40 arrays of patches were not read", of all ranks.
std::string describe_missing(const rivulet::Ranks& ranks, const rivulet::PatchData& data)
{
  std::array<std::int64_t, 2> counts{ 0, static_cast<std::int64_t>(data.values.size()) };
  counts[0] = std::count_if(data.values.begin(), data.values.end(),
      [](const rivulet::PatchVariable& value) { return value.state == rivulet::PatchVariable::State::NotRead; });
  ranks.sum(counts);
  return std::to_string(counts[0]) + " of " + std::to_string(counts[1]) + " arrays of patches were not read";
}

} // namespace

vtkRivuletPatchReader::vtkRivuletPatchReader()
  : State(std::make_unique<Internals>())
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
  this->State->Forget();
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
  if (this->State->Store)
  {
    this->State->Store->set_memory_budget(this->MemoryBudget * rivulet::kMiB);
  }
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

// Without a usable cache, patches are read without one.
void vtkRivuletPatchReader::OpenLocalCache()
{
  Internals& state = *this->State;
  rivulet::CacheChoice choice =
      rivulet::local_cache_for(state.Dump->path, { this->LocalCacheDirectory, this->LocalCacheLimit * rivulet::kMiB });
  state.Cache = std::move(choice.cache);
  if (choice.trouble && choice.why_not != state.CacheTrouble && rivulet::Ranks().rank() == 0)
  {
    vtkWarningMacro(<< choice.why_not);
  }
  state.CacheTrouble = choice.trouble ? choice.why_not : std::string();
}

vtkIdType vtkRivuletPatchReader::GetBytesRead() const
{
  const auto& store = this->State->Store;
  return this->BytesRead + (store ? store->statistics().bytes_read - this->BytesBefore : 0);
}

const char* vtkRivuletPatchReader::GetValuesRead()
{
  this->ReadText = rivulet::values_read({ .bytes_read = this->GetBytesRead() });
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
bool vtkRivuletPatchReader::Complain(const rivulet::Error& error, unsigned long code)
{
  Internals& state = *this->State;
  if (error.describe() != state.Reported)
  {
    state.Reported = error.describe();
    if (rivulet::Ranks().rank() == 0)
    {
      rivulet::report_error(this, error);
    }
  }
  this->SetErrorCode(code);
  return false;
}

/// Once, on the first rank.
void vtkRivuletPatchReader::Warn(const std::string& text)
{
  if (rivulet::Ranks().rank() == 0)
  {
    vtkWarningMacro(<< text);
  }
}

bool vtkRivuletPatchReader::EnsureIndex()
{
  Internals& state = *this->State;
  if (this->FileNames.empty() || state.Index)
  {
    return state.Index.has_value();
  }
  auto index = rivulet::on_first_rank([this]
      { return this->GetDumpFormat().find(this->FileNames, !this->SkipUnreadablePatches); },
      [](const auto& found) { return rivulet::to_bytes(found); }, rivulet::index_from_bytes);
  if (!index)
  {
    return this->Complain(index.error(), vtkErrorCode::CannotOpenFileError);
  }
  if (!index->notes.empty())
  {
    const std::size_t others = index->notes.size() - 1;
    this->Warn(
        index->notes.front() + (others > 0 ? " (and " + std::to_string(others) + " more that are left out)" : ""));
  }
  state.Index = std::move(*index);
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

bool vtkRivuletPatchReader::EnsureDump(std::size_t step)
{
  Internals& state = *this->State;
  if (!this->EnsureIndex())
  {
    return false;
  }
  if (state.Dump && state.DumpStep == step)
  {
    return true;
  }
  state.ForgetDump();
  const std::string& path = state.Index->dumps[step].path;
  auto dump = rivulet::on_first_rank([&] { return this->GetDumpFormat().open(path); },
      [](const auto& read) { return rivulet::to_bytes(read); }, rivulet::dump_from_bytes);
  if (!dump)
  {
    return this->Complain(dump.error(), vtkErrorCode::FileFormatError);
  }
  if (!dump->notes.empty() && !state.Noted)
  {
    state.Noted = true;
    std::string notes;
    for (const std::string& note : dump->notes)
    {
      notes += (notes.empty() ? "" : "; ") + note;
    }
    this->Warn(path + ": " + notes + ".");
  }
  state.Dump = std::move(*dump);
  state.DumpStep = step;
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

/// Looks for the ranges in the files on the first rank and sends them to all.
void vtkRivuletPatchReader::EnsureRanges(const std::vector<int>& variables)
{
  const rivulet::Ranks ranks;
  rivulet::AmrDump& dump = *this->State->Dump;
  for (const int number : variables)
  {
    if (!this->State->RangesAsked.insert(number).second)
    {
      continue;
    }
    rivulet::AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
    std::vector<std::byte> bytes;
    if (ranks.rank() == 0)
    {
      this->BytesRead += this->GetDumpFormat().find_ranges(dump, number);
      bytes = rivulet::ranges_to_bytes(variable);
    }
    ranks.broadcast(bytes);
    if (ranks.rank() != 0)
    {
      (void)rivulet::ranges_from_bytes(bytes, variable);
    }
  }
}

void vtkRivuletPatchReader::OfferArrays()
{
  // If a script named arrays before the dump was opened, it wants these only; otherwise all are enabled.
  const bool chosen =
      !this->Offered && this->PointSelection->GetNumberOfArrays() + this->CellSelection->GetNumberOfArrays() > 0;
  this->Offered = true;
  const rivulet::AmrDump& dump = *this->State->Dump;
  for (std::size_t i = 0; i < dump.variables.size(); ++i)
  {
    const rivulet::AmrVariable& variable = dump.variables[i];
    const bool node = variable.centering == rivulet::Centering::Node;
    vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
    if (static_cast<int>(i) != dump.coordinates && !selection->ArrayExists(variable.name.c_str()))
    {
      selection->AddArray(variable.name.c_str(), !chosen);
    }
  }
}

std::vector<double> vtkRivuletPatchReader::Times() const
{
  std::vector<double> times;
  for (const rivulet::DumpStep& dump : this->State->Index->dumps)
  {
    times.push_back(dump.time);
  }
  return times;
}

int vtkRivuletPatchReader::RequestDataObject(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // A dump that cannot be opened gives an empty AMR and an error code, so that there is one message and not a page of
  // them. The output's type never changes later, because pipelines and views are made for one type.
  std::optional<bool>& settled = this->State->AMR;
  if (!settled && this->EnsureDump(0))
  {
    settled = rivulet::is_overlapping_amr(*this->State->Dump);
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
  const std::vector<double> times = this->Times();
  const std::array<double, 2> range{ times.front(), times.back() };
  outInfo->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
  outInfo->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range.data(), 2);
  this->OfferBoxes(*outInfo);
  return 1;
}

/// Filters that choose patches, such as Resample AMR, need the boxes before any patch is read.
void vtkRivuletPatchReader::OfferBoxes(vtkInformation& outInfo)
{
  if (rivulet::is_overlapping_amr(*this->State->Dump))
  {
    vtkNew<vtkOverlappingAMR> boxes;
    rivulet::set_boxes(*this->State->Dump, this->FinestShown(), *boxes);
    outInfo.Set(vtkCompositeDataPipeline::COMPOSITE_DATA_META_DATA(), boxes);
  }
}

int vtkRivuletPatchReader::FinestShown() const
{
  const int last = static_cast<int>(this->State->Dump->levels.size()) - 1;
  return this->FinestLevel < 0 ? last : std::min(this->FinestLevel, last);
}

bool vtkRivuletPatchReader::Wanted(const char* name, bool node)
{
  return (node ? this->PointSelection : this->CellSelection)->ArrayIsEnabled(name) != 0;
}

/// Whether the patches read may be shown; the same on all ranks. If not, one message says why.
bool vtkRivuletPatchReader::AcceptFailures(const rivulet::PatchData& data)
{
  const auto is_failed = [](const rivulet::PatchVariable& value)
  {
    return value.state == rivulet::PatchVariable::State::Failed;
  };
  rivulet::Result<void> mine;
  const auto first = std::find_if(data.values.begin(), data.values.end(), is_failed);
  if (first != data.values.end())
  {
    rivulet::Error error = *first->error;
    const auto others = std::count_if(std::next(first), data.values.end(), is_failed);
    if (others > 0)
    {
      error.what += "; " + std::to_string(others) + (others > 1 ? " other arrays" : " other array") +
                    " of patches cannot be read either";
    }
    if (this->SkipUnreadablePatches)
    {
      rivulet::report_warning(this, error);
    }
    else
    {
      error.remedy +=
          std::string(error.remedy.empty() ? "" : ", or ") + "set Skip Unreadable Patches to see the others";
      mine = tl::unexpected<rivulet::Error>(std::move(error));
    }
  }
  const rivulet::Ranks ranks;
  const rivulet::Result<void> agreed = ranks.agree(std::move(mine));
  if (!agreed && ranks.rank() == 0)
  {
    rivulet::report_error(this, agreed.error());
  }
  if (!agreed)
  {
    this->SetErrorCode(vtkErrorCode::FileFormatError);
  }
  return agreed.has_value();
}

/// Numbers of the variables that are enabled, and of the node coordinates of deformed meshes.
std::vector<int> vtkRivuletPatchReader::WantedVariables()
{
  const rivulet::AmrDump& dump = *this->State->Dump;
  std::vector<int> wanted;
  for (std::size_t i = 0; i < dump.variables.size(); ++i)
  {
    const rivulet::AmrVariable& variable = dump.variables[i];
    if (static_cast<int>(i) == dump.coordinates ||
        this->Wanted(variable.name.c_str(), variable.centering == rivulet::Centering::Node))
    {
      wanted.push_back(static_cast<int>(i));
    }
  }
  return wanted;
}

/// The same on all ranks, because the types of arrays must agree.
bool vtkRivuletPatchReader::OffersOnDemand(const Request& request) const
{
  const rivulet::AmrDump& dump = *this->State->Dump;
  if (dump.deformed || this->ReadOnDemand != AUTOMATIC)
  {
    return !dump.deformed && this->ReadOnDemand == ALWAYS;
  }
  std::int64_t values = 0;
  for (const int number : request.Variables)
  {
    const rivulet::AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
    for (const rivulet::AmrPatch& patch : dump.patches)
    {
      const std::int64_t stored = rivulet::volume(variable.stored_size(patch, dump.dimensions));
      values += patch.level <= request.Finest ? stored * static_cast<std::int64_t>(variable.components.size()) : 0;
    }
  }
  return values * static_cast<std::int64_t>(sizeof(double)) > rivulet::kGiB;
}

bool vtkRivuletPatchReader::ShowOnDemand(Request& request, vtkDataObject& output)
{
  Internals& state = *this->State;
  this->OpenLocalCache();
  this->EnsureRanges(request.Variables);
  auto lazy = rivulet::lazy_variables(*state.Dump, request.Variables, state.Reader);
  // If one rank fails, all fail, so that all take the same path.
  if (!rivulet::Ranks().agree(lazy ? rivulet::Result<void>{} : rivulet::Result<void>(rivulet::forward_error(lazy))))
  {
    return false;
  }
  request.AddLayers(*state.Dump);
  if (!state.Store || state.StoreLayers != request.Layers)
  {
    state.Store = std::make_shared<rivulet::PatchStore>(rivulet::AmrDump(request.Shown ? *request.Shown : *state.Dump),
        this->MemoryBudget * rivulet::kMiB, state.Cache);
    state.StoreLayers = request.Layers;
  }
  rivulet::OnDemandArrays arrays(state.Store, request.Patches, std::move(*lazy));
  this->BytesBefore = state.Store->statistics().bytes_read;
  this->ThreadsInUse = 0;
  this->ThreadsBecause.clear();
  fill(*state.Dump, request.Shown ? *request.Shown : *state.Dump, request.Finest, arrays, output);
  return true;
}

bool vtkRivuletPatchReader::ShowAtOnce(Request& request, vtkDataObject& output)
{
  Internals& state = *this->State;
  this->OpenLocalCache();
  state.Store.reset();
  if (rivulet::Ranks().size() > 1 && !state.Dump->shared)
  {
    this->EnsureRanges(request.Variables); // else a rank that misses values would read the summary itself
  }
  request.AddLayers(*state.Dump);
  rivulet::AmrDump& dump = request.Shown ? *request.Shown : *state.Dump;
  const rivulet::Ranks ranks;
  rivulet::RunProgress progress(*this, "reading patches", &ranks);
  auto data = state.Reader.read(dump, request.Patches, request.Variables,
      { .threads = this->NumberOfIOThreads,
          .processes = ranks.size(),
          .progress = progress.callback(),
          .local_cache = state.Cache });
  progress.finish();
  if (const auto read = ranks.agree(data ? rivulet::Result<void>{} : rivulet::forward_error(data)); !read)
  {
    if (ranks.rank() == 0)
    {
      rivulet::report_error(this, read.error());
    }
    return false;
  }
  this->BytesRead += data->statistics.bytes_read;
  this->ThreadsInUse = data->statistics.threads;
  this->ThreadsBecause = data->statistics.threads_because;
  if (!this->AcceptFailures(*data))
  {
    return false;
  }
  if (progress.stopped())
  {
    progress.keep_what_is_there(describe_missing(ranks, *data), "use Reload Files to read again");
  }
  const auto coordinates = std::find(request.Variables.begin(), request.Variables.end(), dump.coordinates);
  rivulet::ReadArrays arrays(dump, *data,
      coordinates == request.Variables.end() ? -1 : static_cast<int>(coordinates - request.Variables.begin()));
  fill(*state.Dump, request.Shown ? *request.Shown : *state.Dump, request.Finest, arrays, output);
  return true;
}

/// Reading is collective. A request for single patches runs on some ranks only, which would wait for the others
/// forever.
bool vtkRivuletPatchReader::RefusesSinglePatches(vtkInformation& outInfo)
{
  using Pipeline = vtkCompositeDataPipeline;
  if (rivulet::Ranks().size() == 1 || outInfo.Has(Pipeline::UPDATE_COMPOSITE_INDICES()) == 0)
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
  const std::size_t step = timed ? rivulet::step_at(this->Times(), outInfo->Get(Pipeline::UPDATE_TIME_STEP())) : 0;
  if (!this->EnsureDump(step))
  {
    return 1;
  }
  const rivulet::AmrDump& dump = *this->State->Dump;
  if (output->IsA("vtkOverlappingAMR") && !rivulet::is_overlapping_amr(dump))
  {
    this->Complain({ rivulet::ErrorCode::Unsupported,
                       "the mesh is deformed, or its ratios differ between the axes, and what was opened first made "
                       "overlapping AMR, which cannot show it",
                       "Open this dump anew, on its own", dump.path },
        vtkErrorCode::FileFormatError);
    return 1;
  }
  Request request;
  request.Finest = this->FinestShown();
  request.Variables = this->WantedVariables();
  const int piece = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER());
  const int pieces = std::max(1, outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()));
  request.Patches = rivulet::share_of_patches(dump, request.Finest, piece, pieces);
  if (this->KeepGhostLayers)
  {
    request.Layers = rivulet::common_ghosts(dump, request.Variables);
  }
  this->BytesRead = 0;
  const bool shown = this->OffersOnDemand(request) && this->ShowOnDemand(request, *output);
  if (shown || this->ShowAtOnce(request, *output))
  {
    rivulet::set_time(*output, dump.time);
  }
  return 1;
}
