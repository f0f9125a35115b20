// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/PathlineMarch.h"

#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Contract/NoMemory.h"
#include "Trace/Lines/GatherLines.h"

#include <algorithm>
#include <new>

namespace rivulet
{

namespace
{

IntervalRange range(std::int32_t a, std::int32_t b)
{
  return { std::min(a, b), std::max(a, b) };
}

} // namespace

PathlineMarch::PathlineMarch(std::vector<PathSeed> seeds, std::vector<double> times, bool backward)
  : seeds_(std::move(seeds))
  , times_(std::move(times))
  , backward_(backward)
  , march_(seeds_.size() * (backward ? 2 : 1)) // by the ids of FixedSeeds
{
  for (const PathSeed& seed : seeds_)
  {
    begin_at(seed.time);
  }
}

void PathlineMarch::begin_at(double time)
{
  if (time >= times_.front() && time <= times_.back())
  {
    const std::int32_t interval = interval_in(times_, time, backward_ ? -1.0 : 1.0);
    start_ = start_ < 0 || is_before(interval, start_) ? interval : start_;
    next_ = start_;
  }
}

/// The places of this march's seeds among others; empty if they are not there in their order.
std::vector<std::int32_t> PathlineMarch::places_among(std::span<const PathSeed> seeds) const
{
  std::vector<std::int32_t> places;
  places.reserve(seeds_.size());
  for (std::size_t at = 0; at < seeds.size() && places.size() < seeds_.size(); ++at)
  {
    const PathSeed& own = seeds_[places.size()];
    if (own.point == seeds[at].point && own.time == seeds[at].time && own.end == seeds[at].end)
    {
      places.push_back(static_cast<std::int32_t>(at));
    }
  }
  return places.size() == seeds_.size() ? places : std::vector<std::int32_t>();
}

namespace
{

/// The same lines with other numbers of seeds, of which there are `count`.
void renumber(TracedLines& lines, const std::vector<std::int32_t>& places, std::size_t count)
{
  for (TracedLine& line : lines.lines)
  {
    line.seed = places[static_cast<std::size_t>(line.seed)];
  }
  for (LineCrossing& crossing : lines.crossings)
  {
    crossing.seed = places[static_cast<std::size_t>(crossing.seed)];
  }
  std::vector<SeedFate> fates(count);
  for (std::size_t seed = 0; seed < lines.seeds.size(); ++seed)
  {
    fates[static_cast<std::size_t>(places[seed])] = lines.seeds[seed];
  }
  lines.seeds = std::move(fates);
}

} // namespace

bool PathlineMarch::grow(std::vector<double> times, std::vector<PathSeed> seeds)
{
  const auto reached = static_cast<std::size_t>(std::max(next_, 0)) + 1; // times that must stay
  const std::vector<std::int32_t> places = places_among(seeds);
  const bool same_times =
      times.size() >= reached && times_.size() >= reached &&
      std::equal(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(reached), times_.begin());
  if (backward_ || !same_times || places.empty() != seeds_.empty())
  {
    return false;
  }
  std::vector<bool> is_old(seeds.size(), false);
  for (const std::int32_t place : places)
  {
    is_old[static_cast<std::size_t>(place)] = true;
  }
  const double end = times[reached - 1];
  std::vector<std::size_t> added;
  for (std::size_t seed = 0; seed < seeds.size(); ++seed)
  {
    if (!is_old[seed] && !pieces_.empty())
    {
      added.push_back(seed);
    }
    if (!is_old[seed] && seeds[seed].time < end)
    {
      return false;
    }
  }
  for (const std::size_t seed : new_)
  {
    added.push_back(static_cast<std::size_t>(places[seed]));
  }
  march_.renumber(places, seeds.size());
  for (Piece& piece : pieces_)
  {
    piece.start.clear(); // for frames before the last step, not requested while a simulation runs
    renumber(piece.lines, places, seeds.size());
  }
  renumber(previous_, places, seeds.size());
  renumber(earlier_, places, earlier_.seeds.empty() ? 0 : seeds.size());
  new_ = std::move(added);
  seeds_ = std::move(seeds);
  times_ = std::move(times);
  return true;
}

/// Releases the added seeds of the held intervals. `outside`: gets the seeds outside the mesh.
void PathlineMarch::release_new(const AdvectionContext& context, std::vector<std::size_t>& outside)
{
  std::vector<std::size_t> later;
  for (const std::size_t seed : new_)
  {
    if (seeds_[seed].time > context.held_end(1.0))
    {
      later.push_back(seed);
    }
    else if (const auto state = ParticleMarch::start(context, seeds_[seed].point, seeds_[seed].time, 1.0))
    {
      march_.add(seed, *state);
    }
    else
    {
      outside.push_back(seed);
    }
  }
  new_ = std::move(later);
}

void PathlineMarch::end_at(std::vector<Surface> surfaces)
{
  record_at(std::move(surfaces));
  for (Surface& surface : surfaces_)
  {
    surface.ends = true;
  }
}

void PathlineMarch::record_at(std::vector<Surface> surfaces)
{
  surfaces_ = std::move(surfaces);
  for (Surface& surface : surfaces_)
  {
    surface.ends = false;
  }
}

/// The interval with a time in it or at its end, in the direction of the march.
std::int32_t PathlineMarch::interval_until(double time) const
{
  return interval_in(times_, time, backward_ ? 1.0 : -1.0);
}

double PathlineMarch::begin_of(const Piece& piece) const
{
  return times_[static_cast<std::size_t>(piece.first + (backward_ ? 1 : 0))];
}

bool PathlineMarch::serves(double time) const
{
  if (!ends_only_ || pieces_.empty() || pieces_.back().first == start_)
  {
    return true;
  }
  const double begin = begin_of(pieces_.back());
  return backward_ ? time <= begin : time >= begin;
}

/// Whether a frame is made of the ends of the piece before the last one.
bool PathlineMarch::ends_before(double time) const
{
  return ends_only_ && !pieces_.empty() && pieces_.back().first != start_ && time == begin_of(pieces_.back());
}

/// Plan for a frame within the last piece, which keeps only the ends of its lines. At its beginning the last points
/// come from the interval before, as in the first look at that time: bricks of moving levels differ from interval to
/// interval.
PathlineMarch::Plan PathlineMarch::plan_of_ends(double time, std::int32_t target, bool at_step) const
{
  const Piece& last = pieces_.back();
  if (time == begin_of(last))
  {
    return ends_before(time) ? Plan{} : Plan{ {}, range(last.first, last.first) };
  }
  const bool kept = at_step && target == next_ + (backward_ ? 1 : -1);
  return kept ? Plan{} : Plan{ {}, range(last.first, target) };
}

PathlineMarch::Plan PathlineMarch::plan(double time) const
{
  if (start_ < 0)
  {
    return {};
  }
  const double start = times_[static_cast<std::size_t>(start_ + (backward_ ? 1 : 0))];
  if (backward_ ? time > start : time < start)
  {
    return {}; // before the first release
  }
  if (time == start && !(ends_only_ && is_before(start_, next_)))
  {
    return is_before(start_, next_) ? Plan{} : Plan{ {}, range(start_, start_) };
  }
  return plan_until(time);
}

/// Plan for a frame after the first release.
PathlineMarch::Plan PathlineMarch::plan_until(double time) const
{
  const std::int32_t forth = backward_ ? -1 : 1;
  const std::int32_t target = interval_until(time);
  Plan plan;
  const bool at_step = time == times_[static_cast<std::size_t>(target + (backward_ ? 0 : 1))];
  if (ends_only_ && !pieces_.empty() && is_before(target, next_))
  {
    return plan_of_ends(time, target, at_step);
  }
  const std::int32_t last = at_step ? target : target - forth;
  if (!is_before(last, next_))
  {
    plan.march = range(next_, last);
  }
  if (!at_step)
  {
    const bool reached = is_before(target, next_);
    plan.ahead = range(reached ? piece_with(target)->first : target, target);
  }
  return plan;
}

/// The piece with an interval that the march has gone through.
std::vector<PathlineMarch::Piece>::const_iterator PathlineMarch::piece_with(std::int32_t interval) const
{
  auto piece = pieces_.end();
  do
  {
    --piece;
  } while (is_before(interval, piece->first));
  return piece;
}

/// Lines so far may have arrays that the field does not have any more.
void PathlineMarch::keep_arrays_of(const TraceField& field)
{
  keep_attributes(previous_, field.attributes);
  for (Piece& piece : pieces_)
  {
    keep_attributes(piece.lines, field.attributes);
  }
}

Result<void> PathlineMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  keep_arrays_of(context.field());
  Piece piece;
  piece.first = next_;
  try
  {
    if (!pieces_.empty())
    {
      piece.start = march_.states();
    }
    std::vector<std::size_t> outside;
    release_new(context, outside);
    Result<TracedLines> lines = pieces_.empty() ? trace_from_seeds(context, run, &march_) : trace_on(context, run);
    if (!lines)
    {
      return forward_error(lines);
    }
    for (const std::size_t seed : outside)
    {
      lines->seeds[seed].reason[0] = Termination::SeedOutside;
    }
    if (lines->data_error && lines->data_error->code == ErrorCode::BudgetTooSmall)
    {
      return tl::unexpected(*lines->data_error); // lines would go on after a gap
    }
    count(lines->statistics);
    piece.lines = std::move(*lines);
    add(std::move(piece));
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the particles on their way"));
  }
  next_ = context.intervals().at(backward_ ? 0 : 1) + (backward_ ? -1 : 1);
  return {};
}

