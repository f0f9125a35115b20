// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/TraceLines.h"

#include "Parallel/Team.h"
#include "Parallel/ThreadExecutor.h"
#include "Trace/Advect/Advect.h"
#include "Trace/Contract/NoMemory.h"
#include "Trace/Lines/AssembleLines.h"
#include "Trace/Lines/InterpolateArrays.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace rivulet
{

namespace
{

/// Hooks of a run for the calling thread: reports progress, checks for a stop and the health of the files.
class LineWatch
{
public:
  LineWatch(const TraceField& field, const RunOptions& run)
    : source_(*field.velocity.source)
    , progress_(run.progress)
    , poll_(run.poll)
    , phases_(1.0 + static_cast<double>(field.attributes.size()) / 4.0)
  {
  }

  /// Reports that `share` of a phase with `weight` in the run is done. False if the run should stop.
  bool tick(double share, double weight)
  {
    check_health();
    if (progress_ && !progress_(std::min(1.0, (done_ + share * weight) / phases_)))
    {
      cancelled_ = true;
    }
    return !cancelled_;
  }

  /// Calls the run's poll, which must be set. False if the run should stop.
  bool poll()
  {
    cancelled_ = !poll_() || cancelled_;
    return !cancelled_;
  }

  /// Keeps the first error. The run goes on: lines end where their data ends.
  void check_health()
  {
    if (Result<void> healthy = source_.health(); !healthy && !error_)
    {
      error_ = std::make_shared<const Error>(std::move(healthy.error()));
    }
  }

  void finish_phase(double weight) { done_ += weight; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  [[nodiscard]] const std::shared_ptr<const Error>& error() const { return error_; }

private:
  BrickSource& source_;
  const std::function<bool(double)>& progress_;
  const std::function<bool()>& poll_;
  double phases_;
  double done_ = 0.0;
  bool cancelled_ = false;
  std::shared_ptr<const Error> error_;
};

void fill_attributes(const AdvectionContext& context, const Buffer<Position>& positions, const RunOptions& run,
    LineWatch& watch, TracedLines& lines)
{
  std::atomic<bool> stop{ false };
  const auto stop_unless = [&stop](bool going_on)
  {
    stop.store(stop.load() || !going_on);
  };
  Watch hooks{ .report = [&] { stop_unless(watch.tick(0.5, 0.25)); }, .interval = run.poll_interval };
  if (run.poll)
  {
    hooks.poll = [&]
    {
      stop_unless(run.poll());
    };
  }
  for (std::size_t i = 0; i < lines.attributes.size(); ++i)
  {
    if (static_cast<int>(i) == context.velocity_attribute() || lines.points.empty())
    {
      continue;
    }
    const PointPlaces points{ { positions.data(), positions.size() },
      context.is_unsteady() ? std::span<const double>(lines.time.data(), lines.time.size())
                            : std::span<const double>() };
    const std::shared_ptr<const Error> error = interpolate_attribute(context, context.field().attributes[i].array,
        points, lines.attributes[i].values.data(), { executor_or_threads(run.executor), run.threads, hooks, stop });
    watch.finish_phase(0.25);
    if (error && !lines.data_error)
    {
      lines.data_error = error;
    }
    if (watch.cancelled())
    {
      lines.cancelled = true;
      return;
    }
  }
}

// All bits set is a NaN in either precision.
void mark_attributes_missing(const AdvectionContext& context, TracedLines& lines)
{
  for (std::size_t i = 0; i < lines.attributes.size(); ++i)
  {
    if (static_cast<int>(i) != context.velocity_attribute())
    {
      std::fill(lines.attributes[i].values.begin(), lines.attributes[i].values.end(), std::byte{ 0xFF });
    }
  }
}

/// Interpolates the attributes, and marks missing values if the run was stopped or memory was lacking.
void fill_attributes_or_mark(const AdvectionContext& context, const Buffer<Position>& positions, const RunOptions& run,
    LineWatch& watch, TracedLines& lines)
{
  bool filled = false;
  try
  {
    if (!watch.cancelled())
    {
      fill_attributes(context, positions, run, watch, lines);
    }
    filled = !watch.cancelled();
  }
  catch (const std::bad_alloc&)
  {
    lines.data_error = no_memory_for("interpolate the arrays at the points of the lines");
  }
  if (!filled)
  {
    mark_attributes_missing(context, lines);
  }
}

/// Sets the reason for seeds that a stopped run did not reach.
void mark_not_reached(const FixedSeeds& source, const AdvectionSummary& summary, std::vector<TracedPath>& paths)
{
  for (const Release& release : source.releases())
  {
    Termination& reason = paths[static_cast<std::size_t>(release.id)].reason;
    reason = reason == Termination::None ? summary.cut : reason;
  }
}

/// Crossings with the numbers of seeds: release s is forward from seed s, release seeds + s backward.
std::vector<LineCrossing> crossings_of(const PathRecorder& recorder, std::size_t releases)
{
  const auto seeds = static_cast<std::int64_t>(releases / 2);
  std::vector<LineCrossing> crossings;
  for (const Crossing& each : recorder.crossings())
  {
    const bool backward = each.id >= seeds;
    crossings.push_back({ .seed = static_cast<std::int32_t>(each.id - (backward ? seeds : 0)),
        .backward = backward,
        .to_positive = each.to_positive,
        .point = each.point,
        .time = each.time,
        .length = each.length });
  }
  return crossings;
}

/// The points of the paths are freed when this returns.
TracedLines trace_paths(
    const AdvectionContext& context, const PathRun& paths, const RunOptions& run, Buffer<Position>& positions)
{
  PathRecorder recorder(
      paths.releases, static_cast<double>(bytes_per_point(context)) / context.layout().bytes, paths.least_points);
  if (paths.last_points_only)
  {
    recorder.keep_last_points();
  }
  if (paths.surfaces != nullptr)
  {
    recorder.watch(*paths.surfaces);
  }
  const AdvectionSummary summary = paths.advect(recorder, run);
  TracedLines lines = assemble(context, recorder, run, positions);
  lines.crossings = crossings_of(recorder, paths.releases);
  lines.data_error = lines.data_error ? lines.data_error : summary.data_error;
  lines.statistics = { .integration_steps = summary.steps,
    .stall_seconds = summary.stall_seconds,
    .parked = summary.parked,
    .walks_parked = summary.walks_parked,
    .seeks = summary.seeks,
    .seeks_parked = summary.seeks_parked };
  return lines;
}

TracedLines trace_and_assemble(const AdvectionContext& context, const PathRun& paths, const RunOptions& run)
{
  const auto start = std::chrono::steady_clock::now();
  LineWatch watch(context.field(), run);
  RunOptions watched = run;
  watched.threads = resolve_threads(run.threads);
  watched.progress = [&](double share)
  {
    return watch.tick(share, 1.0);
  };
  if (run.poll)
  {
    watched.poll = [&]
    {
      return watch.poll();
    };
  }
  Buffer<Position> positions;
  TracedLines lines = trace_paths(context, paths, watched, positions);
  watch.finish_phase(1.0);
  lines.cancelled = watch.cancelled();
  fill_attributes_or_mark(context, positions, watched, watch, lines);
  watch.check_health();
  if (watch.error())
  {
    lines.data_error = watch.error(); // a better error than that a brick could not be read
  }
  lines.statistics.trace_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return lines;
}

} // namespace

void mark_outside(const AdvectionContext& context, const FixedSeeds& source, std::vector<TracedPath>& paths)
{
  const std::size_t seeds = paths.size() / 2;
  for (const std::int64_t seed : source.outside())
  {
    if (context.options().direction != TraceDirection::Backward)
    {
      paths[static_cast<std::size_t>(seed)].reason = Termination::SeedOutside;
    }
    if (context.options().direction != TraceDirection::Forward)
    {
      paths[seeds + static_cast<std::size_t>(seed)].reason = Termination::SeedOutside;
    }
  }
}

namespace
{

/// Number of seeds without a release inside.
std::int64_t count_outside(const std::vector<TracedPath>& paths)
{
  const std::size_t seeds = paths.size() / 2;
  std::int64_t count = 0;
  for (std::size_t seed = 0; seed < seeds; ++seed)
  {
    count += paths[seed].reason == Termination::SeedOutside || paths[seeds + seed].reason == Termination::SeedOutside;
  }
  return count;
}

} // namespace

Result<TracedLines> trace_lines(const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run)
{
  std::int64_t outside = 0; // number of seeds
  const auto advect_seeds = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    FixedSeeds source(context, seeds);
    AdvectionSummary summary = advect(context, source, recorder, watched);
    mark_outside(context, source, recorder.paths());
    mark_not_reached(source, summary, recorder.paths());
    outside = count_outside(recorder.paths());
    return summary;
  };
  Result<TracedLines> lines = trace_lines(context, { 2 * seeds.size(), advect_seeds }, run);
  if (lines)
  {
    lines->statistics.seeds_outside = outside;
  }
  return lines;
}

Result<TracedLines> trace_lines(const AdvectionContext& context, const PathRun& paths, const RunOptions& run)
{
  try
  {
    return trace_and_assemble(context, paths, run);
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("trace from so many seeds"));
  }
}

} // namespace rivulet
