// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletReader.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyField.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/ReadingText.h"
#include "Pipeline/TimeSteps.h"
#include "Store/Hints/HintFile.h"
#include "vtkCellData.h"
#include "vtkCommand.h"
#include "vtkDataArraySelection.h"
#include "vtkErrorCode.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkRivuletArray.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <new>
#include <thread>
#include <type_traits>

struct vtkRivuletReader::Internals
{
  std::shared_ptr<rivulet::LazyField> Field;
  std::vector<std::string> OpenNames; // files and options of Field
  rivulet::OpenOptions OpenOptions;
  std::string Reported; // last error shown, and its files: retries do not repeat it
  std::vector<std::string> ReportedNames;
  std::thread::id Home = std::this_thread::get_id();

  [[nodiscard]] rivulet::SourceStatistics Statistics() const
  {
    return this->Field ? this->Field->source()->statistics() : rivulet::SourceStatistics{};
  }
  [[nodiscard]] bool IsOpen(const std::vector<std::string>& names, const rivulet::OpenOptions& options) const
  {
    return this->Field && this->OpenNames == names && this->OpenOptions.strategy == options.strategy &&
           this->OpenOptions.verify == options.verify &&
           this->OpenOptions.local_cache.folder == options.local_cache.folder &&
           this->OpenOptions.local_cache.limit == options.local_cache.limit;
  }
};

namespace
{

// Removes the names of another file's arrays.
void ForgetOthers(
    vtkDataArraySelection* selection, const std::vector<rivulet::Variable>& variables, rivulet::Centering centering)
{
  for (int at = selection->GetNumberOfArrays() - 1; at >= 0; --at)
  {
    const std::string name = selection->GetArrayName(at);
    const bool there = std::any_of(variables.begin(), variables.end(),
        [&](const rivulet::Variable& variable) { return variable.name == name && variable.centering == centering; });
    if (!there)
    {
      selection->RemoveArrayByIndex(at);
    }
  }
}

// Marks (vtkGhostType) of the hidden points or cells in a box.
rivulet::Result<vtkSmartPointer<vtkUnsignedCharArray>> GhostsOf(
    const rivulet::FileBricks& source, rivulet::Centering centering, int step, const rivulet::Box& box)
{
  auto ghosts = vtkSmartPointer<vtkUnsignedCharArray>::New();
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  try
  {
    ghosts->SetNumberOfValues(box.count());
    if (auto read = source.read_hidden(centering, step, box, ghosts->GetPointer(0)); !read)
    {
      return rivulet::forward_error(read);
    }
  }
  catch (const std::bad_alloc&)
  {
    return rivulet::fail(rivulet::ErrorCode::CannotRead, "there is not enough memory for which points are hidden",
        "read a part of the grid, or give the program more memory", source.path());
  }
  const bool node = centering == rivulet::Centering::Node;
  const unsigned char hidden = node ? static_cast<unsigned char>(vtkDataSetAttributes::HIDDENPOINT)
                                    : static_cast<unsigned char>(vtkDataSetAttributes::HIDDENCELL);
  for (vtkIdType at = 0; at < ghosts->GetNumberOfValues(); ++at)
  {
    ghosts->SetValue(at, ghosts->GetValue(at) != 0 ? hidden : static_cast<unsigned char>(0));
  }
  return ghosts;
}

/// T, or VTK's own type of as many bits: its whole numbers of 64 bits are other types than the standard library's.
template <class T>
using VtkNumber = std::conditional_t<std::is_same_v<T, std::int64_t>, vtkTypeInt64,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, vtkTypeUInt64, T>>;

template <class T>
void AddLazyArray(vtkDataSetAttributes* attributes, const std::shared_ptr<rivulet::LazyField>& field,
    const rivulet::ValueBlock& block)
{
  vtkNew<vtkRivuletArray<T>> array;
  array->SetBlock(field, block);
  attributes->AddArray(array);
}

} // namespace

vtkRivuletReader::vtkRivuletReader()
  : State(std::make_unique<Internals>())
{
  this->SetNumberOfInputPorts(0);
  for (vtkDataArraySelection* selection : { this->PointSelection.Get(), this->CellSelection.Get() })
  {
    selection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkRivuletReader::Modified);
  }
}

vtkRivuletReader::~vtkRivuletReader() = default;

void vtkRivuletReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  for (const std::string& name : this->FileNames)
  {
    os << indent << "FileName: " << name << "\n";
  }
  os << indent << "MemoryBudget: " << this->MemoryBudget << " MiB\n";
  os << indent << "AccessStrategy: " << this->AccessStrategy << "\n";
  os << indent << "LocalCacheDirectory: " << this->LocalCacheDirectory << "\n";
  os << indent << "LocalCacheLimit: " << this->LocalCacheLimit << "\n";
  os << indent << "VerifyChecksums: " << this->VerifyChecksums << "\n";
  os << indent << "ExactRanges: " << this->ExactRanges << "\n";
}

