// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/SourceDestinationWork.h"

#include "Base/Times.h"
#include "Filters/Output/PathOutput.h"
#include "Filters/Run/RunReport.h"
#include "Filters/Seeds/ReleaseTimes.h"
#include "Pipeline/ErrorReport.h"
#include "vtkAlgorithm.h"
#include "vtkCellData.h"
#include "vtkFieldData.h"
#include "vtkInformationVector.h"
#include "vtkPolyData.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

WorkTraits SourceDestinationWork::read_settings()
{
  take_settings();
  bool labels = false;
  for (std::size_t i = 0; i < regions_.size(); ++i)
  {
    labels = labels || settings().regions[i].kind == RegionChoice::Kind::Labels;
    regions_[i].set(settings().regions[i]);
  }
  return { .doing = "following particles",
    .communicates = true,
    .reason_for_steps = labels ? "labels are looked at at each time step" : "" };
}

std::optional<NextIntervals> SourceDestinationWork::expected(const std::vector<double>& times, double) const
{
  if (joined_)
  {
    return {};
  }
  const std::int32_t interval = interval_in(times, release_span(times)[0], sign());
  return NextIntervals{ { interval, interval }, backward() };
}

double SourceDestinationWork::time(const std::vector<double>& times) const
{
  return surfaces_asked_.value_or(release_span(times)[0]);
}

/// Looks whether surfaces stay where they are: regions do not change with time.
Result<bool> SourceDestinationWork::take(
    vtkInformationVector** ports, double, const std::vector<double>& times, bool anew)
{
  const double asked = time(times);
  const double first = release_span(times)[0];
  const std::array<double, 2> range{ backward() ? times.front() : first, backward() ? first : times.back() };
  bool more = false;
  for (std::size_t i = 0; i < regions_.size(); ++i)
  {
    Result<std::optional<double>> next = regions_[i].look(*ports[i + 1], asked, range, anew);
    if (!next)
    {
      return forward_error(next);
    }
    surfaces_asked_ = next->has_value() ? *next : surfaces_asked_;
    more = more || next->has_value();
  }
  return more;
}

Result<bool> SourceDestinationWork::prepare(const UnsteadyPass& pass, const std::vector<double>&, bool same)
{
  if (pass.grows)
  {
    return cannot_follow_a_simulation();
  }
  if (Result<void> good = check_options(); !good)
  {
    return forward_error(good);
  }
  field_ = vtkDataObject::GetData(pass.inputs[0], 0);
  const vtkMTimeType changed = std::max(regions_[0].take(*pass.inputs[1]), regions_[1].take(*pass.inputs[2]));
  const bool again = same && joined_ && changed == surfaces_time_;
  surfaces_time_ = changed;
  return again;
}

Result<void> SourceDestinationWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  frame_.reset();
  if (again)
  {
    return {};
  }
  march_.reset();
  lines_.reset();
  groups_.clear();
  joined_ = false;
  result_ = {};
  counted_ = {};
  error_ = nullptr;
  steps.check_each(
      [this](vtkDataObject& input, double time) -> Result<void>
      {
        Result<void> good = regions_[0].check_labels(input, time);
        return good ? regions_[1].check_labels(input, time) : good;
      });
  return make_march();
}

/// A lattice in the bounds of each source region.
Result<std::vector<SeedSet>> SourceDestinationWork::seeds() const
{
  std::vector<SeedSet> sets;
  for (std::size_t i = 0; i < sources().regions.size(); ++i)
  {
    const WorldBox& bounds = sources().regions[i].bounds;
    const Grid& grid = steps_->flow().field().grid;
    Result<SeedSet> set = settings().seed_spacing > 0.0 ? lattice_seeds(bounds, grid, settings().seed_spacing)
                                                        : lattice_seeds(bounds, grid, std::int64_t{ settings().seeds });
    if (!set)
    {
      return forward_error(set);
    }
    set->source = static_cast<std::int32_t>(i);
    sets.push_back(std::move(*set));
  }
  return sets;
}

/// Start and end of the releases in the direction of time. The defaults are the whole time of the field: backward they
/// stand for it from its end to its beginning, where nothing could start.
std::array<double, 2> SourceDestinationWork::release_span(const std::vector<double>& times) const
{
  const double start = std::clamp(settings().release_start, times.front(), times.back());
  const double end = std::clamp(settings().release_end, times.front(), times.back());
  if (!backward())
  {
    return { start, end };
  }
  return { start == times.front() ? times.back() : start, end == times.back() ? times.front() : end };
}

