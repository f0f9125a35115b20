// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletReader.h"

#include "Base/Bytes.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyField.h"
#include "vtkCallbackCommand.h"
#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkRivuletArray.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>

struct vtkRivuletReader::Internals
{
  std::shared_ptr<rivulet::LazyField> Field;
  std::vector<std::string> OpenNames; // what Field was opened from, and how
  rivulet::OpenOptions OpenOptions;
  std::string Reported; // the last error shown, so that retries do not repeat it
  vtkMTimeType ReportedAt = 0;

  [[nodiscard]] rivulet::SourceStatistics Statistics() const
  {
    return this->Field ? this->Field->source()->statistics() : rivulet::SourceStatistics{};
  }
  [[nodiscard]] bool IsOpen(const std::vector<std::string>& names, const rivulet::OpenOptions& options) const
  {
    return this->Field && this->OpenNames == names && this->OpenOptions.strategy == options.strategy &&
           this->OpenOptions.verify == options.verify;
  }
};

namespace
{

// The step whose time is the latest not after `time`; the first one before all.
int StepAt(const std::vector<double>& times, double time)
{
  // Times travel through text and animations: what differs in the last digits is the same step.
  const double slack = 1e-12 * std::max(std::abs(times.front()), std::abs(times.back()));
  const auto after = std::upper_bound(times.begin(), times.end(), time + slack);
  return std::max(static_cast<int>(after - times.begin()) - 1, 0);
}

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
  os << indent << "VerifyChecksums: " << this->VerifyChecksums << "\n";
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
  if (this->State->Field && this->State->OpenOptions.memory_budget != this->MemoryBudget * rivulet::kMiB)
  {
    this->State->OpenOptions.memory_budget = this->MemoryBudget * rivulet::kMiB;
    this->State->Field->set_memory_budget(this->State->OpenOptions.memory_budget);
  }
}

void vtkRivuletReader::SetAccessStrategy(int strategy)
{
  this->AccessStrategy = std::clamp(strategy, 0, 4);
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

int vtkRivuletReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

bool vtkRivuletReader::EnsureOpen()
{
  Internals& state = *this->State;
  const rivulet::OpenOptions wanted{ .strategy = static_cast<rivulet::AccessStrategy>(this->AccessStrategy),
    .memory_budget = this->MemoryBudget * rivulet::kMiB,
    .verify = this->VerifyChecksums };
  if (state.IsOpen(this->FileNames, wanted))
  {
    return true;
  }
  state.Field.reset();
  auto opened = rivulet::open_field(this->FileNames, wanted);
  if (!opened)
  {
    const std::string text = opened.error().describe();
    if (text != state.Reported || this->GetMTime() > state.ReportedAt)
    {
      state.Reported = text;
      state.ReportedAt = this->GetMTime();
      rivulet::report_error(this, opened.error());
    }
    return false;
  }
  state.Field = std::make_shared<rivulet::LazyField>(std::move(*opened));
  state.OpenNames = this->FileNames;
  state.OpenOptions = wanted;
  state.Reported.clear();
  return true;
}

void vtkRivuletReader::OfferArrays()
{
  for (const rivulet::Variable& variable : this->State->Field->info().variables)
  {
    const bool node = variable.centering == rivulet::Centering::Node;
    vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
    // A new name is enabled; one whose status a script has set already keeps it.
    if (!selection->ArrayExists(variable.name.c_str()))
    {
      selection->AddArray(variable.name.c_str(), true);
    }
  }
}

int vtkRivuletReader::RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  if (!this->EnsureOpen())
  {
    return 0;
  }
  const bool uniform = this->State->Field->info().grid.kind == rivulet::Grid::Kind::Uniform;
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
  if (!this->EnsureOpen())
  {
    return 0;
  }
  this->OfferArrays();
  const rivulet::FieldInfo& field = this->State->Field->info();
  const rivulet::Grid& grid = field.grid;
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
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
  if (output == nullptr || !this->EnsureOpen())
  {
    return 0;
  }
  return this->FillOutput(output, outInfo);
}

int vtkRivuletReader::FillOutput(vtkDataSet* output, vtkInformation* outInfo)
{
  const rivulet::FieldInfo& field = this->State->Field->info();
  const bool timed = outInfo->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP());
  const int step = timed ? StepAt(field.times, outInfo->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())) : 0;
  const rivulet::Box nodes =
      rivulet::nodes_of(field.grid, outInfo->Get(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT()));
  output->Initialize();
  output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), field.times[static_cast<std::size_t>(step)]);
  if (nodes.empty())
  {
    return 1;
  }
  if (auto* image = vtkImageData::SafeDownCast(output))
  {
    rivulet::set_geometry(*image, field.grid, nodes);
  }
  else if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(output))
  {
    rivulet::set_geometry(*rectilinear, field.grid, nodes);
  }
  for (std::size_t number = 0; number < field.variables.size(); ++number)
  {
    const rivulet::Variable& variable = field.variables[number];
    this->AddArray(output, variable,
        { static_cast<int>(number), step, rivulet::lattice_of(field.grid, nodes, variable.centering) });
  }
  return 1;
}

void vtkRivuletReader::AddArray(vtkDataSet* output, const rivulet::Variable& variable, const rivulet::ValueBlock& block)
{
  const bool node = variable.centering == rivulet::Centering::Node;
  vtkDataArraySelection* selection = node ? this->PointSelection : this->CellSelection;
  if (selection->ArrayIsEnabled(variable.name.c_str()))
  {
    vtkDataSetAttributes* attributes = output->GetAttributes(node ? vtkDataObject::POINT : vtkDataObject::CELL);
    variable.type == rivulet::ScalarType::Float32 ? AddLazyArray<float>(attributes, this->State->Field, block)
                                                  : AddLazyArray<double>(attributes, this->State->Field, block);
  }
}
