// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/FtleWork.h"

#include "Base/Bytes.h"
#include "Base/Times.h"
#include "Filters/Output/FlowMapOutput.h"
#include "Filters/Output/OutputLattice.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Store/Memory/MemoryAccount.h"
#include "Trace/FlowMap/MeshNodes.h"
#include "Trace/FlowMap/NodeCells.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Mesh/SteppedMesh.h"
#include "Trace/Mesh/UnstructuredMesh.h"
#include "vtkAlgorithm.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace rivulet
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

namespace
{

/// Bytes per node of a chunk: its end state; step by step the state of its particle, too.
constexpr std::int64_t kBytesAsBricks = sizeof(EndState);
constexpr std::int64_t kBytesStepByStep = sizeof(EndState) + sizeof(ParticleState);

/// The same while a simulation runs: the particle goes on from its state, and its end is shown.
constexpr std::int64_t kBytesWhileItGrows = kBytesStepByStep + sizeof(EndState);

/// The same for each node of a curvilinear grid: where it lies. Of unstructured cells: where the cells around it are
/// listed, too, and for each cell's corner the cell.
constexpr std::int64_t kBytesOfPlace = sizeof(Vec3);
constexpr std::int64_t kBytesOfNodeOfCells = 2 * sizeof(Vec3) + sizeof(std::int64_t);
constexpr std::int64_t kBytesOfCorner = sizeof(std::int32_t);

/// Bytes for each particle of a pass of adaptive sampling: step by step the state of it.
constexpr std::int64_t kOfParticleStepByStep = sizeof(ParticleState);

/// Share of Duration by which rounding may shorten it.
constexpr double kShort = 1e-9;

/// The time of a step, if the time differs from it by rounding: a duration is often a number of steps.
double at_step(const std::vector<double>& times, double time)
{
  const double slack = time_slack(times);
  const auto next = std::lower_bound(times.begin(), times.end(), time - slack);
  return next != times.end() && std::fabs(*next - time) <= slack ? *next : time;
}

Result<SamplingRule> checked(const SamplingRule& rule)
{
  if (!(rule.tolerance >= 0.0) || !std::isfinite(rule.tolerance))
  {
    return fail(ErrorCode::BadArgument, "Sampling Tolerance is " + std::to_string(rule.tolerance),
        "set Sampling Tolerance to a share of the distance between neighbours, such as 0.2; 0 traces all particles");
  }
  if (rule.levels < 1 || rule.levels > SamplingRule::kMostLevels)
  {
    return fail(ErrorCode::BadArgument, "Sampling Levels is " + std::to_string(rule.levels),
        "set Sampling Levels to a number from 1 to " + std::to_string(SamplingRule::kMostLevels));
  }
  return rule;
}

} // namespace

WorkTraits FtleWork::read_settings()
{
  take_settings();
  return { .doing = "computing the flow map", .shows_first_step = true, .budget_parts = 2 };
}

std::optional<NextIntervals> FtleWork::expected(const std::vector<double>& times, double time) const
{
  const double start = std::isnan(time) ? (backward() ? times.back() : times.front()) : time;
  const std::int32_t interval =
      interval_in(times, std::clamp(start, times.front(), times.back()), backward() ? -1.0 : 1.0);
  return NextIntervals{ { interval, interval }, backward() };
}

/// The time at which particles are released, and the one that they reach: the same at the end of the input.
FlowMapTimes FtleWork::times_for(const std::vector<double>& times, double requested) const
{
  const double limit = backward() ? times.front() : times.back();
  const double other = backward() ? times.back() : times.front();
  const double start = std::isnan(requested) ? other : std::clamp(requested, times.front(), times.back());
  const double most = std::fabs(limit - start);
  const double duration = settings().duration > 0.0 ? std::min(settings().duration, most) : most;
  const double end = duration == most ? limit : start + (backward() ? -duration : duration);
  return { start, at_step(times, end) };
}

/// The lattice of the output; that of a box without bounds is placed, and that of the points of cells made, in cut().
Result<Grid> FtleWork::lattice(vtkInformation& input) const
{
  if (on_cells_)
  {
    Result<void> good = check_on_cells();
    return good ? Result<Grid>(Grid{}) : forward_error(good);
  }
  return settings().box ? lattice_of_box(settings().bounds.data(), settings().dimensions.data())
                        : lattice_of_field(input, settings().refinement);
}

