// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/VortexSeedsRun.h"

#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <chrono>

namespace rivulet
{

VortexSeedsRun::VortexSeedsRun(vtkAlgorithm& filter, const VortexSeedsSettings& settings,
    std::unique_ptr<VortexSeedsResult>& last, vtkInformationVector** inputs, vtkInformationVector& outputs)
  : filter_(filter)
  , settings_(settings)
  , last_(last)
  , run_(filter, settings.of_all, report_)
  , connection_(*inputs[0]->GetInformationObject(0))
  , request_(*outputs.GetInformationObject(0))
  , input_(vtkDataObject::GetData(inputs[0], 0))
  , output_(*vtkPolyData::GetData(&outputs, 0))
{
}

Result<void> VortexSeedsRun::open()
{
  Result<OpenedInput> input = open_input(filter_, input_, settings_.of_all.choose, cache_);
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
std::vector<std::array<float, 2>> VortexSeedsRun::speed_ranges() const
{
  const SourceArray& velocity = flow_->field().velocity;
  auto* file = dynamic_cast<FileBricks*>(velocity.source);
  if (file == nullptr || settings_.options.minimum <= 0.0)
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

Result<VortexSeeds> VortexSeedsRun::find(int threads)
{
  const std::vector<std::array<float, 2>> ranges = speed_ranges();
  VortexSeedOptions options = settings_.options;
  options.speed_ranges = ranges;
  options.part = run_.ranks().rank();
  options.parts = run_.ranks().size();
  Result<VortexSeeds> found =
      find_vortex_seeds(flow_->field(), options, { .threads = threads, .progress = run_.progress() });
  run_.finish_progress();
  return found;
}

/// Gathers the seeds of all ranks on every rank and keeps as many as are wanted.
Result<void> VortexSeedsRun::join(VortexSeeds& found) const
{
  Result<std::vector<VortexSeed>> all = run_.ranks().gather(std::span<const VortexSeed>(found.seeds));
  if (!all)
  {
    return forward_error(all);
  }
  found.seeds = thin(std::move(*all), settings_.options.count);
  run_.ranks().sum({ &found.cells_in_range, 1 });
  return {};
}

/// Fills the output with the requested piece of the seeds.
void VortexSeedsRun::fill(const std::vector<VortexSeed>& seeds)
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

/// Whether the last result answers this request on all ranks. Collective.
bool VortexSeedsRun::is_answered() const
{
  return run_.on_all_ranks(
      last_ != nullptr && last_->is_of(settings_.of_all.changed, *input_) && flow_->field().velocity.source->health());
}

void VortexSeedsRun::give(const VortexSeedsResult& result)
{
  fill(result.seeds);
  output_.GetFieldData()->PassData(input_->GetFieldData());
  output_.GetFieldData()->PassData(result.statistics);
}

Result<void> VortexSeedsRun::run(FilterFacts& facts)
{
  run_.show_progress("looking for vortices");
  if (Result<void> whole = run_.make_whole(input_, connection_); !whole)
  {
    return whole;
  }
  if (Result<void> opened = run_.together([this] { return open(); }); !opened)
  {
    return opened;
  }
  if (is_answered())
  {
    give(*last_);
    facts.unfinished = last_->unfinished;
    return {};
  }
  last_.reset();
  return run_anew(facts);
}

Result<void> VortexSeedsRun::run_anew(FilterFacts& facts)
{
  FieldRun reading(*flow_, settings_.of_all.run);
  Result<int> threads = reading.begin();
  if (Result<void> begun = run_.ranks().agree(threads ? Result<void>{} : forward_error(threads)); !begun)
  {
    return begun;
  }
  const auto start = std::chrono::steady_clock::now();
  Result<VortexSeeds> found = find(*threads);
  if (Result<void> done = run_.ranks().agree(found ? Result<void>{} : forward_error(found)); !done)
  {
    return done;
  }
  if (Result<void> joined = join(*found); !joined)
  {
    return joined;
  }
  report_.read = reading.statistics();
  report_.access = reading.access();
  report_.trace.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run_.combine_report();
  facts.report = report_;
  facts.unfinished = run_.stopped();
  if (run_.stopped())
  {
    run_.keep_what_is_there("the seeds are those of a part of the field");
  }
  const bool missing = report_data_error(filter_, run_.ranks(), found->data_error);
  auto made = std::make_unique<VortexSeedsResult>();
  made->settings = settings_.of_all.changed;
  made->input = InputMark(*input_);
  made->statistics = vtkSmartPointer<vtkFieldData>::New();
  add_report(report_, *made->statistics);
  add_count("CellsInRange", found->cells_in_range, *made->statistics);
  made->unfinished = facts.unfinished;
  made->seeds = std::move(found->seeds);
  give(*made);
  last_ = missing ? nullptr : std::move(made);
  return {};
}

} // namespace rivulet
