// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/PathlineWork.h"

#include "Filters/FlowRegions.h"
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
  if (settings.options.maximum_steps < 0)
  {
    return fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps");
  }
  if (!std::isfinite(settings.options.terminal_speed))
  {
    return fail(ErrorCode::BadArgument, "Terminal Speed is not a number", "set Terminal Speed to a speed");
  }
  if (seeds == nullptr || seeds->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  return {};
}

/// The surfaces at which particles end.
Result<std::vector<Surface>> surfaces_of(const PathlineSettings& settings)
{
  std::vector<Surface> surfaces;
  if (settings.ends_at_function)
  {
    Result<FlowRegions> found = function_regions(settings.end_function, "end");
    if (!found)
    {
      return forward_error(found);
    }
    surfaces.push_back({ .side = found->regions.front().side });
  }
  return surfaces;
}

} // namespace

std::optional<std::int32_t> PathlineWork::first_interval(const std::vector<double>& times, double time) const
{
  if (lines_ != nullptr && (std::isnan(time) || lines_->serves(time)))
  {
    return {};
  }
  return backward() ? static_cast<std::int32_t>(times.size()) - 2 : 0;
}

/// Finds out which particles the request needs, and whether the lines so far serve it.
Result<bool> PathlineWork::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  settings_ = settings_now();
  vtkDataSet* const seeds = vtkDataSet::GetData(pass.inputs[1], 0);
  if (Result<void> good = check(settings_, seeds); !good)
  {
    return forward_error(good);
  }
  Result<std::vector<double>> release = release_times(settings_.releases, times, settings_.backward);
  if (!release)
  {
    return forward_error(release);
  }
  const auto [first, last] = Ranks().share(seeds->GetNumberOfPoints());
  Result<std::vector<PathSeed>> particles = particles_of(*seeds, *release, settings_.releases, first, last);
  if (!particles)
  {
    return forward_error(particles);
  }
  Result<double> begin = first_release(*seeds, *release, settings_.releases, times, settings_.backward);
  if (!begin)
  {
    return forward_error(begin);
  }
  Result<std::vector<Surface>> surfaces = surfaces_of(settings_);
  if (!surfaces)
  {
    return forward_error(surfaces);
  }
  const double wanted = settings_.time != 0.0 ? settings_.time : pass.time;
  time_ = std::isnan(wanted) ? times.front() : std::clamp(wanted, times.front(), times.back());
  const auto equal = [](const PathSeed& a, const PathSeed& b)
  {
    return a.point == b.point && a.time == b.time;
  };
  const bool again = same && lines_ != nullptr && lines_->serves(time_) && first_seed_ == first &&
                     std::ranges::equal(lines_->seeds(), *particles, equal);
  wanted_ = { std::move(*particles), *begin, first,
    std::max<std::int64_t>(1, static_cast<std::int64_t>(release->size())), std::move(*surfaces) };
  return again;
}

void PathlineWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  frame_.reset();
  if (!again)
  {
    lines_.reset(); // so that there are never two results in memory
    lines_ = std::make_unique<PathlineMarch>(std::move(wanted_.particles), steps.times(), settings_.backward);
    lines_->begin_at(wanted_.first_release); // of all ranks' seeds
    lines_->set_tail(settings_.tail);
    lines_->end_at(std::move(wanted_.surfaces));
    if (!settings_.paths)
    {
      lines_->keep_ends_only();
    }
    first_seed_ = wanted_.first_seed;
    releases_ = wanted_.releases;
  }
  const PathlineMarch::Plan plan = lines_->plan(time_);
  intervals_ = (plan.march ? plan.march->last - plan.march->first + 1 : 0) + (plan.ahead ? 1 : 0);
}

std::optional<IntervalRange> PathlineWork::next() const
{
  if (frame_)
  {
    return {};
  }
  const PathlineMarch::Plan plan = lines_->plan(time_);
  return plan.march ? plan.march : plan.ahead;
}

Result<AdvectionContext> PathlineWork::context_for(const IntervalRange& part, bool to_frame) const
{
  const double forever = std::numeric_limits<double>::infinity();
  std::array<double, 2> limits{ -forever, forever };
  if (to_frame)
  {
    limits.at(settings_.backward ? 0 : 1) = time_;
  }
  Result<AdvectionContext> context =
      AdvectionContext::unsteady(steps_->field(), steps_->times(), limits, settings_.options);
  if (context)
  {
    context->hold(part.first, part.last);
  }
  return context;
}

Result<void> PathlineWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  const bool ahead = !lines_->plan(time_).march;
  Result<AdvectionContext> context = context_for(part, ahead);
  if (!context)
  {
    return forward_error(context);
  }
  if (!ahead)
  {
    return lines_->go_on(*context, run);
  }
  Result<PathlineFrame> frame = lines_->frame_ahead(time_, *context, run);
  if (!frame)
  {
    return forward_error(frame);
  }
  frame_ = std::move(*frame);
  return {};
}

Result<void> PathlineWork::finish(RunReport& report, bool)
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
  const TraceStatistics counted = lines_->take_statistics();
  report.trace.integration_steps += counted.integration_steps;
  report.trace.stall_seconds += counted.stall_seconds;
  report.trace.parked += counted.parked;
  const std::size_t way = settings_.backward ? 1 : 0;
  report.trace.seeds_outside = std::count_if(frame_->lines.seeds.begin(), frame_->lines.seeds.end(),
      [way](const SeedFate& fate) { return fate.reason[way] == Termination::SeedOutside; });
  count_ends(frame_->lines.seeds, report);
  return {};
}

void PathlineWork::warn(const UnsteadyPass& pass, const RunReport& report)
{
  vtkDataSet& seeds = *vtkDataSet::GetData(pass.inputs[1], 0);
  const Ranks ranks;
  RunReport of_seeds = report;
  auto particles = static_cast<std::int64_t>(lines_->seeds().size());
  ranks.sum({ &particles, 1 });
  of_seeds.trace.seeds_outside = report.trace.seeds_outside == particles ? seeds.GetNumberOfPoints() : 0;
  warn_if_all_outside(filter_, ranks, of_seeds, { &steps_->flow(), 1 }, seeds);
}

std::string PathlineWork::left_after_stop(const RunReport& report) const
{
  return describe_ends(report, Termination::Cancelled) + ", and arrays other than the vectors hold NaN";
}

} // namespace rivulet