void vtkRivuletReader::AddFileName(const char* name)
{
  if (name != nullptr && *name != '\0')
  {
    this->FileNames.emplace_back(name);
    this->Modified();
  }
}

void vtkRivuletReader::ClearFileNames()
{
  if (!this->FileNames.empty())
  {
    this->FileNames.clear();
    this->Modified();
  }
}

void vtkRivuletReader::Refresh()
{
  this->State->OpenNames.clear(); // so that EnsureOpen() opens the files again
  this->State->Reported.clear();
  this->Modified();
}

int vtkRivuletReader::GetNumberOfFileNames() const
{
  return static_cast<int>(this->FileNames.size());
}

const char* vtkRivuletReader::GetFileName(int index) const
{
  const bool there = index >= 0 && index < this->GetNumberOfFileNames();
  return there ? this->FileNames[static_cast<std::size_t>(index)].c_str() : nullptr;
}

void vtkRivuletReader::SetMemoryBudget(int mebibytes)
{
  this->MemoryBudget = std::max(mebibytes, 0);
  const std::int64_t bytes = this->MemoryBudget * rivulet::kMiB;
  Internals& state = *this->State;
  if (!state.Field || state.OpenOptions.memory_budget == bytes)
  {
    return;
  }
  const std::int64_t minimum = state.Field->source()->working_minimum(1);
  if (bytes > 0 && bytes < minimum)
  {
    vtkErrorMacro(<< state.Field->source()->path() << ": the memory budget of " << rivulet::format_bytes(bytes)
                  << " is below the working minimum of " << rivulet::format_bytes(minimum)
                  << ", and is not used. Set Memory Budget to "
                  << rivulet::round_up(minimum, rivulet::kMiB) / rivulet::kMiB << " or more.");
    return;
  }
  state.OpenOptions.memory_budget = bytes;
  state.Field->set_memory_budget(bytes);
}

void vtkRivuletReader::SetExactRanges(bool exact)
{
  if (this->ExactRanges != exact)
  {
    this->ExactRanges = exact;
    if (this->State->Field)
    {
      this->State->Field->want_exact_ranges(exact);
    }
    this->Modified(); // existing arrays keep the ranges that they have returned
  }
}

const char* vtkRivuletReader::GetEstimatedRanges()
{
  this->EstimatedText = this->State->Field ? this->State->Field->estimated_ranges() : "";
  return this->EstimatedText.c_str();
}

vtkMTimeType vtkRivuletReader::GetMTime()
{
  this->ShowChanges();
  return this->Superclass::GetMTime();
}

void vtkRivuletReader::ShowChanges()
{
  if (!this->State->Field || std::this_thread::get_id() != this->State->Home)
  {
    return;
  }
  this->State->Field->look_at_files();
  if (const auto error = this->State->Field->take_error())
  {
    rivulet::report_error(this, *error);
  }
}

void vtkRivuletReader::SetAccessStrategy(int strategy)
{
  this->AccessStrategy = std::clamp(strategy, 0, 4);
  Internals& state = *this->State;
  const auto wanted = static_cast<rivulet::AccessStrategy>(this->AccessStrategy);
  if (!state.Field || state.OpenOptions.strategy == wanted)
  {
    return;
  }
  if (rivulet::Result<void> changed = state.Field->source()->set_strategy(wanted); !changed)
  {
    rivulet::report_error(this, changed.error()); // the open field stays as it is
    return;
  }
  state.OpenOptions.strategy = wanted;
}

void vtkRivuletReader::SetLocalCacheDirectory(const char* folder)
{
  const std::string wanted = folder == nullptr ? "" : folder;
  if (this->LocalCacheDirectory != wanted)
  {
    this->LocalCacheDirectory = wanted;
    this->Modified(); // the field is opened again
  }
}

void vtkRivuletReader::SetLocalCacheLimit(int mebibytes)
{
  if (this->LocalCacheLimit != mebibytes)
  {
    this->LocalCacheLimit = mebibytes;
    this->Modified();
  }
}

int vtkRivuletReader::GetNumberOfPointArrays()
{
  return this->PointSelection->GetNumberOfArrays();
}

const char* vtkRivuletReader::GetPointArrayName(int index)
{
  return this->PointSelection->GetArrayName(index);
}

int vtkRivuletReader::GetPointArrayStatus(const char* name)
{
  return this->PointSelection->ArrayIsEnabled(name);
}

void vtkRivuletReader::SetPointArrayStatus(const char* name, int status)
{
  this->PointSelection->SetArraySetting(name, status);
}

int vtkRivuletReader::GetNumberOfCellArrays()
{
  return this->CellSelection->GetNumberOfArrays();
}

