// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/PathlineWork.h"

#include "Filters/Seeds/FlowRegions.h"
#include "Trace/Lines/GatherLines.h"
#include "Trace/Lines/JoinHalves.h"
#include "vtkAlgorithm.h"
#include "vtkDataSet.h"
#include "vtkInformationVector.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

Result<void> check(const PathlineSettings& settings, vtkDataSet* seeds)
{
  if (!std::isfinite(settings.options.terminal_speed))
  {
    return fail(ErrorCode::BadArgument, "Terminal Speed is not a number", "set Terminal Speed to a speed");
  }
  if (settings.both && !settings.paths)
  {
    return fail(ErrorCode::BadArgument, "there are no paths of both directions without Compute Paths",
        "set Compute Paths, or choose one direction");
  }
  if (seeds == nullptr || seeds->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  return {};
}

/// The surfaces that particles cross, or end at.
Result<std::vector<Surface>> surfaces_of(const PathlineSettings& settings)
{
  std::vector<Surface> surfaces;
  if (settings.has_surface)
  {
    Result<FlowRegions> found = function_regions(settings.end_function, "end");
    if (!found)
    {
      return forward_error(found);
    }
    surfaces.push_back({ .side = found->regions.front().side, .numbers = found->regions.front().numbers });
  }
  return surfaces;
}

void count_steps(const TraceStatistics& counted, RunReport& report)
{
  report.trace.integration_steps += counted.integration_steps;
  report.trace.stall_seconds += counted.stall_seconds;
  report.trace.parked += counted.parked;
}

/// While a simulation runs, the mean time between its steps is not known: particles are released at each step instead.
void release_at_steps(ReleaseChoice& releases)
{
  if (releases.kind == ReleaseChoice::Kind::Repeatedly && releases.interval == 0.0)
  {
    releases.kind = ReleaseChoice::Kind::AtFirstStep;
    releases.every_nth = 1;
  }
}

} // namespace

WorkTraits PathlineWork::read_settings()
{
  take_settings();
  seeds_.set({ settings().static_seeds, settings().backward, settings().releases });
  return { .doing = "tracing paths" };
}

/// Intervals that the lines before their releases go through next.
std::optional<IntervalRange> PathlineWork::next_before() const
{
  return before_ && !frame_ ? before_->plan(steps_->times().front()).march : std::nullopt;
}

std::optional<NextIntervals> PathlineWork::expected(const std::vector<double>& times, double time) const
{
  if (lines_ != nullptr && (std::isnan(time) || lines_->serves(time)))
  {
    return {};
  }
  const std::int32_t interval = settings().backward ? static_cast<std::int32_t>(times.size()) - 2 : 0;
  return NextIntervals{ { interval, interval }, goes_back() };
}

/// Finds out which particles the request needs, and whether the lines so far serve it.
Result<bool> PathlineWork::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  if (pass.grows && (settings().both || settings().backward))
  {
    return cannot_follow_a_simulation();
  }
  vtkDataSet* const seeds = vtkDataSet::GetData(pass.inputs[1], 0);
  Result<void> good = check_options();
  good = good ? check(settings(), seeds) : good;
  if (!good)
  {
    return forward_error(good);
  }
  std::vector<double> so_far = times;
  ReleaseChoice releases = settings().releases;
  if (pass.grows)
  {
    so_far.pop_back();
    release_at_steps(releases);
  }
  good = want(*seeds, so_far, releases);
  if (!good)
  {
    return forward_error(good);
  }
  const double wanted = settings().time != 0.0 ? settings().time : pass.time;
  time_ = std::isnan(wanted) ? so_far.front() : std::clamp(wanted, so_far.front(), so_far.back());
  return same && lines_ != nullptr && first_seed_ == wanted_.first_seed && serves(times, pass.grows);
}

