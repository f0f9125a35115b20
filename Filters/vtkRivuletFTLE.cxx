// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFTLE.h"

#include "Base/Bytes.h"
#include "Base/Times.h"
#include "Filters/Output/OutputLattice.h"
#include "Filters/Steps/UnsteadyWork.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Store/Memory/MemoryAccount.h"
#include "Trace/FlowMap/AdaptiveMap.h"
#include "Trace/FlowMap/ExponentChunks.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationDoubleVectorKey.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

vtkStandardNewMacro(vtkRivuletFTLE);

using namespace rivulet;
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

constexpr Vec3 kNowhere{ std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
  std::numeric_limits<double>::quiet_NaN() };

/// Share of Duration by which rounding may shorten it.
constexpr double kShort = 1e-9;

constexpr double kUnitBox[6] = { 0, 1, 0, 1, 0, 1 };

/// The time of a step, if the time differs from it by rounding: a duration is often a number of steps.
double at_step(const std::vector<double>& times, double time)
{
  const double slack = time_slack(times);
  const auto next = std::lower_bound(times.begin(), times.end(), time - slack);
  return next != times.end() && std::fabs(*next - time) <= slack ? *next : time;
}

Result<SamplingRule> checked_sampling(double tolerance, int levels)
{
  if (!(tolerance >= 0.0) || !std::isfinite(tolerance))
  {
    return fail(ErrorCode::BadArgument, "Sampling Tolerance is " + std::to_string(tolerance),
        "set Sampling Tolerance to a share of the distance between neighbours, such as 0.2; 0 traces all particles");
  }
  if (levels < 1 || levels > SamplingRule::kMostLevels)
  {
    return fail(ErrorCode::BadArgument, "Sampling Levels is " + std::to_string(levels),
        "set Sampling Levels to a number from 1 to " + std::to_string(SamplingRule::kMostLevels));
  }
  return SamplingRule{ tolerance, levels };
}

/// Hands an array of one byte a node over to the data of points.
void add_flags(const char* name, Buffer<unsigned char>& flags, vtkPointData& data)
{
  vtkNew<vtkUnsignedCharArray> array;
  array->SetName(name);
  const auto nodes = static_cast<vtkIdType>(flags.size());
  if (nodes > 0)
  {
    array->SetVoidArray(flags.release(), nodes, 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
  }
  data.AddArray(array);
}

} // namespace

/// The flow map, in chunks within one half of the memory budget. The values read have the other half. A chunk goes
/// through its intervals once, with adaptive sampling once for each pass of it.
///
/// While a simulation runs, all particles go on from step to step, in one chunk, through a window of time: from the
/// first step on, for Duration. The next window begins at the step at which the one before is complete.
class vtkRivuletFTLE::Work final : public UnsteadyWork
{
public:
  explicit Work(vtkRivuletFTLE& filter)
    : filter_(filter)
  {
  }

  [[nodiscard]] bool backward() const override { return filter_.IntegrationDirection == BACKWARD; }
  [[nodiscard]] std::optional<std::int32_t> first_interval(
      const std::vector<double>& times, double time) const override;
  [[nodiscard]] Result<void> check_growth() const override;
  [[nodiscard]] bool shows_first_step() const override { return true; }
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  void begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] Result<void> opened() override;
  [[nodiscard]] std::optional<IntervalRange> next() const override;
  [[nodiscard]] std::int64_t intervals() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<void> finish(RunReport& report, bool stopped) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;
  [[nodiscard]] std::shared_ptr<const Error> data_error() const override { return error_; }
  [[nodiscard]] std::string doing() const override { return "computing the flow map"; }
  [[nodiscard]] std::string left_after_stop(const RunReport& report) const override;
  [[nodiscard]] RunSettings settings(const RunSettings& of_filter) const override;

