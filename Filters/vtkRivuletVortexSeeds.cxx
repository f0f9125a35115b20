// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletVortexSeeds.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Input/InputMark.h"
#include "Filters/Input/MeshCache.h"
#include "Filters/Input/OpenInput.h"
#include "Filters/Input/WholeInput.h"
#include "Filters/Run/FieldRun.h"
#include "Filters/Run/RunReport.h"
#include "Pipeline/RunProgress.h"
#include "Trace/VortexSeeds.h"
#include "vtkCellArray.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <chrono>
#include <cstring>
#include <optional>

vtkStandardNewMacro(vtkRivuletVortexSeeds);

using namespace rivulet;

/// Result of the last run, and marks of everything that it depends on.
struct vtkRivuletVortexSeeds::LastRun
{
  vtkMTimeType settings = 0; ///< MTime of the filter
  InputMark input;
  std::vector<VortexSeed> seeds; ///< seeds of all ranks
  vtkNew<vtkFieldData> statistics;
  bool unfinished = false;
};

/// One execution. Every rank takes the same path through run(), because the steps are collective.
class vtkRivuletVortexSeeds::Run
{
public:
  Run(vtkRivuletVortexSeeds& filter, vtkInformationVector** inputs, vtkInformationVector* outputs)
    : filter_(filter)
    , connection_(*inputs[0]->GetInformationObject(0))
    , input_(vtkDataObject::GetData(inputs[0], 0))
    , request_(*outputs->GetInformationObject(0))
    , output_(*vtkPolyData::GetData(outputs, 0))
    , progress_(filter, "looking for vortices", &ranks_)
  {
  }

  [[nodiscard]] Result<void> run();

private:
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<VortexSeeds> find(int threads);
  [[nodiscard]] std::vector<std::array<float, 2>> speed_ranges() const;
  void join(VortexSeeds& found) const;
  void fill(const std::vector<VortexSeed>& seeds);
  [[nodiscard]] Result<void> run_anew();
  [[nodiscard]] bool report(const VortexSeeds& found, const FieldRun& reading, double seconds);
  [[nodiscard]] bool is_answered() const;
  void give(const LastRun& last);

  vtkRivuletVortexSeeds& filter_;
  vtkInformation& connection_;
  vtkSmartPointer<vtkDataObject> input_;
  vtkInformation& request_;
  vtkPolyData& output_;
  Ranks ranks_;
  RunProgress progress_;
  MeshCache cache_; ///< cache for this execution only
  std::optional<FlowInput> flow_;
  vtkNew<vtkFieldData> statistics_;
};

Result<void> vtkRivuletVortexSeeds::Run::open()
{
  const auto choose = [&](vtkDataSet& dataset)
  {
    return filter_.GetVectorChoice(dataset);
  };
  Result<OpenedInput> input = open_input(filter_, input_, choose, cache_);
  if (!input)
  {
    return forward_error(input);
  }
  if (input->flows.size() > 1 || !input->flows.front().amr_bricks().empty())
  {
    return fail(ErrorCode::Unsupported, "the input is taken for " + input->layout + ", and seeds are found in one grid",
        "take one block with Extract Block, or use Resample To Image");
  }
  flow_ = std::move(input->flows.front());
  return {};
}

/// Range of the speed per brick, from the file. Empty if the file has none, if there is no minimum to compare with, or
/// if the table is larger than an eighth of the budget.
std::vector<std::array<float, 2>> vtkRivuletVortexSeeds::Run::speed_ranges() const
{
  const SourceArray& velocity = flow_->field().velocity;
  auto* file = dynamic_cast<FileBricks*>(velocity.source);
  if (file == nullptr || filter_.MinimumVorticity <= 0.0)
  {
    return {};
  }
  const auto bytes = static_cast<std::int64_t>(sizeof(std::array<float, 2>)) * file->bricks(velocity.variable).size();
  if (bytes > file->memory_budget() / 8)
  {
    return {};
  }
  auto ranges = file->brick_ranges(velocity.variable, velocity.step);
  return ranges ? std::move(*ranges) : std::vector<std::array<float, 2>>{};
}

Result<VortexSeeds> vtkRivuletVortexSeeds::Run::find(int threads)
{
  const std::vector<std::array<float, 2>> ranges = speed_ranges();
  VortexSeedOptions options;
  options.minimum = filter_.MinimumVorticity;
  options.maximum = filter_.MaximumVorticity;
  options.count = filter_.NumberOfSeeds;
  options.random_seed = static_cast<std::uint64_t>(filter_.RandomSeed);
  options.speed_ranges = ranges;
  options.part = ranks_.rank();
  options.parts = ranks_.size();
  Result<VortexSeeds> found =
      find_vortex_seeds(flow_->field(), options, { .threads = threads, .progress = progress_.callback() });
  progress_.finish();
  return found;
}

/// Gathers the seeds of all ranks on every rank and keeps NumberOfSeeds of them.
void vtkRivuletVortexSeeds::Run::join(VortexSeeds& found) const
{
  const std::vector<std::byte> bytes = ranks_.gather(std::as_bytes(std::span<const VortexSeed>(found.seeds)));
  found.seeds.resize(bytes.size() / sizeof(VortexSeed));
  if (!bytes.empty())
  {
    std::memcpy(found.seeds.data(), bytes.data(), bytes.size());
  }
  found.seeds = thin(std::move(found.seeds), filter_.NumberOfSeeds);
  ranks_.sum({ &found.cells_in_range, 1 });
}