/// Whether the lines so far are of the wanted particles, or go on with them.
bool PathlineWork::serves(const std::vector<double>& times, bool grows)
{
  if (grows)
  {
    releases_ = wanted_.releases;
    return lines_->grow(times, wanted_.particles);
  }
  const auto equal = [](const PathSeed& a, const PathSeed& b)
  {
    return a.point == b.point && a.time == b.time;
  };
  return lines_->serves(time_) && std::ranges::equal(lines_->seeds(), wanted_.particles, equal);
}

/// Finds out which particles the request needs.
Result<void> PathlineWork::want(vtkDataSet& seeds, const std::vector<double>& times, const ReleaseChoice& releases)
{
  Result<std::vector<double>> release = release_times(releases, times, settings().backward);
  if (!release)
  {
    return forward_error(release);
  }
  const auto [first, last] = Ranks().part().share(seeds.GetNumberOfPoints());
  Result<std::vector<PathSeed>> particles = particles_of(seeds, seeds_.places(), *release, releases, first, last);
  if (!particles)
  {
    return forward_error(particles);
  }
  Result<double> begin = first_release(seeds, *release, releases, times, settings().backward);
  Result<double> end = first_release(seeds, *release, releases, times, !settings().backward);
  if (!begin || !end)
  {
    return forward_error(begin);
  }
  Result<std::vector<Surface>> surfaces = surfaces_of(settings());
  if (!surfaces)
  {
    return forward_error(surfaces);
  }
  wanted_ = { std::move(*particles), *begin, *end, first,
    std::max<std::int64_t>(1, static_cast<std::int64_t>(release->size())), std::move(*surfaces) };
  return {};
}

/// A march from the releases of the request.
std::unique_ptr<PathlineMarch> PathlineWork::march_of(std::vector<PathSeed> particles, bool backward) const
{
  auto march = std::make_unique<PathlineMarch>(std::move(particles), steps_->times(), backward);
  march->begin_at(
      backward == settings().backward ? wanted_.first_release : wanted_.last_release); // of all ranks' seeds
  settings().goes_on_at_surface ? march->record_at(wanted_.surfaces) : march->end_at(wanted_.surfaces);
  return march;
}

Result<void> PathlineWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  frame_.reset();
  if (!again)
  {
    lines_.reset(); // so that there are never two results in memory
    before_.reset();
    before_ = settings().both ? march_of(wanted_.particles, true) : nullptr;
    lines_ = march_of(std::move(wanted_.particles), settings().backward);
    lines_->set_tail(settings().tail);
    if (!settings().paths)
    {
      lines_->keep_ends_only();
    }
    first_seed_ = wanted_.first_seed;
    releases_ = wanted_.releases;
  }
  const PathlineMarch::Plan plan = lines_->plan(time_);
  const auto count = [](const std::optional<IntervalRange>& range)
  {
    return range ? range->count() : 0;
  };
  intervals_ = count(next_before()) + count(plan.march) + (plan.ahead ? 1 : 0);
  return {};
}

std::optional<NextIntervals> PathlineWork::next() const
{
  if (frame_)
  {
    return {};
  }
  if (const std::optional<IntervalRange> before = next_before())
  {
    return NextIntervals{ *before, true, intervals_ };
  }
  const PathlineMarch::Plan plan = lines_->plan(time_);
  const std::optional<IntervalRange> range = plan.march ? plan.march : plan.ahead;
  return range ? std::optional(NextIntervals{ *range, settings().backward, intervals_ }) : std::nullopt;
}

LineOutputOptions PathlineWork::line_output() const
{
  return { .velocity = steps_->vectors(), .rotation = settings().options.compute_vorticity };
}

Result<AdvectionContext> PathlineWork::context_for(const IntervalRange& part, bool to_frame) const
{
  const double forever = std::numeric_limits<double>::infinity();
  std::array<double, 2> limits{ -forever, forever };
  if (to_frame)
  {
    limits.at(settings().backward ? 0 : 1) = time_;
  }
  PathlineOptions options = settings().options;
  options.direction = goes_back() ? TraceDirection::Backward : TraceDirection::Forward;
  Result<AdvectionContext> context = AdvectionContext::unsteady(steps_->field(), steps_->times(), limits, options);
  if (context)
  {
    context->set_intervals(part.first, part.last);
  }
  return context;
}