Result<void> FtleWork::check_on_cells() const
{
  if (settings().refinement != 1)
  {
    return fail(ErrorCode::Unsupported, "between the points of unstructured cells there are no others to release from",
        "set Refinement to 1; or set Lattice to Box, with its Bounds and Dimensions");
  }
  if (settings().adaptive && settings().sampling.tolerance > 0.0)
  {
    return fail(ErrorCode::Unsupported,
        "adaptive sampling goes by rows of points, which unstructured cells do not have",
        "switch Adaptive Sampling off; or set Lattice to Box, with its Bounds and Dimensions");
  }
  return {};
}

Result<void> FtleWork::check_growth() const
{
  if (backward())
  {
    return fail(ErrorCode::Unsupported, "particles cannot go back in the time of a simulation that runs",
        "set Integration Direction to FORWARD; or let the analytics store write the steps, and use the filter on them");
  }
  if (settings().adaptive && settings().sampling.tolerance > 0.0)
  {
    return fail(ErrorCode::Unsupported,
        "adaptive sampling goes through the same steps again, and a simulation that runs has none of them",
        "switch Adaptive Sampling off; or let the analytics store write the steps, and use the filter on them");
  }
  return {};
}

/// Turns to the present step of a simulation that runs. Returns whether particles go on.
bool FtleWork::follow(const std::vector<double>& times, bool same)
{
  const double now = times[times.size() - 2];
  const bool goes_on = same && window_ && window_->lattice == lattice_ && window_->nodes == nodes_;
  if (!goes_on || (window_->complete && now > window_->now))
  {
    const double start = goes_on ? window_->now : now;
    window_ = Window{ .lattice = lattice_, .nodes = nodes_, .start = start, .reached = start };
    march_.reset();
  }
  window_->now = now;
  const double forever = std::numeric_limits<double>::infinity();
  const double end = settings().duration > 0.0 ? at_step(times, window_->start + settings().duration) : forever;
  window_->last = std::min(end, times.back());
  window_->complete = end <= now;
  when_ = { window_->start, std::min(end, now) };
  return goes_on;
}

Result<bool> FtleWork::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  Result<void> good = pass.grows ? check_growth() : Result<void>{};
  good = good ? check_options() : good;
  if (!good)
  {
    return forward_error(good);
  }
  sampling_.reset();
  if (settings().adaptive)
  {
    Result<SamplingRule> sampling = checked(settings().sampling);
    if (!sampling)
    {
      return forward_error(sampling);
    }
    if (sampling->tolerance > 0.0)
    {
      sampling_ = *sampling;
    }
  }
  on_cells_ = !settings().box && vtkUnstructuredGrid::GetData(pass.inputs[0]) != nullptr;
  Result<Grid> lattice = this->lattice(*pass.inputs[0]->GetInformationObject(0));
  if (!lattice)
  {
    return forward_error(lattice);
  }
  lattice_ = std::move(*lattice);
  on_mesh_ = !settings().box && vtkStructuredGrid::GetData(pass.inputs[0]) != nullptr;
  std::array<int, 6> extent = whole_extent_of(lattice_);
  vtkInformation& output = *pass.outputs->GetInformationObject(0);
  if (output.Has(Pipeline::UPDATE_EXTENT()))
  {
    output.Get(Pipeline::UPDATE_EXTENT(), extent.data());
  }
  nodes_ = nodes_of(lattice_, extent.data());
  if (pass.grows)
  {
    return follow(times, same);
  }
  window_.reset();
  when_ = times_for(times, pass.time);
  return false;
}

Result<void> FtleWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  chunks_.reset();
  adaptive_.reset();
  const double none = std::numeric_limits<double>::quiet_NaN();
  places_.assign(on_mesh_ ? static_cast<std::size_t>(nodes_.count()) : 0, Vec3{ none, none, none });
  if (!again)
  {
    march_.reset();
  }
  chunk_ = 0;
  pass_ = 0;
  particles_ = 0;
  interval_ = interval_in(steps.times(), when_.start, backward() ? -1.0 : 1.0);
  counted_ = {};
  error_ = nullptr;
  Result<void> good = within_memory([this] { return cut(); }); // all ranks come to the next line
  count_ = good && !no_time_left() ? chunks_->count() : 0;
  Ranks().max({ &count_, 1 });
  return good;
}