private:
  /// The window of time of a simulation that runs.
  struct Window
  {
    Grid lattice;
    Box nodes;
    double start = 0.0;
    double reached = 0.0;   ///< time up to which particles have gone
    double now = 0.0;       ///< the present step
    double last = 0.0;      ///< time at which particles stop, as far as times are known
    bool complete = false;  ///< whether they have stopped there
    std::int64_t steps = 0; ///< of particles, in earlier requests
  };

  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] bool follow(const std::vector<double>& times, bool same);
  [[nodiscard]] Result<void> cut_window(std::int64_t bytes, const KeptOfNodes& kept);
  [[nodiscard]] FlowMapTimes times_for(const std::vector<double>& times, double requested) const;
  [[nodiscard]] Result<Grid> lattice(vtkInformation& input) const;
  /// Whether the input ends where the particles are released.
  [[nodiscard]] bool no_time_left() const { return when_.start == when_.end; }
  void warn_of_short_time();
  [[nodiscard]] Result<void> trace(const IntervalRange& part, const RunOptions& run);
  [[nodiscard]] Result<void> cut();
  [[nodiscard]] int passes() const { return sampling_ ? sampling_->passes() : 1; }
  void begin_pass(int threads);
  void finish_pass(int threads);

  vtkRivuletFTLE& filter_;
  FlowSteps* steps_ = nullptr;
  FlowMapTimes when_;
  Grid lattice_;
  Box nodes_;                            ///< nodes of the lattice that are wanted
  std::optional<Window> window_;         ///< while a simulation runs
  std::optional<SamplingRule> sampling_; ///< none: all nodes are traced
  std::optional<ExponentChunks> chunks_;
  std::int64_t count_ = 0;              ///< of chunks, of the rank with most
  std::int64_t chunk_ = 0;              ///< the present one
  int pass_ = 0;                        ///< of the present chunk
  std::int32_t interval_ = 0;           ///< the next one of the present pass
  std::optional<AdaptiveMap> adaptive_; ///< of the present chunk
  std::vector<std::int64_t> chosen_;    ///< nodes that the present pass traces, with adaptive sampling
  std::optional<FlowMapMarch> march_;   ///< of the present pass
  std::int64_t particles_ = 0;          ///< traced so far
  int threads_ = 1;                     ///< of the last run
  vtkMTimeType warned_of_short_ = 0;    ///< MTime of the filter at the warning that its Duration is too long
  vtkMTimeType warned_of_none_ = 0;     ///< the same for the warning that there is no time left
  TraceStatistics counted_;
  std::shared_ptr<const Error> error_;
};

std::optional<std::int32_t> vtkRivuletFTLE::Work::first_interval(const std::vector<double>& times, double time) const
{
  const double start = std::isnan(time) ? (backward() ? times.back() : times.front()) : time;
  return interval_in(times, std::clamp(start, times.front(), times.back()), backward() ? -1.0 : 1.0);
}

/// The time at which particles are released, and the one that they reach: the same at the end of the input.
FlowMapTimes vtkRivuletFTLE::Work::times_for(const std::vector<double>& times, double requested) const
{
  const double limit = backward() ? times.front() : times.back();
  const double other = backward() ? times.back() : times.front();
  const double start = std::isnan(requested) ? other : std::clamp(requested, times.front(), times.back());
  const double most = std::fabs(limit - start);
  const double duration = filter_.Duration > 0.0 ? std::min(filter_.Duration, most) : most;
  const double end = duration == most ? limit : start + (backward() ? -duration : duration);
  return { start, at_step(times, end) };
}

/// The lattice of the output; that of a box without bounds is placed in opened().
Result<Grid> vtkRivuletFTLE::Work::lattice(vtkInformation& input) const
{
  return filter_.Lattice == BOX
             ? lattice_of_box(has_bounds(filter_.Bounds) ? filter_.Bounds : kUnitBox, filter_.Dimensions)
             : lattice_of_field(input, filter_.Refinement);
}

Result<void> vtkRivuletFTLE::Work::check_growth() const
{
  if (backward())
  {
    return fail(ErrorCode::Unsupported, "particles cannot go back in the time of a simulation that runs",
        "set Integration Direction to FORWARD; or let the analytics store write the steps, and use the filter on them");
  }
  if (filter_.AdaptiveSampling && filter_.SamplingTolerance > 0.0)
  {
    return fail(ErrorCode::Unsupported,
        "adaptive sampling goes through the same steps again, and a simulation that runs has none of them",
        "switch Adaptive Sampling off; or let the analytics store write the steps, and use the filter on them");
  }
  return {};
}

/// Turns to the present step of a simulation that runs. Returns whether particles go on.
bool vtkRivuletFTLE::Work::follow(const std::vector<double>& times, bool same)
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
  const double end = filter_.Duration > 0.0 ? at_step(times, window_->start + filter_.Duration) : forever;
  window_->last = std::min(end, times.back());
  window_->complete = end <= now;
  when_ = { window_->start, std::min(end, now) };
  return goes_on;
}

