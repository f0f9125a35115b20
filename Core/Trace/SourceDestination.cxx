// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/SourceDestination.h"

#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Contract/NoMemory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <sstream>

namespace rivulet
{

namespace
{

/// Asks the hooks of a run about every 100 ms, while seeds are searched.
class StopWatch
{
public:
  explicit StopWatch(RunOptions run)
    : run_(std::move(run))
  {
  }

  [[nodiscard]] bool stopped()
  {
    constexpr std::chrono::milliseconds kOften{ 100 };
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kOften)
    {
      return false;
    }
    last_ = now;
    return (run_.progress && !run_.progress(0.0)) || (run_.poll && !run_.poll());
  }

private:
  RunOptions run_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::string in_words(double number)
{
  std::ostringstream text;
  text << number;
  return text.str();
}

/// Checks release times and end against the times of the field.
Result<void> check_times(const SourceDestinationQuery& query, const std::vector<double>& times)
{
  if (query.release_times.empty())
  {
    return fail(ErrorCode::BadArgument, "the query has no release time");
  }
  if (times.size() < 2)
  {
    return fail(ErrorCode::BadArgument, "a field of one time step has no pathlines");
  }
  const double sign = query.end < query.release_times.front() ? -1.0 : 1.0;
  const auto within = [&times](double time)
  {
    return time >= times.front() && time <= times.back();
  };
  const auto lasts = "the field lasts from " + in_words(times.front()) + " to " + in_words(times.back());
  for (std::size_t i = 0; i < query.release_times.size(); ++i)
  {
    const double time = query.release_times[i];
    if (!within(time))
    {
      return fail(ErrorCode::BadArgument, "the release time " + in_words(time) + " lies outside the field's", lasts);
    }
    if (i > 0 && !((time - query.release_times[i - 1]) * sign > 0.0))
    {
      return fail(ErrorCode::BadArgument,
          "the release time " + in_words(time) + " follows " + in_words(query.release_times[i - 1]),
          "give release times in order, from the first to the end time");
    }
  }
  if (!within(query.end) || (query.end - query.release_times.back()) * sign < 0.0)
  {
    return fail(ErrorCode::BadArgument,
        "particles released at " + in_words(query.release_times.back()) + " cannot end at " + in_words(query.end),
        lasts);
  }
  return {};
}

/// Checks the regions and the numbers of a query.
Result<void> check_regions(const SourceDestinationQuery& query)
{
  if (query.sources.empty() || query.destinations.empty())
  {
    return fail(ErrorCode::BadArgument,
        query.sources.empty() ? "the query has no source region" : "the query has no destination region");
  }
  if (query.destinations.size() > CrossingLog::kMostSurfaces)
  {
    return fail(ErrorCode::BadArgument,
        "the query has " + std::to_string(query.destinations.size()) + " destination regions; the most are " +
            std::to_string(CrossingLog::kMostSurfaces),
        "make several queries");
  }
  const auto good = [](const Region& region)
  {
    return region.side && !region.bounds.has_nan();
  };
  if (!std::all_of(query.sources.begin(), query.sources.end(), good) ||
      !std::all_of(query.destinations.begin(), query.destinations.end(), good))
  {
    return fail(ErrorCode::BadArgument, "a region has no function, or a bound that is not a number");
  }
  if (query.most_particles < 1 || query.parts < 1 || query.part < 0 || query.part >= query.parts)
  {
    return fail(ErrorCode::BadArgument, "the query has chunks of " + std::to_string(query.most_particles) +
                                            " particles, and is part " + std::to_string(query.part) + " of " +
                                            std::to_string(query.parts));
  }
  return {};
}

} // namespace

Result<AdvectionContext> hit_context(const TraceField& field, std::span<const double> times,
    const SourceDestinationQuery& query, const PathlineOptions& options)
{
  std::vector<double> of_steps(times.begin(), times.end());
  if (of_steps.empty() && field.velocity.source != nullptr)
  {
    of_steps = field.velocity.source->info().times;
  }
  const double start = query.release_times.empty() ? query.end : query.release_times.front();
  PathlineOptions ends_only = options;
  ends_only.direction = query.end < start ? TraceDirection::Backward : TraceDirection::Forward;
  ends_only.compute_vorticity = false;
  ends_only.terminal_speed = 0.0; // a particle at rest stays there until the end
  Result<AdvectionContext> context = AdvectionContext::unsteady(
      field, std::move(of_steps), { std::min(start, query.end), std::max(start, query.end) }, ends_only);
  if (context)
  {
    if (Result<void> good = check_times(query, context->times()); !good)
    {
      return forward_error(good);
    }
  }
  return context;
}

Result<HitMarch> HitMarch::create(
    SourceDestinationQuery query, std::vector<double> times, const PathlineOptions& options)
{
  Result<void> good = check_times(query, times);
  good = good ? check_regions(query) : good;
  if (!good)
  {
    return forward_error(good);
  }
  Result<SeedBlocks> seeds = SeedBlocks::create(std::move(query.seeds), std::move(query.sources));
  if (!seeds)
  {
    return forward_error(seeds);
  }
  const auto releases = static_cast<std::int64_t>(query.release_times.size());
  if (seeds->count() > std::numeric_limits<std::int64_t>::max() / releases)
  {
    return fail(
        ErrorCode::BadArgument, "there are more seeds and release times than can be counted", "give a larger spacing");
  }
  return HitMarch(std::move(query), std::move(times), std::move(*seeds), options.maximum_time);
}

HitMarch::HitMarch(SourceDestinationQuery query, std::vector<double> times, SeedBlocks seeds, double longest)
  : query_(std::move(query))
  , times_(std::move(times))
  , seeds_(std::move(seeds))
  , longest_(longest)
{
  for (const Region& destination : query_.destinations)
  {
    surfaces_.push_back({ .side = destination.side,
        .numbers = destination.numbers,
        .ends = query_.ends_at_first_hit,
        .within_distance = destination.within_distance });
  }
  result_.released.resize(seeds_.sources().size());
  result_.hit_counts.resize(seeds_.sources().size() * surfaces_.size());
}

/// Number of all positions.
std::int64_t HitMarch::positions() const
{
  return seeds_.count() * static_cast<std::int64_t>(query_.release_times.size());
}

double HitMarch::release_time_at(std::int64_t position) const
{
  return query_.release_times[static_cast<std::size_t>(position / seeds_.count())];
}

/// First and last interval, in the direction of time, of the releases of some positions.
std::array<std::int32_t, 2> HitMarch::intervals_of(std::int64_t first, std::int64_t last) const
{
  double end = query_.end;
  if (longest_ > 0.0)
  {
    const double longest = release_time_at(last) + sign() * longest_;
    end = sign() > 0.0 ? std::min(end, longest) : std::max(end, longest);
  }
  const std::int32_t to = interval_in(times_, end, -sign());
  const std::int32_t from = interval_in(times_, release_time_at(first), sign());
  return { is_before(to, from) ? to : from, to }; // a release at its end belongs to the interval before it
}

std::optional<IntervalRange> HitMarch::next() const
{
  if (result_.cancelled || (!chunk_ && position_ >= positions()))
  {
    return std::nullopt;
  }
  const auto [first, last] =
      chunk_ ? std::array{ chunk_->next, chunk_->last } : intervals_of(position_, positions() - 1);
  return IntervalRange{ std::min(first, last), std::max(first, last) };
}

Result<void> HitMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  const std::optional<IntervalRange> wanted = next();
  if (!wanted)
  {
    return {};
  }
  const std::int32_t first = sign() < 0.0 ? wanted->last : wanted->first;
  if (!context.holds(first))
  {
    return fail(
        ErrorCode::BadArgument, "the interval " + std::to_string(first) + " of time, which is next, is not held");
  }
  try
  {
    if (!chunk_ && !begin_chunk(context, run))
    {
      return {};
    }
    HitRecorder recorder(surfaces_);
    const AdvectionSummary summary = advance(context, recorder, run);
    add_hits_of(recorder);
    take_back(recorder);
    recorder.add_ends(result_.ends);
    result_.steps += summary.steps;
    result_.seconds += summary.seconds;
    result_.stall_seconds += summary.stall_seconds;
    result_.data_error = result_.data_error ? result_.data_error : summary.data_error;
    if (summary.stopped)
    {
      stop(summary.cut);
    }
    const bool all_over = query_.parts == 1 && going() == 0;
    if (is_before(chunk_->last, chunk_->next) || all_over || result_.cancelled)
    {
      end_chunk();
    }
    return {};
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the particles of a chunk, or the hits"));
  }
}