Result<std::vector<double>> SourceDestinationWork::release_times() const
{
  const std::vector<double>& times = steps_->times();
  const auto [start, end] = release_span(times);
  std::vector<double> releases{ start };
  if (settings().release_interval > 0.0 && (end - start) * sign() > 0.0)
  {
    static constexpr double kMost = 1e6;
    const double count = std::fabs(end - start) / settings().release_interval;
    if (count > kMost)
    {
      return fail(ErrorCode::BadArgument, "each seed releases more than a million particles", "raise Release Interval");
    }
    releases = repeated_times(start, end, settings().release_interval, times);
  }
  const double limit = backward() ? times.front() : times.back();
  if (start == limit)
  {
    return fail(ErrorCode::BadArgument,
        "particles released at time " + format_time(start) + " have no time left: the input ends there",
        "set another Release Start");
  }
  std::erase_if(releases, [&](double time) { return (limit - time) * sign() < 0.0; });
  return releases;
}

/// Makes the regions, and the march of the particles that are released in the sources.
Result<void> SourceDestinationWork::make_march()
{
  for (RegionInputs& regions : regions_)
  {
    if (Result<void> made = regions.make(field_, steps_->flow().field()); !made)
    {
      return made;
    }
  }
  Result<std::vector<SeedSet>> sets = seeds();
  if (!sets)
  {
    return forward_error(sets);
  }
  Result<std::vector<double>> releases = release_times();
  if (!releases)
  {
    return forward_error(releases);
  }
  query_ = {};
  query_.release_times = std::move(*releases);
  query_.end = backward() ? steps_->times().front() : steps_->times().back();
  query_.ends_at_first_hit = settings().end_at_first_hit;
  query_.part = ranks_.rank();
  query_.parts = ranks_.size();
  SourceDestinationQuery query = query_;
  query.sources = sources().regions;
  query.destinations = destinations().regions;
  query.seeds = std::move(*sets);
  Result<HitMarch> march = HitMarch::create(std::move(query), steps_->times(), settings().options);
  if (!march)
  {
    return forward_error(march);
  }
  march_.emplace(std::move(*march));
  return {};
}

IntervalRange SourceDestinationWork::first_release_interval() const
{
  const std::int32_t interval = interval_in(steps_->times(), query_.release_times.front(), sign());
  return { interval, interval };
}

/// After the hits, one call joins the hits of all ranks, in the interval with which the lines begin.
std::optional<NextIntervals> SourceDestinationWork::next() const
{
  static constexpr double kOfHits = 0.8; // of the time
  if (!joined_)
  {
    if (!march_)
    {
      return {};
    }
    return NextIntervals{ .range = march_->next().value_or(first_release_interval()),
      .backward = backward(),
      .shown = std::array<double, 2>{ 0.0, kOfHits } };
  }
  const std::optional<IntervalRange> range = lines_ && !frame_ ? lines_->plan(lines_end_).march : std::nullopt;
  return range ? std::optional(NextIntervals{
                     .range = *range, .backward = backward(), .shown = std::array<double, 2>{ kOfHits, 1.0 } })
               : std::nullopt;
}

Result<void> SourceDestinationWork::join()
{
  if (joined_)
  {
    return {};
  }
  SourceDestinationResult mine;
  Result<void> taken = ranks_.agree(within_memory( // all ranks come to gather()
      [&]() -> Result<void>
      {
        mine = march_->take();
        return {};
      }));
  march_.reset();
  if (!taken)
  {
    return taken;
  }
  counted_.integration_steps += mine.steps;
  counted_.stall_seconds += mine.stall_seconds;
  error_ = mine.data_error;
  ranks_.sum(std::span<std::int64_t>(mine.released));
  ranks_.sum(std::span<std::int64_t>(mine.hit_counts));
  ranks_.sum({ &mine.particles, 1 });
  ranks_.sum({ &mine.outside, 1 });
  Result<std::vector<Hit>> all = ranks_.gather(std::span<const Hit>(mine.hits));
  if (!all)
  {
    return forward_error(all);
  }
  Result<void> joined = ranks_.agree(within_memory( // the lines need all ranks
      [&]() -> Result<void>
      {
        mine.hits.clear();
        add_hits(mine.hits, std::move(*all));
        return {};
      }));
  if (!joined)
  {
    return joined;
  }
  result_ = std::move(mine);
  joined_ = true;
  return {};
}