Result<void> vtkRivuletFTLE::Work::check() const
{
  return filter_.MaximumNumberOfSteps < 0
             ? fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps")
             : Result<void>{};
}

Result<bool> vtkRivuletFTLE::Work::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  if (Result<void> good = check(); !good)
  {
    return forward_error(good);
  }
  sampling_.reset();
  if (filter_.AdaptiveSampling)
  {
    Result<SamplingRule> sampling = checked_sampling(filter_.SamplingTolerance, filter_.SamplingLevels);
    if (!sampling)
    {
      return forward_error(sampling);
    }
    if (sampling->tolerance > 0.0)
    {
      sampling_ = *sampling;
    }
  }
  Result<Grid> lattice = this->lattice(*pass.inputs[0]->GetInformationObject(0));
  if (!lattice)
  {
    return forward_error(lattice);
  }
  lattice_ = std::move(*lattice);
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

void vtkRivuletFTLE::Work::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  chunks_.reset();
  adaptive_.reset();
  if (!again)
  {
    march_.reset();
  }
  count_ = 0;
  chunk_ = 0;
  pass_ = 0;
  particles_ = 0;
  interval_ = interval_in(steps.times(), when_.start, backward() ? -1.0 : 1.0);
  counted_ = {};
  error_ = nullptr;
}

Result<void> vtkRivuletFTLE::Work::opened()
{
  Result<void> good = within_memory([this] { return cut(); }); // all ranks come to the next line
  count_ = good && !no_time_left() ? chunks_->count() : 0;
  Ranks().max({ &count_, 1 });
  return good;
}

/// Cuts the wanted nodes into chunks within one half of the budget.
Result<void> vtkRivuletFTLE::Work::cut()
{
  if (filter_.Lattice == BOX && !has_bounds(filter_.Bounds))
  {
    Result<Grid> lattice = lattice_of_box(bounds_of(steps_->flow().field().grid).data(), filter_.Dimensions);
    if (!lattice)
    {
      return forward_error(lattice);
    }
    lattice_ = std::move(*lattice);
  }
  const std::int64_t budget = filter_.GetMemoryBudget() * kMiB;
  const std::int64_t bytes = (budget > 0 ? budget : default_memory_budget()) / 2;
  const KeptOfNodes kept{ .ends = filter_.ComputeFlowMap, .estimates = filter_.AdaptiveSampling };
  if (window_)
  {
    return cut_window(bytes, kept);
  }
  if (!sampling_)
  {
    const std::int64_t most = bytes / (steps_->as_bricks() ? kBytesAsBricks : kBytesStepByStep);
    chunks_.emplace(lattice_, nodes_, most, kept);
    return {};
  }
  const std::vector<Box> tiles =
      adaptive_tiles(lattice_, nodes_, *sampling_, bytes, steps_->as_bricks() ? 0 : kOfParticleStepByStep);
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

/// All wanted nodes as one chunk.
Result<void> vtkRivuletFTLE::Work::cut_window(std::int64_t bytes, const KeptOfNodes& kept)
{
  chunks_.emplace(lattice_, nodes_, std::numeric_limits<std::int32_t>::max(), kept);
  const std::int64_t needed = chunks_->count() > 0 ? chunks_->nodes(0).count() * kBytesWhileItGrows : 0;
  if (needed > bytes || chunks_->count() > 1)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "while a simulation runs, all particles of the flow map go on from step to step, which takes " +
            format_bytes(needed) + ", and one half of the memory budget is " + format_bytes(bytes),
        "raise Memory Budget, or lower Dimensions or Refinement");
  }
  return {};
}

std::optional<IntervalRange> vtkRivuletFTLE::Work::next() const
{
  if (window_)
  {
    const std::vector<double>& times = steps_->times();
    return window_->reached < when_.end ? std::optional(IntervalRange{ interval_in(times, window_->reached, 1.0),
                                              interval_in(times, when_.end, -1.0) })
                                        : std::nullopt;
  }
  if (chunk_ >= count_)
  {
    return {};
  }
  const std::int32_t last = interval_in(steps_->times(), when_.end, backward() ? 1.0 : -1.0);
  return IntervalRange{ std::min(interval_, last), std::max(interval_, last) };
}

