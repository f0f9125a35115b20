// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletReader.h"

#include "Base/Bytes.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/ReadingText.h"
#include "Pipeline/TimeSteps.h"
#include "Readers/OpenLattice.h"
#include "vtkDataObjectTypes.h"
#include "vtkDataSet.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>

using namespace rivulet;

vtkRivuletReader::vtkRivuletReader()
  : Lattice(std::make_unique<OpenLattice>(*this))
{
}

vtkRivuletReader::~vtkRivuletReader() = default;

void vtkRivuletReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MemoryBudget: " << this->MemoryBudget << " MiB\n";
  os << indent << "AccessStrategy: " << this->AccessStrategy << "\n";
  os << indent << "LocalCacheDirectory: " << this->LocalCacheDirectory << "\n";
  os << indent << "LocalCacheLimit: " << this->LocalCacheLimit << "\n";
  os << indent << "VerifyChecksums: " << this->VerifyChecksums << "\n";
  os << indent << "ExactRanges: " << this->ExactRanges << "\n";
}

void vtkRivuletReader::Refresh()
{
  this->Lattice->forget();
  this->Modified();
}

void vtkRivuletReader::SetMemoryBudget(int mebibytes)
{
  this->MemoryBudget = std::max(mebibytes, 0);
  this->Lattice->set_memory_budget(this->MemoryBudget * kMiB);
}

void vtkRivuletReader::SetExactRanges(bool exact)
{
  if (this->ExactRanges != exact)
  {
    this->ExactRanges = exact;
    if (this->Lattice->field())
    {
      this->Lattice->field()->want_exact_ranges(exact);
    }
    this->Modified(); // existing arrays keep the ranges that they have returned
  }
}

const char* vtkRivuletReader::GetEstimatedRanges()
{
  const auto& field = this->Lattice->field();
  this->EstimatedText = field ? field->estimated_ranges() : "";
  return this->EstimatedText.c_str();
}

vtkMTimeType vtkRivuletReader::GetMTime()
{
  this->Lattice->show_changes();
  return this->Superclass::GetMTime();
}

void vtkRivuletReader::SetAccessStrategy(int strategy)
{
  this->AccessStrategy = std::clamp(strategy, 0, 4);
  this->Lattice->set_strategy(static_cast<rivulet::AccessStrategy>(this->AccessStrategy));
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

const char* vtkRivuletReader::GetStrategyInUse()
{
  const auto& field = this->Lattice->field();
  return field ? name_of(field->source()->strategy()) : "";
}

const char* vtkRivuletReader::GetStrategyReason()
{
  const auto& field = this->Lattice->field();
  this->StrategyText = field ? field->source()->strategy_reason() : "";
  return this->StrategyText.c_str();
}

vtkIdType vtkRivuletReader::GetBytesRead()
{
  return this->Lattice->statistics().bytes_read;
}

vtkIdType vtkRivuletReader::GetBricksRead()
{
  return this->Lattice->statistics().bricks_read;
}

vtkIdType vtkRivuletReader::GetCacheHits()
{
  return this->Lattice->statistics().cache_hits;
}

vtkIdType vtkRivuletReader::GetCacheMisses()
{
  return this->Lattice->statistics().cache_misses;
}

vtkIdType vtkRivuletReader::GetPeakBytes()
{
  return this->Lattice->statistics().peak_bytes;
}

const char* vtkRivuletReader::GetValuesRead()
{
  this->ReadText = values_read(this->Lattice->statistics());
  return this->ReadText.c_str();
}

const char* vtkRivuletReader::GetPeakMemory()
{
  const auto& field = this->Lattice->field();
  this->PeakText = peak_memory(this->GetPeakBytes(), field ? field->memory_budget() : 0);
  return this->PeakText.c_str();
}

int vtkRivuletReader::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

bool vtkRivuletReader::EnsureOpen()
{
  if (this->GetFileNames().empty())
  {
    return false; // no file name yet
  }
  const OpenOptions wanted{ .strategy = static_cast<rivulet::AccessStrategy>(this->AccessStrategy),
    .memory_budget = this->MemoryBudget * kMiB,
    .verify = this->VerifyChecksums,
    .local_cache = { this->LocalCacheDirectory, this->LocalCacheLimit * kMiB } };
  const bool opened = this->Lattice->open(this->GetFileNames(), wanted, this->ExactRanges);
  this->SetErrorCode(opened ? vtkErrorCode::NoError : vtkErrorCode::CannotOpenFileError);
  return opened;
}

void vtkRivuletReader::OfferArraysOfField()
{
  std::vector<std::string> points;
  std::vector<std::string> cells;
  const FieldInfo& info = this->Lattice->field()->info();
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    if (static_cast<std::int32_t>(number) == info.points)
    {
      continue; // they are the points of the output
    }
    const Variable& variable = info.variables[number];
    (variable.centering == Centering::Node ? points : cells).push_back(variable.name);
  }
  this->OfferArrays(points, cells);
  this->ForgetOtherArrays(points, cells);
}

int vtkRivuletReader::RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  // A file that cannot be opened gives an empty image and an error code. If the request failed, the executive would
  // add pages of messages to this one.
  const Grid::Kind kind = this->EnsureOpen() ? this->Lattice->field()->info().grid.kind : Grid::Kind::Uniform;
  const char* const wanted = kind == Grid::Kind::Uniform       ? "vtkImageData"
                             : kind == Grid::Kind::Rectilinear ? "vtkRectilinearGrid"
                                                               : "vtkStructuredGrid";
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(outInfo);
  if (output == nullptr || !output->IsA(wanted))
  {
    auto made = vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(wanted));
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
    offer_times(*outInfo, {});
    return 1;
  }
  this->OfferArraysOfField();
  const FieldInfo& field = this->Lattice->field()->info();
  const Grid& grid = field.grid;
  outInfo->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  outInfo->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole_extent_of(grid).data(), 6);
  if (grid.kind == Grid::Kind::Uniform)
  {
    outInfo->Set(vtkDataObject::ORIGIN(), grid.origin.data(), 3);
    outInfo->Set(vtkDataObject::SPACING(), grid.spacing.data(), 3);
    outInfo->Set(vtkDataObject::DIRECTION(), grid.direction.data(), 9);
  }
  offer_times(*outInfo, field.times);
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
    this->FillOutput(*output, *outInfo);
  }
  return 1;
}

void vtkRivuletReader::FillOutput(vtkDataSet& output, vtkInformation& outInfo)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const FieldInfo& field = this->Lattice->field()->info();
  const std::optional<double> time = requested_time(outInfo);
  const LatticePart part{ .step = time ? static_cast<int>(step_at(field.times, *time)) : 0,
    .nodes = nodes_of(field.grid, outInfo.Get(Pipeline::UPDATE_EXTENT())),
    .enabled = [this](const Variable& variable)
    {
      return this->IsArrayEnabled(variable.name, variable.centering == Centering::Node);
    } };
  set_time(output, field.times[static_cast<std::size_t>(part.step)]);
  if (!part.nodes.empty() && !this->Lattice->show(part, output))
  {
    this->SetErrorCode(vtkErrorCode::FileFormatError);
  }
}
