// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletSAMRAIReader.h"

#include "Amr/DumpBytes.h"
#include "Amr/PatchShares.h"
#include "Amr/SamraiSummary.h"
#include "Base/Bytes.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/Progress.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/TimeSteps.h"
#include "Readers/OnDemandArrays.h"
#include "Readers/ReadArrays.h"
#include "vtkCommand.h"
#include "vtkCompositeDataPipeline.h"
#include "vtkDataArraySelection.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkOverlappingAMR.h"

#include <algorithm>
#include <optional>

vtkStandardNewMacro(vtkRivuletSAMRAIReader);

struct vtkRivuletSAMRAIReader::Internals
{
  std::vector<rivulet::DumpNames> Names;
  std::optional<rivulet::DumpIndex> Index;
  std::optional<rivulet::AmrDump> Dump;
  std::size_t DumpStep = 0;
  rivulet::PatchReader Reader;
  std::shared_ptr<rivulet::PatchStore> Store; // of Dump, where patches are read on demand
  std::string Reported;                       // the last error shown: retries do not repeat it
  bool Noted = false;                         // that something in the dumps is not shown

  void Forget()
  {
    this->Index.reset();
    this->Dump.reset();
    this->Store.reset();
    this->Noted = false;
    this->Reported.clear();
  }
};

namespace
{

void fill(const rivulet::AmrDump& dump, int finest, rivulet::PatchArrays& arrays, vtkDataObject& output)
{
  if (auto* amr = vtkOverlappingAMR::SafeDownCast(&output))
  {
    rivulet::fill_amr(dump, finest, arrays, *amr);
  }
  else if (auto* blocks = vtkMultiBlockDataSet::SafeDownCast(&output))
  {
    rivulet::fill_multiblock(dump, finest, arrays, *blocks);
  }
}

} // namespace

vtkRivuletSAMRAIReader::vtkRivuletSAMRAIReader()
  : State(std::make_unique<Internals>())
{
  this->SetNumberOfInputPorts(0);
  for (vtkDataArraySelection* selection : { this->PointSelection.Get(), this->CellSelection.Get() })
  {
    selection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkRivuletSAMRAIReader::Modified);
  }
}

vtkRivuletSAMRAIReader::~vtkRivuletSAMRAIReader() = default;

void vtkRivuletSAMRAIReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  for (const std::string& name : this->FileNames)
  {
    os << indent << "FileName: " << name << "\n";
  }
  os << indent << "AllDumpsBesideIndex: " << this->AllDumpsBesideIndex << "\n";
  os << indent << "FinestLevel: " << this->FinestLevel << "\n";
  os << indent << "NumberOfIOThreads: " << this->NumberOfIOThreads << "\n";
  os << indent << "ReadOnDemand: " << this->ReadOnDemand << "\n";
  os << indent << "MemoryBudget: " << this->MemoryBudget << "\n";
  os << indent << "SkipUnreadablePatches: " << this->SkipUnreadablePatches << "\n";
  os << indent << "NamesFile: " << this->NamesFile << "\n";
}

void vtkRivuletSAMRAIReader::AddFileName(const char* name)
{
  if (name != nullptr && *name != '\0')
  {
    this->FileNames.emplace_back(name);
    this->State->Forget();
    this->Modified();
  }
}

void vtkRivuletSAMRAIReader::ClearFileNames()
{
  if (!this->FileNames.empty())
  {
    this->FileNames.clear();
    this->State->Forget();
    this->Modified();
  }
}

int vtkRivuletSAMRAIReader::CanReadFile(const char* name)
{
  if (name == nullptr)
  {
    return 0;
  }
  return rivulet::is_dump_index(name, rivulet::built_in_names()) || rivulet::read_samrai_time(name) ? 1 : 0;
}

void vtkRivuletSAMRAIReader::SetAllDumpsBesideIndex(bool all)
{
  if (all != this->AllDumpsBesideIndex)
  {
    this->AllDumpsBesideIndex = all;
    this->State->Forget();
    this->Modified();
  }
}