/// Adds a piece, or puts it in the place of the one before, of which the fates are kept.
void PathlineMarch::add(Piece piece)
{
  if (ends_only_ && !pieces_.empty())
  {
    TracedLines& last = pieces_.back().lines;
    const std::vector<LineCrossing> crossed = std::exchange(last.crossings, {});
    earlier_.crossings.insert(earlier_.crossings.end(), crossed.begin(), crossed.end());
    const std::size_t way = backward_ ? 1 : 0;
    earlier_.seeds.resize(seeds_.size());
    for (std::size_t i = 0; i < seeds_.size(); ++i)
    {
      earlier_.seeds[i] = last.seeds[i].reason.at(way) != Termination::None ? last.seeds[i] : earlier_.seeds[i];
    }
    earlier_.data_error = earlier_.data_error ? earlier_.data_error : last.data_error;
    previous_ = std::move(pieces_.back().lines);
    pieces_.clear();
  }
  pieces_.push_back(std::move(piece));
}

Result<TracedLines> PathlineMarch::trace(
    const AdvectionContext& context, const AdvectPaths& advect, const RunOptions& run) const
{
  return trace_lines(context,
      { .releases = 2 * seeds_.size(),
          .advect = advect,
          .least_points = 1,
          .last_points_only = ends_only_,
          .surfaces = surfaces_.empty() ? nullptr : &surfaces_ },
      run);
}