/// Cuts the wanted nodes into chunks within one half of the budget.
Result<void> FtleWork::cut()
{
  if (settings().box && !has_bounds(settings().bounds.data()))
  {
    Result<Grid> lattice = lattice_of_box(bounds_of(steps_->flow().field().grid).data(), settings().dimensions.data());
    if (!lattice)
    {
      return forward_error(lattice);
    }
    lattice_ = std::move(*lattice);
  }
  const std::int64_t budget = settings().memory_budget;
  const std::int64_t bytes = (budget > 0 ? budget : default_memory_budget()) / 2;
  const std::int64_t of_place = on_mesh_ ? kBytesOfPlace : 0;
  const KeptOfNodes kept{ .ends = settings().keep_map, .estimates = settings().adaptive };
  if (on_cells_)
  {
    return cut_cells(bytes, kept);
  }
  if (window_)
  {
    return cut_window(bytes, kept);
  }
  if (!sampling_)
  {
    const std::int64_t most = bytes / ((steps_->as_bricks() ? kBytesAsBricks : kBytesStepByStep) + of_place);
    chunks_.emplace(lattice_, nodes_, most, kept);
    return {};
  }
  const std::vector<Box> tiles =
      adaptive_tiles(lattice_, nodes_, *sampling_, bytes, of_place + (steps_->as_bricks() ? 0 : kOfParticleStepByStep));
  if (tiles.empty() && !nodes_.empty())
  {
    return fail(ErrorCode::BudgetTooSmall,
        "one half of the memory budget, " + format_bytes(bytes) +
            ", does not hold the smallest part of a flow map with " + std::to_string(sampling_->levels) + " levels",
        "raise Memory Budget, or lower Sampling Levels");
  }
  chunks_.emplace(lattice_, nodes_, tiles, kept);
  return {};
}

/// Of the step at which particles begin, or of the one before, if it is held.
const FlowInput& FtleWork::flow_at_start() const
{
  const std::vector<double>& times = steps_->times();
  const auto after = std::upper_bound(times.begin(), times.end(), when_.start);
  const FlowInput* const flow = steps_->flow_at(static_cast<std::int32_t>(after - times.begin()) - 1);
  return flow != nullptr ? *flow : steps_->flow();
}

/// The cells of the output.
void FtleWork::keep_cells(const FlowInput& flow)
{
  cells_ = vtkSmartPointer<vtkUnstructuredGrid>::New();
  set_cells(*cells_, *vtkUnstructuredGrid::SafeDownCast(&flow.first()));
}

/// All points of unstructured cells as one chunk, on the first rank.
Result<void> FtleWork::cut_cells(std::int64_t bytes, const KeptOfNodes& kept)
{
  const FlowInput& flow = flow_at_start();
  const auto cells = std::dynamic_pointer_cast<const UnstructuredCells>(flow.field().foreign);
  if (cells == nullptr || cells->others() != nullptr)
  {
    return fail(ErrorCode::Unsupported,
        "some cells are " + (cells == nullptr ? flow.field().foreign : cells->others())->kinds() +
            ", at whose points derivatives are not known",
        "set Lattice to Box, with its Bounds and Dimensions");
  }
  const std::int64_t of_ends = window_ ? kBytesWhileItGrows : steps_->as_bricks() ? kBytesAsBricks : kBytesStepByStep;
  const std::int64_t needed =
      cells->nodes() * (of_ends + kBytesOfNodeOfCells) + cells->table().connectivity().count * kBytesOfCorner;
  if (needed > bytes)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "the flow map of all points of the cells takes " + format_bytes(needed) +
            ", and one half of the memory budget is " + format_bytes(bytes),
        "raise Memory Budget; or set Lattice to Box, with its Bounds and Dimensions");
  }
  const bool first = Ranks().rank() == 0;
  cells_ = nullptr;
  if (first)
  {
    keep_cells(flow);
  }
  lattice_ = Grid{};
  lattice_.nodes = { static_cast<std::int32_t>(cells->nodes()), 1, 1 };
  nodes_ = first ? Box{ { 0, 0, 0 }, lattice_.nodes } : Box{};
  chunks_.emplace(lattice_, nodes_, std::numeric_limits<std::int32_t>::max(), kept);
  return {};
}