/// Collects the releases of the next chunk. False if there are none, or the run was stopped.
bool HitMarch::begin_chunk(const AdvectionContext& context, const RunOptions& run)
{
  Chunk chunk;
  chunk.positions = { position_, position_ };
  chunk.released.resize(result_.released.size());
  if (!collect(chunk, context, run))
  {
    stop(Termination::Cancelled);
    return false;
  }
  position_ = chunk.positions[1];
  std::transform(
      chunk.released.begin(), chunk.released.end(), result_.released.begin(), result_.released.begin(), std::plus<>());
  result_.outside += chunk.outside;
  result_.particles += static_cast<std::int64_t>(chunk.releases.size());
  const auto [first, last] = intervals_of(chunk.positions[0], chunk.positions[1] - 1);
  chunk.first = chunk.next = first;
  chunk.last = last;
  if (chunk.count > 0)
  {
    chunk_ = std::move(chunk);
  }
  return chunk_.has_value();
}

/// Fills a chunk. False if the run was stopped.
bool HitMarch::collect(Chunk& chunk, const AdvectionContext& context, const RunOptions& run) const
{
  StopWatch watch(with_progress(run, static_cast<double>(chunk.positions[0]), 0.0));
  const std::int64_t parts = query_.parts;
  // Where a seed lies on a mesh that moves is known at the interval of its release.
  const auto can_be_located = [&](std::int64_t position)
  {
    const auto interval_of = [&](std::int64_t each)
    {
      return interval_in(times_, release_time_at(each), sign());
    };
    return !context.mesh().moves() || interval_of(position) == interval_of(chunk.positions[0]);
  };
  const std::int64_t most = query_.most_particles > std::numeric_limits<std::int64_t>::max() / parts
                                ? std::numeric_limits<std::int64_t>::max()
                                : query_.most_particles * parts;
  // Of several parts, each has to know how many releases there are before it can take its own.
  const bool counts_first = query_.parts > 1;
  const std::array<std::int64_t, 2> all{ 0, counts_first ? 0 : std::numeric_limits<std::int64_t>::max() };
  while (chunk.positions[1] < positions() && chunk.count < most && can_be_located(chunk.positions[1]))
  {
    if (watch.stopped())
    {
      return false;
    }
    add_block(chunk, chunk.positions[1]++, context, all);
  }
  if (!counts_first)
  {
    return true;
  }
  const std::int64_t count = std::exchange(chunk.count, 0);
  const std::int64_t outside = std::exchange(chunk.outside, 0);
  const std::int64_t share = count / parts;
  const std::int64_t rest = count % parts;
  const auto begin_of = [&](std::int64_t part)
  {
    return part < parts ? part * share + std::min(part, rest) : count;
  };
  const std::array<std::int64_t, 2> own{ begin_of(query_.part), begin_of(query_.part + 1) };
  for (std::int64_t position = chunk.positions[0]; position < chunk.positions[1]; ++position)
  {
    if (watch.stopped())
    {
      return false;
    }
    add_block(chunk, position, context, own);
  }
  chunk.outside = query_.part == 0 ? outside : 0;
  return true;
}