void vtkRivuletSAMRAIReader::SetFinestLevel(int level)
{
  if (std::max(level, -1) != this->FinestLevel)
  {
    this->FinestLevel = std::max(level, -1);
    this->Modified();
  }
}

void vtkRivuletSAMRAIReader::SetSkipUnreadablePatches(bool skip)
{
  if (skip != this->SkipUnreadablePatches)
  {
    this->SkipUnreadablePatches = skip;
    this->Modified();
  }
}

void vtkRivuletSAMRAIReader::SetReadOnDemand(int when)
{
  if (when != this->ReadOnDemand)
  {
    this->ReadOnDemand = when;
    this->Modified();
  }
}

void vtkRivuletSAMRAIReader::SetMemoryBudget(int mebibytes)
{
  this->MemoryBudget = std::max(0, mebibytes);
  if (this->State->Store)
  {
    this->State->Store->set_memory_budget(this->MemoryBudget * rivulet::kMiB);
  }
}

vtkIdType vtkRivuletSAMRAIReader::GetBytesRead() const
{
  return this->BytesRead + (this->State->Store ? this->State->Store->statistics().bytes_read : 0);
}

void vtkRivuletSAMRAIReader::SetNamesFile(const char* name)
{
  const std::string wanted = name == nullptr ? "" : name;
  if (wanted != this->NamesFile)
  {
    this->NamesFile = wanted;
    this->State->Forget();
    this->Modified();
  }
}

int vtkRivuletSAMRAIReader::GetNumberOfPointArrays()
{
  return this->PointSelection->GetNumberOfArrays();
}
const char* vtkRivuletSAMRAIReader::GetPointArrayName(int index)
{
  return this->PointSelection->GetArrayName(index);
}
int vtkRivuletSAMRAIReader::GetPointArrayStatus(const char* name)
{
  return this->PointSelection->ArrayIsEnabled(name);
}
void vtkRivuletSAMRAIReader::SetPointArrayStatus(const char* name, int status)
{
  this->PointSelection->SetArraySetting(name, status);
}
int vtkRivuletSAMRAIReader::GetNumberOfCellArrays()
{
  return this->CellSelection->GetNumberOfArrays();
}
const char* vtkRivuletSAMRAIReader::GetCellArrayName(int index)
{
  return this->CellSelection->GetArrayName(index);
}
int vtkRivuletSAMRAIReader::GetCellArrayStatus(const char* name)
{
  return this->CellSelection->ArrayIsEnabled(name);
}
void vtkRivuletSAMRAIReader::SetCellArrayStatus(const char* name, int status)
{
  this->CellSelection->SetArraySetting(name, status);
}

int vtkRivuletSAMRAIReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkCompositeDataSet");
  return 1;
}

/// Shows an error once, on the first rank, and remembers that there was one.
bool vtkRivuletSAMRAIReader::Complain(const rivulet::Error& error, unsigned long code)
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