std::int64_t vtkRivuletFTLE::Work::intervals() const
{
  const std::int32_t first = interval_in(steps_->times(), when_.start, backward() ? -1.0 : 1.0);
  const std::int32_t last = interval_in(steps_->times(), when_.end, backward() ? 1.0 : -1.0);
  return count_ * passes() * (std::abs(last - first) + 1);
}

RunSettings vtkRivuletFTLE::Work::settings(const RunSettings& of_filter) const
{
  RunSettings settings = of_filter;
  settings.memory_budget /= 2;
  settings.budget_parts = 2;
  return settings;
}

Result<void> vtkRivuletFTLE::Work::go_on(const IntervalRange& part, const RunOptions& run)
{
  const bool last = part == next();
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
void vtkRivuletFTLE::Work::begin_pass(int threads)
{
  const auto chunk = static_cast<int>(chunk_);
  if (!sampling_)
  {
    const double forever = std::numeric_limits<double>::infinity();
    march_.emplace(chunks_->march(window_ ? FlowMapTimes{ when_.start, forever } : when_));
    particles_ += chunks_->nodes(chunk).count();
    return;
  }
  if (!adaptive_)
  {
    adaptive_.emplace(lattice_, chunks_->nodes(chunk), when_, *sampling_);
  }
  chosen_ = adaptive_->choose(threads);
  march_.emplace(adaptive_->lattice(), when_, chosen_);
  particles_ += static_cast<std::int64_t>(chosen_.size());
}

Result<void> vtkRivuletFTLE::Work::trace(const IntervalRange& part, const RunOptions& run)
{
  if (chunk_ >= chunks_->count())
  {
    return {}; // another rank has more
  }
  if (!march_)
  {
    begin_pass(run.threads);
  }
  PathlineOptions options;
  filter_.SetStepOptions(options);
  const FlowMapTimes when = window_ ? FlowMapTimes{ when_.start, window_->last } : when_;
  Result<AdvectionContext> context = flow_map_context(steps_->field(), steps_->times(), when, options);
  if (!context)
  {
    return forward_error(context);
  }
  context->hold(part.first, part.last);
  return march_->go_on(*context, run);
}

void vtkRivuletFTLE::Work::finish_pass(int threads)
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

Result<void> vtkRivuletFTLE::Work::finish(RunReport& report, bool)
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
  Ranks().sum({ &particles_, 1 });
  return {};
}

void vtkRivuletFTLE::Work::warn(const UnsteadyPass& pass, const RunReport& report)
{
  vtkImageData& output = *vtkImageData::GetData(pass.outputs, 0);
  const Ranks ranks;
  std::int64_t nodes = nodes_.count();
  ranks.sum({ &nodes, 1 });
  RunReport of_nodes = report;
  of_nodes.trace.seeds_outside = report.trace.seeds_outside >= nodes ? output.GetNumberOfPoints() : 0;
  warn_if_all_outside(filter_, ranks, of_nodes, { &steps_->flow(), 1 }, output);
  if (ranks.rank() == 0)
  {
    warn_of_short_time();
  }
}

/// Warns once of particles that go for a shorter time than Duration because the input ends, and once of those that have
/// no time at all: an animation shows both at its end.
void vtkRivuletFTLE::Work::warn_of_short_time()
{
  const double time = std::fabs(when_.end - when_.start);
  const bool is_short = time < (1.0 - kShort) * filter_.Duration;
  vtkMTimeType& warned = no_time_left() ? warned_of_none_ : warned_of_short_;
  if (window_ || (!is_short && !no_time_left()) || warned == filter_.GetMTime())
  {
    return;
  }
  warned = filter_.GetMTime();
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
    what << " go for " << time << " instead of the Duration of " << filter_.Duration
         << ", because the input ends: exponents are over the time that they went, IntegrationTime in the field data";
    warning.remedy = std::string(backward() ? "go to a later time" : "go to an earlier time") + ", or lower Duration";
  }
  warning.what = what.str();
  report_warning(&filter_, warning);
}

std::string vtkRivuletFTLE::Work::left_after_stop(const RunReport&) const
{
  return std::to_string(chunk_) + " of " + std::to_string(count_) + " parts are computed, the others are NaN";
}