/// Fills the output with the requested piece of the seeds.
void vtkRivuletVortexSeeds::Run::fill(const std::vector<VortexSeed>& seeds)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const auto count = static_cast<std::int64_t>(seeds.size());
  const std::int64_t pieces = std::max(1, request_.Get(Pipeline::UPDATE_NUMBER_OF_PIECES()));
  const std::int64_t piece = request_.Get(Pipeline::UPDATE_PIECE_NUMBER());
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkDoubleArray> vorticity;
  vorticity->SetName("VorticityMagnitude");
  for (std::int64_t i = count * piece / pieces; i < count * (piece + 1) / pieces; ++i)
  {
    const VortexSeed& seed = seeds[static_cast<std::size_t>(i)];
    const vtkIdType point = points->InsertNextPoint(seed.position.data());
    vertices->InsertNextCell(1, &point);
    vorticity->InsertNextValue(seed.vorticity);
  }
  output_.SetPoints(points);
  output_.SetVerts(vertices);
  output_.GetPointData()->SetScalars(vorticity);
}

/// Sets statistics and reports a read error. False if there was one.
bool vtkRivuletVortexSeeds::Run::report(const VortexSeeds& found, const FieldRun& reading, double seconds)
{
  RunReport report{ .read = reading.statistics(), .trace = {}, .access = reading.access() };
  report.trace.trace_seconds = seconds;
  combine(ranks_, report);
  filter_.SetReport(report);
  add_report(report, *statistics_);
  add_count("CellsInRange", found.cells_in_range, *statistics_);
  if (progress_.stopped())
  {
    filter_.Unfinished = true;
    progress_.keep_what_is_there("the seeds are those of a part of the field", kRunAgain);
  }
  return !report_data_error(filter_, ranks_, found.data_error);
}

/// Whether the last result answers this request on all ranks. Collective.
bool vtkRivuletVortexSeeds::Run::is_answered() const
{
  const LastRun* last = filter_.Last.get();
  const bool same = last != nullptr && last->settings == filter_.GetMTime() && last->input == InputMark(*input_) &&
                    flow_->field().velocity.source->health();
  std::int64_t others = same ? 0 : 1;
  ranks_.sum({ &others, 1 });
  return others == 0;
}

void vtkRivuletVortexSeeds::Run::give(const LastRun& last)
{
  fill(last.seeds);
  output_.GetFieldData()->PassData(input_->GetFieldData());
  output_.GetFieldData()->PassData(last.statistics);
  filter_.Unfinished = last.unfinished;
}

Result<void> vtkRivuletVortexSeeds::Run::run()
{
  if (Result<void> whole = make_whole(input_, { filter_, connection_, ranks_ }, filter_.GetRunSettings().memory_budget);
      !whole)
  {
    return whole;
  }
  Result<void> opened = ranks_.agree(within_memory([this] { return open(); }));
  if (!opened)
  {
    return opened;
  }
  if (is_answered())
  {
    give(*filter_.Last);
    return {};
  }
  filter_.Last.reset();
  return run_anew();
}

Result<void> vtkRivuletVortexSeeds::Run::run_anew()
{
  FieldRun reading(*flow_, filter_.GetRunSettings());
  Result<int> threads = reading.begin();
  Result<void> begun = ranks_.agree(threads ? Result<void>{} : forward_error(threads));
  if (!begun)
  {
    return begun;
  }
  const auto start = std::chrono::steady_clock::now();
  Result<VortexSeeds> found = find(*threads);
  Result<void> done = ranks_.agree(found ? Result<void>{} : forward_error(found));
  if (!done)
  {
    return done;
  }
  join(*found);
  const bool good =
      report(*found, reading, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  auto made = std::make_unique<LastRun>();
  made->settings = filter_.GetMTime();
  made->input = InputMark(*input_);
  made->seeds = std::move(found->seeds);
  made->statistics->PassData(statistics_);
  made->unfinished = filter_.Unfinished;
  give(*made);
  if (good)
  {
    filter_.Last = std::move(made);
  }
  return {};
}

vtkRivuletVortexSeeds::~vtkRivuletVortexSeeds() = default;

vtkRivuletVortexSeeds::vtkRivuletVortexSeeds()
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

int vtkRivuletVortexSeeds::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkRivuletVortexSeeds::RequestInformation(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputVector)
{
  outputVector->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkRivuletVortexSeeds::RequestUpdateExtent(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector*)
{
  request_all_of(*inputVector[0]->GetInformationObject(0));
  return 1;
}

int vtkRivuletVortexSeeds::RequestData(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  this->Unfinished = false;
  const Result<void> done = Run(*this, inputVector, outputVector).run();
  this->Unfinished = this->Unfinished || !done;
  if (!done)
  {
    this->ForgetReport();
    return refuse(*this, done.error());
  }
  return 1;
}

void vtkRivuletVortexSeeds::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MinimumVorticity: " << this->MinimumVorticity << "\n"
     << indent << "MaximumVorticity: " << this->MaximumVorticity << "\n"
     << indent << "NumberOfSeeds: " << this->NumberOfSeeds << "\n"
     << indent << "RandomSeed: " << this->RandomSeed << "\n";
}