bool vtkRivuletSAMRAIReader::EnsureIndex()
{
  Internals& state = *this->State;
  if (this->FileNames.empty() || state.Index)
  {
    return state.Index.has_value();
  }
  const auto find = [&]() -> rivulet::Result<rivulet::DumpIndex>
  {
    state.Names = rivulet::built_in_names();
    if (!this->NamesFile.empty())
    {
      auto more = rivulet::read_names(this->NamesFile);
      if (!more)
      {
        return rivulet::forward_error(more);
      }
      state.Names.insert(state.Names.begin(), more->begin(), more->end());
    }
    return rivulet::find_dumps(this->FileNames, state.Names, { .all_beside_index = this->AllDumpsBesideIndex });
  };
  auto index = rivulet::on_first_rank(
      find, [](const auto& found) { return rivulet::to_bytes(found); }, rivulet::index_from_bytes);
  if (!index)
  {
    return this->Complain(index.error(), vtkErrorCode::CannotOpenFileError);
  }
  if (!index->notes.empty() && rivulet::Ranks().rank() == 0)
  {
    const std::size_t others = index->notes.size() - 1;
    vtkWarningMacro(<< index->notes.front()
                    << (others > 0 ? " (and " + std::to_string(others) + " more that are left out)" : ""));
  }
  state.Index = std::move(*index);
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

bool vtkRivuletSAMRAIReader::EnsureDump(std::size_t step)
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
  state.Dump.reset();
  state.Store.reset();
  const std::string& path = state.Index->dumps[step].path;
  auto dump =
      rivulet::on_first_rank([&] { return rivulet::read_samrai_summary(path, rivulet::names_of(state.Names, path)); },
          [](const auto& read) { return rivulet::to_bytes(read); }, rivulet::dump_from_bytes);
  if (!dump)
  {
    return this->Complain(dump.error(), vtkErrorCode::FileFormatError);
  }
  if (!dump->notes.empty() && !state.Noted)
  {
    state.Noted = true;
    if (rivulet::Ranks().rank() == 0)
    {
      vtkWarningMacro(<< path << ": " << dump->notes.front() << ".");
    }
  }
  state.Dump = std::move(*dump);
  state.DumpStep = step;
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

/// What the summary says of the values, read by the first rank for all.
void vtkRivuletSAMRAIReader::EnsureRanges(const std::vector<int>& variables)
{
  const rivulet::Ranks ranks;
  rivulet::AmrDump& dump = *this->State->Dump;
  for (const int number : variables)
  {
    rivulet::AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
    if (!variable.components.front().ranges.empty())
    {
      continue;
    }
    std::vector<std::byte> bytes;
    if (ranks.rank() == 0)
    {
      // A summary without ranges is no error: they are found when the values are read.
      (void)rivulet::read_samrai_ranges(dump, number);
      bytes = rivulet::ranges_to_bytes(variable);
    }
    ranks.broadcast(bytes);
    if (ranks.rank() != 0)
    {
      (void)rivulet::ranges_from_bytes(bytes, variable);
    }
  }
}

void vtkRivuletSAMRAIReader::OfferArrays()
{
  // A script that named arrays before the dump was opened wants those; otherwise all are enabled.
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

std::vector<double> vtkRivuletSAMRAIReader::Times() const
{
  std::vector<double> times;
  for (const rivulet::DumpStep& dump : this->State->Index->dumps)
  {
    times.push_back(dump.time);
  }
  return times;
}

int vtkRivuletSAMRAIReader::RequestDataObject(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // What cannot be opened makes an empty AMR and an error code, so that there is one message and not a page of them.
  const bool amr = !this->EnsureDump(0) || rivulet::is_overlapping_amr(*this->State->Dump);
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

int vtkRivuletSAMRAIReader::RequestInformation(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  outInfo->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
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
  return 1;
}

bool vtkRivuletSAMRAIReader::Wanted(const char* name, bool node)
{
  return (node ? this->PointSelection : this->CellSelection)->ArrayIsEnabled(name) != 0;
}

bool vtkRivuletSAMRAIReader::AcceptFailures(const rivulet::PatchData& data)
{
  const auto is_failed = [](const rivulet::PatchVariable& value)
  {
    return value.state == rivulet::PatchVariable::State::Failed;
  };
  const auto first = std::find_if(data.values.begin(), data.values.end(), is_failed);
  if (first == data.values.end())
  {
    return true;
  }
  rivulet::Error error = *first->error;
  const auto others = std::count_if(std::next(first), data.values.end(), is_failed);
  if (others > 0)
  {
    error.what += "; so are " + std::to_string(others) + " other arrays of patches";
  }
  if (this->SkipUnreadablePatches)
  {
    rivulet::report_warning(this, error);
    return true;
  }
  error.remedy += std::string(error.remedy.empty() ? "" : ", or ") + "set Skip Unreadable Patches to see the others";
  rivulet::report_error(this, error);
  this->SetErrorCode(vtkErrorCode::FileFormatError);
  return false;
}

/// Numbers of the variables that are enabled, and of the node coordinates of deformed meshes.
std::vector<int> vtkRivuletSAMRAIReader::WantedVariables()
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

/// The same on all ranks: they must agree on what arrays are like.
bool vtkRivuletSAMRAIReader::OffersOnDemand(const std::vector<int>& variables, int finest) const
{
  const rivulet::AmrDump& dump = *this->State->Dump;
  if (dump.deformed || this->ReadOnDemand != AUTOMATIC)
  {
    return !dump.deformed && this->ReadOnDemand == ALWAYS;
  }
  std::int64_t values = 0;
  for (const int number : variables)
  {
    const rivulet::AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
    for (const rivulet::AmrPatch& patch : dump.patches)
    {
      const std::int64_t stored = rivulet::volume(variable.stored_size(patch.cells, dump.dimensions));
      values += patch.level <= finest ? stored * static_cast<std::int64_t>(variable.components.size()) : 0;
    }
  }
  return values * static_cast<std::int64_t>(sizeof(double)) > rivulet::kGiB;
}

bool vtkRivuletSAMRAIReader::ShowOnDemand(
    const std::vector<int>& variables, int finest, const std::vector<int>& patches, vtkDataObject& output)
{
  Internals& state = *this->State;
  this->EnsureRanges(variables);
  auto lazy = rivulet::lazy_variables(*state.Dump, variables, state.Reader);
  if (!lazy)
  {
    return false;
  }
  if (!state.Store)
  {
    state.Store =
        std::make_shared<rivulet::PatchStore>(rivulet::AmrDump(*state.Dump), this->MemoryBudget * rivulet::kMiB);
  }
  rivulet::OnDemandArrays arrays(state.Store, patches, std::move(*lazy));
  this->BytesRead = -state.Store->statistics().bytes_read;
  this->ThreadsInUse = 0;
  fill(*state.Dump, finest, arrays, output);
  return true;
}

bool vtkRivuletSAMRAIReader::ShowAtOnce(
    const std::vector<int>& variables, int finest, const std::vector<int>& patches, vtkDataObject& output)
{
  Internals& state = *this->State;
  state.Store.reset();
  if (rivulet::Ranks().size() > 1)
  {
    this->EnsureRanges(variables); // or a rank that misses values would read the summary itself
  }
  auto data = state.Reader.read(
      *state.Dump, patches, variables, { this->NumberOfIOThreads, false, rivulet::progress_of(*this) });
  if (!data)
  {
    rivulet::report_error(this, data.error());
    return false;
  }
  this->BytesRead = data->statistics.bytes_read;
  this->ThreadsInUse = data->statistics.threads;
  if (!this->AcceptFailures(*data))
  {
    return false;
  }
  const auto coordinates = std::find(variables.begin(), variables.end(), state.Dump->coordinates);
  rivulet::ReadArrays arrays(
      *state.Dump, *data, coordinates == variables.end() ? -1 : static_cast<int>(coordinates - variables.begin()));
  fill(*state.Dump, finest, arrays, output);
  return true;
}

int vtkRivuletSAMRAIReader::RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  output->Initialize();
  if (!this->EnsureIndex())
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
  const int last = static_cast<int>(dump.levels.size()) - 1;
  const int finest = this->FinestLevel < 0 ? last : std::min(this->FinestLevel, last);
  const std::vector<int> variables = this->WantedVariables();
  const int piece = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER());
  const int pieces = std::max(1, outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()));
  const std::vector<int> patches = rivulet::share_of_patches(dump, finest, piece, pieces);
  const bool shown = this->OffersOnDemand(variables, finest) && this->ShowOnDemand(variables, finest, patches, *output);
  if (shown || this->ShowAtOnce(variables, finest, patches, *output))
  {
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), dump.time);
  }
  return 1;
}