const char* vtkRivuletReader::GetCellArrayName(int index)
{
  return this->CellSelection->GetArrayName(index);
}

int vtkRivuletReader::GetCellArrayStatus(const char* name)
{
  return this->CellSelection->ArrayIsEnabled(name);
}

void vtkRivuletReader::SetCellArrayStatus(const char* name, int status)
{
  this->CellSelection->SetArraySetting(name, status);
}

const char* vtkRivuletReader::GetStrategyInUse()
{
  const auto& field = this->State->Field;
  return field ? rivulet::name_of(field->source()->strategy()) : "";
}

const char* vtkRivuletReader::GetStrategyReason()
{
  const auto& field = this->State->Field;
  this->StrategyText = field ? field->source()->strategy_reason() : "";
  return this->StrategyText.c_str();
}

vtkIdType vtkRivuletReader::GetBytesRead()
{
  return this->State->Statistics().bytes_read;
}

vtkIdType vtkRivuletReader::GetBricksRead()
{
  return this->State->Statistics().bricks_read;
}

vtkIdType vtkRivuletReader::GetCacheHits()
{
  return this->State->Statistics().cache_hits;
}

vtkIdType vtkRivuletReader::GetCacheMisses()
{
  return this->State->Statistics().cache_misses;
}

vtkIdType vtkRivuletReader::GetPeakBytes()
{
  return this->State->Statistics().peak_bytes;
}

const char* vtkRivuletReader::GetValuesRead()
{
  this->ReadText = rivulet::values_read(this->State->Statistics());
  return this->ReadText.c_str();
}

const char* vtkRivuletReader::GetPeakMemory()
{
  const auto& field = this->State->Field;
  this->PeakText = rivulet::peak_memory(this->GetPeakBytes(), field ? field->memory_budget() : 0);
  return this->PeakText.c_str();
}

int vtkRivuletReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

bool vtkRivuletReader::EnsureOpen()
{
  if (this->FileNames.empty())
  {
    return false; // no file name yet
  }
  Internals& state = *this->State;
  rivulet::OpenOptions wanted{ .strategy = static_cast<rivulet::AccessStrategy>(this->AccessStrategy),
    .memory_budget = this->MemoryBudget * rivulet::kMiB,
    .verify = this->VerifyChecksums,
    .local_cache = { this->LocalCacheDirectory, this->LocalCacheLimit * rivulet::kMiB } };
  if (state.IsOpen(this->FileNames, wanted))
  {
    return true;
  }
  state.Field.reset();
  const rivulet::HintFolders hints = rivulet::hint_folders(this->FileNames.front());
  wanted.hints = hints.kept;
  wanted.more_hints = hints.more;
  auto opened = rivulet::open_field(this->FileNames, wanted);
  if (!opened)
  {
    const std::string text = opened.error().describe();
    if (text != state.Reported || this->FileNames != state.ReportedNames)
    {
      state.Reported = text;
      state.ReportedNames = this->FileNames;
      rivulet::report_error(this, opened.error());
    }
    this->SetErrorCode(vtkErrorCode::CannotOpenFileError);
    return false;
  }
  for (const std::string& notice : (*opened)->notices())
  {
    if (rivulet::Ranks().rank() == 0)
    {
      vtkWarningMacro(<< notice);
    }
  }
  state.Field = std::make_shared<rivulet::LazyField>(std::move(*opened));
  state.Field->want_exact_ranges(this->ExactRanges);
  state.OpenNames = this->FileNames;
  state.OpenOptions = wanted;
  state.Reported.clear();
  this->SetErrorCode(vtkErrorCode::NoError);
  return true;
}

void vtkRivuletReader::OfferArrays()
{
  // If a script named arrays before the file was opened, it wants these only; otherwise all are enabled.
  const bool chosen =
      !this->Offered && this->PointSelection->GetNumberOfArrays() + this->CellSelection->GetNumberOfArrays() > 0;
  this->Offered = true;
  for (const rivulet::Centering centering : { rivulet::Centering::Node, rivulet::Centering::Cell })
  {
    const bool node = centering == rivulet::Centering::Node;
    ForgetOthers(node ? this->PointSelection : this->CellSelection, this->State->Field->info().variables, centering);
  }
  for (const rivulet::Variable& variable : this->State->Field->info().variables)
  {
    const bool node = variable.centering == rivulet::Centering::Node;
    vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
    if (!selection->ArrayExists(variable.name.c_str()))
    {
      selection->AddArray(variable.name.c_str(), !chosen);
    }
  }
}