/// The cells around the points where particles are released.
Result<std::shared_ptr<const NodeCells>> FtleWork::cells_at_start(const AdvectionContext& context)
{
  const Moment moment = context.moment_of(when_.start, backward() ? -1.0 : 1.0);
  const auto* const stepped = dynamic_cast<const SteppedMesh*>(&context.mesh());
  const auto* const fixed = dynamic_cast<const UnstructuredMesh*>(&context.mesh());
  const std::optional<SteppedMesh::CellsAt> at = fixed != nullptr
                                                     ? std::optional(SteppedMesh::CellsAt{ fixed->own() })
                                                     : (stepped != nullptr ? stepped->cells_at(moment) : std::nullopt);
  if (!at || at->cells->nodes() != lattice_.nodes[0])
  {
    return fail(ErrorCode::Unsupported, "the cells change between two steps, and there are no points of both",
        "go to the time of a step; or set Lattice to Box, with its Bounds and Dimensions");
  }
  keep_cells(flow_at_start());
  const auto cells = std::make_shared<const NodeCells>(at->cells, at->share);
  // Points that stay are the input's.
  places_.resize(at->cells->points().move() ? static_cast<std::size_t>(cells->nodes()) : 0);
  for (std::size_t node = 0; node < places_.size(); ++node)
  {
    places_[node] = cells->place(static_cast<std::int64_t>(node));
  }
  return cells;
}

/// All wanted nodes as one chunk.
Result<void> FtleWork::cut_window(std::int64_t bytes, const KeptOfNodes& kept)
{
  chunks_.emplace(lattice_, nodes_, std::numeric_limits<std::int32_t>::max(), kept);
  const std::int64_t of_node = kBytesWhileItGrows + (on_mesh_ ? kBytesOfPlace : 0);
  const std::int64_t needed = chunks_->count() > 0 ? chunks_->nodes(0).count() * of_node : 0;
  if (needed > bytes || chunks_->count() > 1)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "while a simulation runs, all particles of the flow map go on from step to step, which takes " +
            format_bytes(needed) + ", and one half of the memory budget is " + format_bytes(bytes),
        "raise Memory Budget, or lower Dimensions or Refinement");
  }
  return {};
}

std::optional<NextIntervals> FtleWork::next() const
{
  const std::vector<double>& times = steps_->times();
  if (window_)
  {
    const bool goes_on = window_->reached < when_.end;
    const IntervalRange range{ interval_in(times, window_->reached, 1.0), interval_in(times, when_.end, -1.0) };
    return goes_on ? std::optional(NextIntervals{ .range = range, .of = intervals() }) : std::nullopt;
  }
  if (chunk_ >= count_)
  {
    return {};
  }
  const std::int32_t last = interval_in(times, when_.end, backward() ? 1.0 : -1.0);
  return NextIntervals{ { std::min(interval_, last), std::max(interval_, last) }, backward(), intervals() };
}

/// Number of intervals of all passes through all chunks.
std::int64_t FtleWork::intervals() const
{
  const std::int32_t first = interval_in(steps_->times(), when_.start, backward() ? -1.0 : 1.0);
  const std::int32_t last = interval_in(steps_->times(), when_.end, backward() ? 1.0 : -1.0);
  return count_ * passes() * (std::abs(last - first) + 1);
}

Result<void> FtleWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  const std::optional<NextIntervals> all = next();
  const bool last = all && part == all->range;
  threads_ = run.threads;
  Result<void> good = trace(part, run);
  if (!good)
  {
    return good;
  }
  if (window_)
  {
    window_->reached = std::min(when_.end, steps_->times()[static_cast<std::size_t>(part.last) + 1]);
    return {};
  }
  interval_ = backward() ? part.first - 1 : part.last + 1;
  if (last && !(march_ && march_->cancelled()))
  {
    finish_pass(run.threads);
  }
  return {};
}

/// Places of a box of nodes of a curvilinear grid when particles are released; nullptr if the lattice is another one.
/// Keeps the wanted ones for the output.
Result<NodePlaces> FtleWork::places_of(const AdvectionContext& context, const Box& nodes)
{
  const auto* const mesh = dynamic_cast<const CurvilinearMesh*>(&context.mesh());
  if (!on_mesh_)
  {
    return NodePlaces();
  }
  if (mesh == nullptr)
  {
    return fail(ErrorCode::Unsupported,
        "the input has no cells with a volume between its points, so that the output cannot have these points",
        "set Lattice to Box, with its Bounds and Dimensions");
  }
  const Moment moment = context.moment_of(when_.start, backward() ? -1.0 : 1.0);
  Result<std::vector<Vec3>> places = mesh_nodes(*mesh, moment, settings().refinement, nodes);
  if (!places)
  {
    return forward_error(places);
  }
  const auto place_in = [](const Int3& node, const Box& box)
  {
    return static_cast<std::size_t>(
        row_major({ node[0] - box.begin[0], node[1] - box.begin[1], node[2] - box.begin[2] }, box.size()));
  };
  const Box both = intersect(nodes, nodes_);
  for (std::int64_t i = 0; i < both.count(); ++i)
  {
    const Int3 local = from_row_major(i, both.size());
    const Int3 node{ both.begin[0] + local[0], both.begin[1] + local[1], both.begin[2] + local[2] };
    places_[place_in(node, nodes_)] = (*places)[place_in(node, nodes)];
  }
  return std::make_shared<const std::vector<Vec3>>(std::move(*places));
}