/// `march`: nullptr for a look ahead.
Result<TracedLines> PathlineMarch::trace_from_seeds(
    const AdvectionContext& context, const RunOptions& run, ParticleMarch* march)
{
  const auto advect_seeds = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    FixedSeeds source(context, seeds_);
    AdvectionSummary summary = march != nullptr ? march->begin(context, source, recorder, watched)
                                                : advect(context, source, recorder, watched);
    mark_outside(context, source, recorder.paths());
    return summary;
  };
  return trace(context, advect_seeds, run);
}

Result<TracedLines> PathlineMarch::trace_on(const AdvectionContext& context, const RunOptions& run)
{
  const auto advect_on = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    return march_.go_on(context, recorder, watched);
  };
  return trace(context, advect_on, run);
}

Result<TracedLines> PathlineMarch::trace_ahead(
    const AdvectionContext& context, const RunOptions& run, std::span<const ParticleState> from)
{
  const auto advect_ahead = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    return ParticleMarch::look_ahead(from, context, recorder, watched);
  };
  return trace(context, advect_ahead, run);
}

Result<PathlineFrame> PathlineMarch::frame(double time) const
{
  return ends_before(time) ? join(time, 0, &previous_) : join(time, pieces_.size(), nullptr);
}

Result<PathlineFrame> PathlineMarch::frame_ahead(double time, const AdvectionContext& context, const RunOptions& run)
{
  keep_arrays_of(context.field());
  const std::int32_t first = context.intervals().at(backward_ ? 1 : 0);
  const auto before = static_cast<std::size_t>(
      std::count_if(pieces_.begin(), pieces_.end(), [&](const Piece& piece) { return is_before(piece.first, first); }));
  try
  {
    const bool goes_on = before == pieces_.size();
    const bool from_seeds = goes_on ? pieces_.empty() : pieces_[before].first == start_;
    const std::vector<ParticleState> now = goes_on && !from_seeds ? march_.states() : std::vector<ParticleState>{};
    Result<TracedLines> ahead = from_seeds ? trace_from_seeds(context, run, nullptr)
                                           : trace_ahead(context, run, goes_on ? now : pieces_[before].start);
    if (!ahead)
    {
      return forward_error(ahead);
    }
    count(ahead->statistics);
    return join(time, before, &*ahead);
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the particles on their way"));
  }
}

Result<PathlineFrame> PathlineMarch::join(double time, std::size_t pieces, const TracedLines* ahead) const
{
  try
  {
    std::vector<const TracedLines*> parts;
    parts.reserve(pieces + 2);
    if (!earlier_.seeds.empty())
    {
      parts.push_back(&earlier_);
    }
    std::transform(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(pieces), std::back_inserter(parts),
        [](const Piece& piece) { return &piece.lines; });
    if (ahead != nullptr)
    {
      parts.push_back(ahead);
    }
    return join_lines({ parts, seeds_, { times_.front(), times_.back() }, time, backward_, tail_, ends_only_ });
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("join the pieces of all lines"));
  }
}

void PathlineMarch::count(const TraceStatistics& more)
{
  statistics_.integration_steps += more.integration_steps;
  statistics_.trace_seconds += more.trace_seconds;
  statistics_.stall_seconds += more.stall_seconds;
  statistics_.parked += more.parked;
  statistics_.walks_parked += more.walks_parked;
  statistics_.seeks += more.seeks;
  statistics_.seeks_parked += more.seeks_parked;
}

} // namespace rivulet