/// Lines of this rank's share of the particles with hits.
void SourceDestinationWork::begin_lines()
{
  const std::vector<HitGroup> groups = groups_of(result_.hits);
  if (!settings().lines || groups.empty())
  {
    return;
  }
  const auto [first, last] = ranks_.part().share(static_cast<std::int64_t>(groups.size()));
  groups_.assign(groups.begin() + first, groups.begin() + last);
  std::vector<PathSeed> seeds;
  if (!groups_.empty())
  {
    const std::size_t begin = groups_.front().first;
    const std::size_t end = groups_.back().first + groups_.back().count;
    seeds = seeds_of(std::span<const Hit>(result_.hits).subspan(begin, end - begin));
  }
  double latest = result_.hits.front().arrival_time;
  for (const Hit& hit : result_.hits)
  {
    latest = (hit.arrival_time - latest) * sign() > 0.0 ? hit.arrival_time : latest;
  }
  const std::vector<double>& times = steps_->times();
  const std::int32_t interval = interval_in(times, latest, -sign());
  lines_end_ = times[static_cast<std::size_t>(interval + (backward() ? 0 : 1))];
  lines_ = std::make_unique<PathlineMarch>(std::move(seeds), times, backward());
  for (const Hit& hit : result_.hits)
  {
    lines_->begin_at(hit.release_time);
  }
}

Result<void> SourceDestinationWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  if (!joined_ && !march_->next())
  {
    Result<void> joined = join();
    if (joined)
    {
      begin_lines();
    }
    return joined;
  }
  Result<AdvectionContext> context = lines_
                                         ? AdvectionContext::unsteady(steps_->field(), steps_->times(),
                                               { steps_->times().front(), steps_->times().back() }, settings().options)
                                         : hit_context(steps_->field(), steps_->times(), query_, settings().options);
  if (!context)
  {
    return forward_error(context);
  }
  context->set_intervals(part.first, part.last);
  return lines_ ? lines_->go_on(*context, run) : march_->go_on(*context, run);
}

Result<WorkEnd> SourceDestinationWork::finish(RunReport& report, bool)
{
  if (Result<void> joined = join(); !joined)
  {
    return forward_error(joined);
  }
  if (lines_ && !frame_)
  {
    Result<PathlineFrame> frame = lines_->frame(lines_end_);
    if (!frame)
    {
      return forward_error(frame);
    }
    frame_ = std::move(*frame);
    error_ = error_ ? error_ : frame_->lines.data_error;
    counted_.integration_steps += lines_->take_statistics().integration_steps;
  }
  report.trace.integration_steps += counted_.integration_steps;
  report.trace.stall_seconds += counted_.stall_seconds;
  report.trace.seeds_outside += ranks_.rank() == 0 ? result_.outside : 0;
  counted_ = {};
  return WorkEnd{ error_, std::to_string(result_.hits.size()) + " hits were found so far" };
}

void SourceDestinationWork::fill_lines(vtkPolyData& output)
{
  const ReleaseTable table{ lines_->seeds(), 1, 0 };
  const LineOutputOptions options{ .velocity = steps_->vectors(), .rotation = false };
  fill_pathlines(frame_->lines, steps_->flow(), table, options, output);
  std::vector<HitGroup> of_lines;
  for (const TracedLine& line : frame_->lines.lines)
  {
    of_lines.push_back(groups_[static_cast<std::size_t>(line.seed)]);
  }
  vtkCellData& cells = *output.GetCellData();
  for (const char* name : { "SeedIds", "ParticleId", "InjectionStepId", "ReasonForTermination" })
  {
    cells.RemoveArray(name);
  }
  fill_line_hits(result_.hits, of_lines, cells);
}

void SourceDestinationWork::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  if (frame_)
  {
    fill_lines(*vtkPolyData::GetData(pass.outputs, 0));
  }
  if (ranks_.rank() == 0)
  {
    fill_hits(result_, *vtkPolyData::GetData(pass.outputs, 1));
    fill_counts(result_, sources().names, destinations().names, *vtkTable::GetData(pass.outputs, 2));
    fill_histograms(
        result_, sources().names, destinations().names, settings().bins, *vtkTable::GetData(pass.outputs, 3));
  }
  add_count("Particles", result_.particles, facts);
  add_count("Hits", static_cast<std::int64_t>(result_.hits.size()), facts);
}

void SourceDestinationWork::warn(const UnsteadyPass&, const RunReport&)
{
  if (ranks_.rank() == 0 && result_.particles == 0)
  {
    Error warning;
    warning.code = ErrorCode::BadArgument;
    warning.what = "no particle is released, because no seed is in a source region and in the grid";
    warning.remedy = "move the regions, or raise Number Of Seeds";
    report_warning(&filter(), warning);
  }
}

} // namespace rivulet