/// Places of wanted nodes whose particles were not released: there is no time left, or the run was stopped.
Result<void> FtleWork::find_places_left()
{
  if (std::none_of(places_.begin(), places_.end(), [](const Vec3& place) { return std::isnan(place[0]); }))
  {
    return {};
  }
  const TraceField& field = steps_->flow().field();
  const Result<std::shared_ptr<const Mesh>> mesh = make_mesh(field);
  const auto* const curvilinear = mesh ? dynamic_cast<const CurvilinearMesh*>(mesh->get()) : nullptr;
  if (curvilinear == nullptr)
  {
    return {};
  }
  Result<std::vector<Vec3>> places = mesh_nodes(*curvilinear, {}, settings().refinement, nodes_);
  if (!places)
  {
    return forward_error(places);
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
  {
    places_[i] = std::isnan(places_[i][0]) ? (*places)[i] : places_[i];
  }
  return {};
}

/// Makes the march of the present pass.
Result<void> FtleWork::begin_pass(const AdvectionContext& context, int threads)
{
  const auto chunk = static_cast<int>(chunk_);
  if (!sampling_)
  {
    Result<NodePlaces> places = places_of(context, chunks_->window());
    if (!places)
    {
      return forward_error(places);
    }
    const double forever = std::numeric_limits<double>::infinity();
    march_.emplace(chunks_->march(window_ ? FlowMapTimes{ when_.start, forever } : when_));
    march_->set_places(std::move(*places));
    if (on_cells_)
    {
      Result<std::shared_ptr<const NodeCells>> cells = cells_at_start(context);
      if (!cells)
      {
        march_.reset();
        return forward_error(cells);
      }
      march_->set_cells(std::move(*cells));
    }
    particles_ += chunks_->nodes(chunk).count();
    return {};
  }
  if (!adaptive_)
  {
    adaptive_.emplace(lattice_, chunks_->nodes(chunk), when_, *sampling_);
    Result<NodePlaces> places = places_of(context, adaptive_->window());
    if (!places)
    {
      return forward_error(places);
    }
    adaptive_->set_places(std::move(*places));
  }
  chosen_ = adaptive_->choose(threads);
  march_.emplace(adaptive_->lattice(), when_, chosen_);
  march_->set_places(adaptive_->places());
  particles_ += static_cast<std::int64_t>(chosen_.size());
  return {};
}

Result<void> FtleWork::trace(const IntervalRange& part, const RunOptions& run)
{
  if (chunk_ >= chunks_->count())
  {
    return {}; // another rank has more
  }
  const FlowMapTimes when = window_ ? FlowMapTimes{ when_.start, window_->last } : when_;
  Result<AdvectionContext> context = flow_map_context(steps_->field(), steps_->times(), when, settings().options);
  if (!context)
  {
    return forward_error(context);
  }
  context->set_intervals(part.first, part.last);
  Result<void> begun = march_ ? Result<void>{} : begin_pass(*context, run.threads);
  return begun ? march_->go_on(*context, run) : begun;
}

void FtleWork::finish_pass(int threads)
{
  const bool last = ++pass_ == passes();
  chunk_ += last ? 1 : 0;
  pass_ = last ? 0 : pass_;
  interval_ = interval_in(steps_->times(), when_.start, backward() ? -1.0 : 1.0);
  if (!march_)
  {
    return;
  }
  FlowMap map = march_->take();
  march_.reset();
  counted_.integration_steps += map.steps;
  error_ = error_ ? error_ : map.data_error;
  if (adaptive_)
  {
    adaptive_->add(chosen_, map.ends);
    chosen_ = {};
    map.ends = {};
  }
  if (last)
  {
    map = adaptive_ ? adaptive_->take() : std::move(map);
    adaptive_.reset();
    chunks_->add(std::move(map), threads);
  }
}

Result<WorkEnd> FtleWork::finish(RunReport& report, bool)
{
  if (window_ && march_ && chunks_->count() > 0)
  {
    FlowMap map = march_->so_far(when_.end);
    counted_.integration_steps = map.steps - std::exchange(window_->steps, map.steps);
    error_ = map.data_error;
    chunks_->add(std::move(map), threads_);
  }
  report.trace.integration_steps += counted_.integration_steps;
  report.trace.seeds_outside += chunks_->outside();
  if (!window_)
  {
    march_.reset();
  }
  adaptive_.reset();
  if (Result<void> found = find_places_left(); !found)
  {
    error_ = error_ ? error_ : std::make_shared<const Error>(std::move(found.error()));
  }
  Ranks().sum({ &particles_, 1 });
  return WorkEnd{ error_,
    std::to_string(chunk_) + " of " + std::to_string(count_) + " parts are computed, the others are NaN" };
}

void FtleWork::warn(const UnsteadyPass& pass, const RunReport& report)
{
  vtkDataSet& output = *vtkDataSet::GetData(pass.outputs, 0);
  const Ranks ranks;
  std::int64_t nodes = nodes_.count();
  ranks.sum({ &nodes, 1 });
  RunReport of_nodes = report;
  of_nodes.trace.seeds_outside = report.trace.seeds_outside >= nodes ? output.GetNumberOfPoints() : 0;
  warn_if_all_outside(filter(), ranks, of_nodes, { &steps_->flow(), 1 }, output);
  if (ranks.rank() == 0)
  {
    warn_of_short_time();
  }
}

/// Warns once of particles that go for a shorter time than Duration because the input ends, and once of particles
/// that have no time at all: an animation shows both at its end.
void FtleWork::warn_of_short_time()
{
  const double time = std::fabs(when_.end - when_.start);
  const bool is_short = time < (1.0 - kShort) * settings().duration;
  vtkMTimeType& warned = no_time_left() ? warned_of_none_ : warned_of_short_;
  if (window_ || (!is_short && !no_time_left()) || warned == settings().changed)
  {
    return;
  }
  warned = settings().changed;
  std::ostringstream what;
  what.precision(std::numeric_limits<double>::digits10);
  what << "particles released at time " << when_.start;
  Error warning;
  warning.code = ErrorCode::BadArgument;
  if (no_time_left())
  {
    what << " have no time left, because the input ends there: their exponents are NaN";
    warning.remedy = backward() ? "go to a later time" : "go to an earlier time";
  }
  else
  {
    what << " go for " << time << " instead of the Duration of " << settings().duration
         << ", because the input ends: exponents are over the time that they went, IntegrationTime in the field data";
    warning.remedy = std::string(backward() ? "go to a later time" : "go to an earlier time") + ", or lower Duration";
  }
  warning.what = what.str();
  report_warning(&filter(), warning);
}

void FtleWork::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  vtkDataSet& output = *vtkDataSet::GetData(pass.outputs, 0);
  if (auto* const grid = vtkStructuredGrid::SafeDownCast(&output))
  {
    set_nodes(*grid, lattice_, nodes_, places_);
    places_ = {};
  }
  else if (auto* const cells = vtkUnstructuredGrid::SafeDownCast(&output))
  {
    if (cells_ != nullptr)
    {
      cells->ShallowCopy(cells_);
      set_places(*cells, places_);
    }
    places_ = {};
    cells_ = nullptr;
  }
  else
  {
    set_geometry(*vtkImageData::SafeDownCast(&output), lattice_, nodes_);
  }
  vtkPointData& data = *output.GetPointData();
  fill_exponents(*chunks_, nodes_.count(), data);
  if (settings().keep_map)
  {
    fill_ends(*chunks_, nodes_.count(), data);
  }
  if (settings().adaptive)
  {
    fill_estimates(*chunks_, data);
    add_count("ParticlesTraced", particles_, facts);
  }
  vtkNew<vtkDoubleArray> duration;
  duration->SetName("IntegrationTime");
  duration->InsertNextValue(std::fabs(when_.end - when_.start));
  facts.AddArray(duration);
  vtkNew<vtkDoubleArray> release;
  release->SetName("ReleaseTime");
  release->InsertNextValue(when_.start);
  facts.AddArray(release);
  chunks_.reset();
}

} // namespace rivulet