void vtkRivuletFTLE::Work::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  vtkImageData& output = *vtkImageData::GetData(pass.outputs, 0);
  set_geometry(output, lattice_, nodes_);
  const auto nodes = static_cast<vtkIdType>(nodes_.count());
  vtkPointData& data = *output.GetPointData();
  vtkNew<vtkDoubleArray> exponents;
  exponents->SetName("FTLE");
  if (nodes > 0)
  {
    exponents->SetVoidArray(chunks_->exponents().release(), nodes, 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
  }
  data.SetScalars(exponents);
  if (filter_.ComputeFlowMap)
  {
    vtkNew<vtkDoubleArray> ends;
    ends->SetName("FlowMap");
    ends->SetNumberOfComponents(3);
    ends->SetNumberOfTuples(nodes);
    vtkNew<vtkIntArray> reasons;
    reasons->SetName("ReasonForTermination");
    reasons->SetNumberOfTuples(nodes);
    for (vtkIdType i = 0; i < nodes; ++i)
    {
      const EndState& end = chunks_->ends()[static_cast<std::size_t>(i)];
      const bool none = end.reason == Termination::None; // the run was stopped before, or there is no time left
      ends->SetTuple(i, none ? kNowhere.data() : end.point.data());
      reasons->SetValue(i, static_cast<int>(end.reason));
    }
    data.AddArray(ends);
    data.AddArray(reasons);
  }
  if (filter_.AdaptiveSampling)
  {
    add_flags("Traced", chunks_->traced(), data);
    add_flags("Estimated", chunks_->estimated(), data);
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

vtkRivuletFTLE::vtkRivuletFTLE() = default;

vtkRivuletFTLE::~vtkRivuletFTLE() = default;

std::unique_ptr<UnsteadyWork> vtkRivuletFTLE::MakeWork()
{
  return std::make_unique<Work>(*this);
}

int vtkRivuletFTLE::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkImageData");
  return 1;
}

int vtkRivuletFTLE::RequestInformation(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformation& input = *inputVector[0]->GetInformationObject(0);
  vtkInformation& output = *outputVector->GetInformationObject(0);
  const bool box = this->Lattice == BOX;
  Result<Grid> lattice = box ? lattice_of_box(has_bounds(this->Bounds) ? this->Bounds : kUnitBox, this->Dimensions)
                             : lattice_of_field(input, this->Refinement);
  const Grid grid = lattice ? *lattice : Grid{}; // RequestData says why there is none
  output.Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  output.Set(Pipeline::WHOLE_EXTENT(), whole_extent_of(grid).data(), 6);
  for (vtkInformationDoubleVectorKey* const key :
      { vtkDataObject::ORIGIN(), vtkDataObject::SPACING(), vtkDataObject::DIRECTION() })
  {
    output.Remove(key); // what is not known before the input is executed
    if (!box && input.Has(key))
    {
      output.CopyEntry(&input, key);
    }
  }
  if (!box && input.Has(vtkDataObject::SPACING()))
  {
    Vec3 spacing;
    input.Get(vtkDataObject::SPACING(), spacing.data());
    for (double& each : spacing)
    {
      each /= this->Refinement;
    }
    output.Set(vtkDataObject::SPACING(), spacing.data(), 3);
  }
  if (box && has_bounds(this->Bounds))
  {
    output.Set(vtkDataObject::ORIGIN(), grid.origin.data(), 3);
    output.Set(vtkDataObject::SPACING(), grid.spacing.data(), 3);
    output.Set(vtkDataObject::DIRECTION(), grid.direction.data(), 9);
  }
  vtkDataObject::SetPointDataActiveScalarInfo(&output, VTK_DOUBLE, 1);
  return 1;
}

void vtkRivuletFTLE::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "Duration: " << this->Duration << "\n"
     << indent << "Lattice: " << this->Lattice << "\n"
     << indent << "Refinement: " << this->Refinement << "\n"
     << indent << "Bounds: " << this->Bounds[0] << " " << this->Bounds[1] << " " << this->Bounds[2] << " "
     << this->Bounds[3] << " " << this->Bounds[4] << " " << this->Bounds[5] << "\n"
     << indent << "Dimensions: " << this->Dimensions[0] << " " << this->Dimensions[1] << " " << this->Dimensions[2]
     << "\n"
     << indent << "AdaptiveSampling: " << this->AdaptiveSampling << "\n"
     << indent << "SamplingTolerance: " << this->SamplingTolerance << "\n"
     << indent << "SamplingLevels: " << this->SamplingLevels << "\n"
     << indent << "ComputeFlowMap: " << this->ComputeFlowMap << "\n";
}
