// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/FtleWork.h"

#include "Base/Bytes.h"
#include "Base/Times.h"
#include "Filters/Output/FlowMapOutput.h"
#include "Filters/Output/OutputLattice.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Store/Memory/MemoryAccount.h"
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

/// Of an input without a box.
FtleNodes::Kind kind_of_nodes(vtkInformationVector* input)
{
  return vtkUnstructuredGrid::GetData(input) != nullptr ? FtleNodes::Kind::OfCells
         : vtkStructuredGrid::GetData(input) != nullptr ? FtleNodes::Kind::OfGrid
                                                        : FtleNodes::Kind::Lattice;
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
Result<Grid> FtleWork::lattice(FtleNodes::Kind kind, vtkInformation& input) const
{
  if (kind == FtleNodes::Kind::OfCells)
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
  const bool goes_on = same && window_ && window_->lattice == nodes_.lattice() && window_->nodes == nodes_.wanted();
  if (!goes_on || (window_->complete && now > window_->now))
  {
    const double start = goes_on ? window_->now : now;
    window_ = Window{ .lattice = nodes_.lattice(), .nodes = nodes_.wanted(), .start = start, .reached = start };
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
  const FtleNodes::Kind kind = settings().box ? FtleNodes::Kind::Lattice : kind_of_nodes(pass.inputs[0]);
  Result<Grid> lattice = this->lattice(kind, *pass.inputs[0]->GetInformationObject(0));
  if (!lattice)
  {
    return forward_error(lattice);
  }
  std::array<int, 6> extent = whole_extent_of(*lattice);
  vtkInformation& output = *pass.outputs->GetInformationObject(0);
  if (output.Has(Pipeline::UPDATE_EXTENT()))
  {
    output.Get(Pipeline::UPDATE_EXTENT(), extent.data());
  }
  const Box wanted = nodes_of(*lattice, extent.data());
  nodes_.choose(kind, *std::move(lattice), wanted);
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
  if (!again)
  {
    march_.reset();
  }
  if (!march_) // else the nodes stay where the particles were released, also where the mesh moves on
  {
    nodes_.begin();
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
    nodes_.set_lattice(*std::move(lattice));
  }
  const std::int64_t budget = settings().memory_budget;
  const std::int64_t bytes = (budget > 0 ? budget : default_memory_budget()) / 2;
  const KeptOfNodes kept{ .ends = settings().keep_map, .estimates = settings().adaptive };
  if (nodes_.kind() == FtleNodes::Kind::OfCells)
  {
    return cut_cells(bytes, kept);
  }
  if (window_)
  {
    return cut_window(bytes, kept);
  }
  if (!sampling_)
  {
    const std::int64_t most = bytes / ((steps_->as_bricks() ? kBytesAsBricks : kBytesStepByStep) + nodes_.bytes());
    chunks_.emplace(nodes_.lattice(), nodes_.wanted(), most, kept);
    return {};
  }
  const std::vector<Box> tiles = adaptive_tiles(nodes_.lattice(), nodes_.wanted(), *sampling_, bytes,
      nodes_.bytes() + (steps_->as_bricks() ? 0 : kOfParticleStepByStep));
  if (tiles.empty() && !nodes_.wanted().empty())
  {
    return fail(ErrorCode::BudgetTooSmall,
        "one half of the memory budget, " + format_bytes(bytes) +
            ", does not hold the smallest part of a flow map with " + std::to_string(sampling_->levels) + " levels",
        "raise Memory Budget, or lower Sampling Levels");
  }
  chunks_.emplace(nodes_.lattice(), nodes_.wanted(), tiles, kept);
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

/// All points of unstructured cells as one chunk, on the first rank. In a window of time they are as at its start.
Result<void> FtleWork::cut_cells(std::int64_t bytes, const KeptOfNodes& kept)
{
  if (!march_)
  {
    const std::int64_t of_particle = window_               ? kBytesWhileItGrows
                                     : steps_->as_bricks() ? kBytesAsBricks
                                                           : kBytesStepByStep;
    if (Result<void> good = nodes_.take_cells(flow_at_start(), of_particle, bytes); !good)
    {
      return good;
    }
  }
  nodes_.use_cells();
  chunks_.emplace(nodes_.lattice(), nodes_.wanted(), std::numeric_limits<std::int32_t>::max(), kept);
  return {};
}

/// All wanted nodes as one chunk.
Result<void> FtleWork::cut_window(std::int64_t bytes, const KeptOfNodes& kept)
{
  chunks_.emplace(nodes_.lattice(), nodes_.wanted(), std::numeric_limits<std::int32_t>::max(), kept);
  const std::int64_t of_node = kBytesWhileItGrows + nodes_.bytes();
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

/// Makes the march of the present pass.
Result<void> FtleWork::begin_pass(const AdvectionContext& context, int threads)
{
  const auto chunk = static_cast<int>(chunk_);
  const Moment moment = context.moment_of(when_.start, backward() ? -1.0 : 1.0);
  if (!sampling_)
  {
    Result<NodePlaces> places = nodes_.places_at(context, moment, settings().refinement, chunks_->window());
    if (!places)
    {
      return forward_error(places);
    }
    const double forever = std::numeric_limits<double>::infinity();
    march_.emplace(chunks_->march(window_ ? FlowMapTimes{ when_.start, forever } : when_));
    march_->set_places(std::move(*places));
    if (nodes_.kind() == FtleNodes::Kind::OfCells)
    {
      Result<std::shared_ptr<const NodeCells>> cells = nodes_.cells_at(context, moment, flow_at_start());
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
    adaptive_.emplace(nodes_.lattice(), chunks_->nodes(chunk), when_, *sampling_);
    Result<NodePlaces> places = nodes_.places_at(context, moment, settings().refinement, adaptive_->window());
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
  if (Result<void> found = nodes_.find_places_left(steps_->flow().field(), settings().refinement); !found)
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
  std::int64_t nodes = nodes_.wanted().count();
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
  nodes_.shape(output);
  vtkPointData& data = *output.GetPointData();
  fill_exponents(*chunks_, nodes_.wanted().count(), data);
  if (settings().keep_map)
  {
    fill_ends(*chunks_, nodes_.wanted().count(), data);
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
  if (!window_)
  {
    nodes_.clear();
  }
}

} // namespace rivulet