/// Adds the releases of a block. `own`: begin and end of the numbers of this part's releases.
void HitMarch::add_block(
    Chunk& chunk, std::int64_t position, const AdvectionContext& context, const std::array<std::int64_t, 2>& own) const
{
  const double time = release_time_at(position);
  seeds_.visit(position % seeds_.count(), context.mesh(), context.moment_of(time, sign()),
      [&](const SeedBlocks::Seed& seed)
      {
        if (!seed.in_field)
        {
          ++chunk.outside;
          return;
        }
        const std::int64_t number = chunk.count++;
        if (number < own[0] || number >= own[1])
        {
          return;
        }
        chunk.releases.push_back({ seed.point, time });
        chunk.ids.push_back(seed.id);
        chunk.sources.insert(chunk.sources.end(), seed.sources.begin(), seed.sources.end());
        chunk.sources_end.push_back(chunk.sources.size());
        for (const std::int32_t source : seed.sources)
        {
          ++chunk.released[static_cast<std::size_t>(source)];
        }
      });
}

/// Moves the particles of the chunk through the intervals that are held.
AdvectionSummary HitMarch::advance(const AdvectionContext& context, Recorder& recorder, const RunOptions& run)
{
  Chunk& chunk = *chunk_;
  const std::int32_t held = context.intervals()[sign() < 0.0 ? 0 : 1];
  const std::int32_t last = is_before(held, chunk.last) ? held : chunk.last;
  const double all = std::abs(chunk.last - chunk.first) + 1;
  const double share = static_cast<double>(chunk.positions[1] - chunk.positions[0]) / all;
  const RunOptions watched =
      with_progress(run, static_cast<double>(chunk.positions[0]) + share * std::abs(chunk.next - chunk.first),
          share * (std::abs(last - chunk.next) + 1));
  chunk.next = last + static_cast<std::int32_t>(sign());
  if (chunk.march)
  {
    return chunk.march->go_on(context, recorder, watched);
  }
  FixedSeeds source(context, chunk.releases);
  if (last == chunk.last)
  {
    return advect(context, source, recorder, watched); // no other call follows
  }
  chunk.march.emplace(chunk.releases.size() * (sign() < 0.0 ? 2 : 1)); // by the ids of FixedSeeds
  return chunk.march->begin(context, source, recorder, watched);
}