int vtkRivuletReader::RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // A file that cannot be opened gives an empty image and an error code. If the request failed, the executive would
  // add pages of messages to this one.
  const bool uniform = !this->EnsureOpen() || this->State->Field->info().grid.kind == rivulet::Grid::Kind::Uniform;
  const char* wanted = uniform ? "vtkImageData" : "vtkRectilinearGrid";
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  if (output == nullptr || !output->IsA(wanted))
  {
    vtkSmartPointer<vtkDataObject> made;
    uniform ? made = vtkSmartPointer<vtkImageData>::New() : made = vtkSmartPointer<vtkRectilinearGrid>::New();
    outInfo->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkRivuletReader::RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  if (!this->EnsureOpen())
  {
    const int nothing[6] = { 0, -1, 0, -1, 0, -1 };
    outInfo->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), nothing, 6);
    outInfo->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
    outInfo->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
    return 1;
  }
  this->OfferArrays();
  const rivulet::FieldInfo& field = this->State->Field->info();
  const rivulet::Grid& grid = field.grid;
  outInfo->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  outInfo->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), rivulet::whole_extent_of(grid).data(), 6);
  if (grid.kind == rivulet::Grid::Kind::Uniform)
  {
    outInfo->Set(vtkDataObject::ORIGIN(), grid.origin.data(), 3);
    outInfo->Set(vtkDataObject::SPACING(), grid.spacing.data(), 3);
    outInfo->Set(vtkDataObject::DIRECTION(), grid.direction.data(), 9);
  }
  const std::array<double, 2> range{ field.times.front(), field.times.back() };
  outInfo->Set(
      vtkStreamingDemandDrivenPipeline::TIME_STEPS(), field.times.data(), static_cast<int>(field.times.size()));
  outInfo->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range.data(), 2);
  return 1;
}

int vtkRivuletReader::RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataSet* output = vtkDataSet::GetData(outInfo);
  if (output != nullptr)
  {
    output->Initialize();
  }
  if (output != nullptr && this->EnsureOpen())
  {
    this->FillOutput(output, outInfo);
  }
  return 1;
}

void vtkRivuletReader::FillOutput(vtkDataSet* output, vtkInformation* outInfo)
{
  const rivulet::FieldInfo& field = this->State->Field->info();
  const bool timed = outInfo->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP());
  const int step = timed ? static_cast<int>(rivulet::step_at(
                               field.times, outInfo->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())))
                         : 0;
  const rivulet::Box nodes =
      rivulet::nodes_of(field.grid, outInfo->Get(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT()));
  rivulet::set_time(*output, field.times[static_cast<std::size_t>(step)]);
  if (nodes.empty())
  {
    return;
  }
  if (auto* image = vtkImageData::SafeDownCast(output))
  {
    rivulet::set_geometry(*image, field.grid, nodes);
  }
  else if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(output))
  {
    rivulet::set_geometry(*rectilinear, field.grid, nodes);
  }
  if (!this->AddHidden(output, step, nodes))
  {
    output->Initialize(); // without marks, hidden values would be shown
    return;
  }
  for (std::size_t number = 0; number < field.variables.size(); ++number)
  {
    const rivulet::Variable& variable = field.variables[number];
    this->AddArray(output, variable,
        { static_cast<int>(number), step, rivulet::lattice_of(field.grid, nodes, variable.centering) });
  }
}

bool vtkRivuletReader::AddHidden(vtkDataSet* output, int step, const rivulet::Box& nodes)
{
  const rivulet::FileBricks& source = *this->State->Field->source();
  for (const rivulet::Centering centering : { rivulet::Centering::Node, rivulet::Centering::Cell })
  {
    if (!source.hides(centering, step))
    {
      continue;
    }
    auto ghosts = GhostsOf(source, centering, step, rivulet::lattice_of(source.info().grid, nodes, centering));
    if (!ghosts)
    {
      this->SetErrorCode(vtkErrorCode::FileFormatError);
      rivulet::report_error(this, ghosts.error());
      return false;
    }
    const bool node = centering == rivulet::Centering::Node;
    output->GetAttributes(node ? vtkDataObject::POINT : vtkDataObject::CELL)->AddArray(*ghosts);
  }
  return true;
}

void vtkRivuletReader::AddArray(vtkDataSet* output, const rivulet::Variable& variable, const rivulet::ValueBlock& block)
{
  const bool node = variable.centering == rivulet::Centering::Node;
  vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
  if (selection->ArrayIsEnabled(variable.name.c_str()))
  {
    vtkDataSetAttributes* attributes = output->GetAttributes(node ? vtkDataObject::POINT : vtkDataObject::CELL);
    if (variable.whole == rivulet::WholeType::None && variable.type == rivulet::ScalarType::Float32)
    {
      AddLazyArray<float>(attributes, this->State->Field, block);
      return;
    }
    rivulet::use_whole_type(variable.whole,
        [&](auto number) { AddLazyArray<VtkNumber<decltype(number)>>(attributes, this->State->Field, block); });
  }
}