Result<void> PathlineWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  PathlineMarch* const march = next_before() ? before_.get() : lines_->plan(time_).march ? lines_.get() : nullptr;
  Result<AdvectionContext> context = context_for(part, march == nullptr);
  if (!context)
  {
    return forward_error(context);
  }
  if (march != nullptr)
  {
    return march->go_on(*context, run);
  }
  Result<PathlineFrame> frame = lines_->frame_ahead(time_, *context, run);
  if (!frame)
  {
    return forward_error(frame);
  }
  frame_ = std::move(*frame);
  return {};
}

/// Adds the lines before their releases to the frame.
Result<void> PathlineWork::add_half_before(RunReport& report)
{
  count_steps(before_->take_statistics(), report);
  Result<PathlineFrame> half = before_->frame(steps_->times().front());
  if (!half)
  {
    return forward_error(half);
  }
  const TimeWindow shown{ time_ - settings().tail, time_ };
  frame_->lines = join_halves(frame_->lines, half->lines, settings().tail > 0.0 ? std::optional(shown) : std::nullopt);
  return {};
}

/// After a stop: particles that were still on their way, or not released yet, end there.
void PathlineWork::mark_cut(bool out_of_seconds)
{
  const std::size_t way = settings().backward ? 1 : 0;
  const Termination cut = out_of_seconds ? Termination::OutOfSeconds : Termination::Cancelled;
  TracedLines& lines = frame_->lines;
  for (std::size_t i = 0; i < lines.seeds.size(); ++i)
  {
    const double release = lines_->seeds()[i].time;
    const bool later = settings().backward ? release < time_ : release > time_;
    Termination& reason = lines.seeds[i].reason.at(way);
    reason = reason == Termination::None && !later ? cut : reason;
    Termination& before = lines.seeds[i].reason[1];
    before = settings().both && before == Termination::None ? cut : before;
  }
  for (TracedLine& line : lines.lines)
  {
    line.reason = line.reason == Termination::None ? cut : line.reason;
  }
}

/// Removes the arrays that a step did not have, also from lines that were made before it was known.
void PathlineWork::leave_out_missing()
{
  keep_attributes(frame_->lines, steps_->field().attributes);
  keep_attributes(frame_->particles, steps_->field().attributes);
}

Result<WorkEnd> PathlineWork::finish(RunReport& report, bool stopped)
{
  if (!frame_)
  {
    Result<PathlineFrame> frame = lines_->frame(time_);
    if (!frame)
    {
      return forward_error(frame);
    }
    frame_ = std::move(*frame);
  }
  count_steps(lines_->take_statistics(), report);
  if (Result<void> added = before_ ? add_half_before(report) : Result<void>{}; !added)
  {
    return forward_error(added);
  }
  leave_out_missing();
  if (stopped)
  {
    mark_cut(report.out_of_seconds);
  }
  const std::size_t way = settings().backward ? 1 : 0;
  report.trace.seeds_outside = std::count_if(frame_->lines.seeds.begin(), frame_->lines.seeds.end(),
      [way](const SeedFate& fate) { return fate.reason[way] == Termination::SeedOutside; });
  count_ends(frame_->lines.seeds, report);
  return WorkEnd{ frame_->lines.data_error, {} };
}

void PathlineWork::warn(const UnsteadyPass& pass, const RunReport& report)
{
  vtkDataSet& seeds = *vtkDataSet::GetData(pass.inputs[1], 0);
  const Ranks ranks;
  RunReport of_seeds = report;
  auto particles = static_cast<std::int64_t>(lines_->seeds().size());
  ranks.sum({ &particles, 1 });
  of_seeds.trace.seeds_outside = report.trace.seeds_outside == particles ? seeds.GetNumberOfPoints() : 0;
  warn_if_all_outside(filter(), ranks, of_seeds, { &steps_->flow(), 1 }, seeds);
  warn_if_no_steps(filter(), ranks, report, "move the seeds away from the border");
}

} // namespace rivulet