/// Reports progress as a part of the whole. `first`, `share`: in positions.
RunOptions HitMarch::with_progress(const RunOptions& run, double first, double share) const
{
  RunOptions watched = run;
  if (run.progress)
  {
    const auto all = static_cast<double>(positions());
    watched.progress = [progress = run.progress, first, share, all](double done)
    {
      return progress(std::min(1.0, (first + share * done) / all));
    };
  }
  return watched;
}

void HitMarch::add_hits_of(const HitRecorder& recorder)
{
  std::vector<Hit> hits;
  recorder.for_each_entry(
      [&](const Crossing& entry)
      {
        const std::size_t i = static_cast<std::size_t>(entry.id) % chunk_->releases.size();
        const PathSeed& release = chunk_->releases[i];
        for (const std::int32_t source : chunk_->sources_of(i))
        {
          hits.push_back({ .seed = chunk_->ids[i],
              .release_point = release.point,
              .release_time = release.time,
              .source = source,
              .destination = entry.surface,
              .arrival_time = entry.time,
              .arrival_point = entry.point,
              .length = entry.length });
          ++result_.hit_counts[static_cast<std::size_t>(source) * surfaces_.size() +
                               static_cast<std::size_t>(entry.surface)];
        }
      });
  add_hits(result_.hits, std::move(hits));
}

/// Counts releases as outside of which the cell turned out to be hidden at their time.
void HitMarch::take_back(const HitRecorder& recorder)
{
  recorder.for_each_outside(
      [&](std::int64_t id)
      {
        const std::size_t i = static_cast<std::size_t>(id) % chunk_->releases.size();
        for (const std::int32_t source : chunk_->sources_of(i))
        {
          --result_.released[static_cast<std::size_t>(source)];
        }
        --result_.particles;
        ++result_.outside;
      });
}

/// Ends the march early. Particles that have not ended do so for this reason.
void HitMarch::stop(Termination reason)
{
  const std::int64_t ended = std::accumulate(result_.ends.begin(), result_.ends.end(), std::int64_t{ 0 });
  result_.ends.at(static_cast<std::size_t>(reason)) += result_.particles - ended;
  result_.cancelled = true;
}

Result<SourceDestinationResult> find_hits(const TraceField& field, std::span<const double> times,
    SourceDestinationQuery query, const PathlineOptions& options, const RunOptions& run)
{
  try
  {
    Result<AdvectionContext> context = hit_context(field, times, query, options);
    if (!context)
    {
      return forward_error(context);
    }
    Result<HitMarch> march = HitMarch::create(std::move(query), context->times(), options);
    if (!march)
    {
      return forward_error(march);
    }
    while (march->next())
    {
      if (Result<void> done = march->go_on(*context, run); !done)
      {
        return forward_error(done);
      }
    }
    return march->take();
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the seeds"));
  }
}

} // namespace rivulet
