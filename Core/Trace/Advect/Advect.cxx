// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/Advect.h"

#include "Parallel/Team.h"
#include "Parallel/ThreadExecutor.h"
#include "Trace/Advect/ParticleWorker.h"
#include "Trace/Advect/SharedAdvection.h"
#include "Trace/Contract/NoMemory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

/// Particles that a worker has at a time, so that some can be advanced while others wait for their bricks.
constexpr std::int64_t kInFlight = 256;
constexpr std::int64_t kFewInFlight = 8;
/// Particles that a worker has where all of them wait, if there are so many: each keeps a read under way, and devices
/// serve 64 and more at a time.
constexpr std::int64_t kInFlightWaiting = 128;
/// In unsteady flow all particles pass the time steps together. Particles taken later would read all steps again. A few
/// are faster where each step is one brick, as arrays in memory are: their states stay in the processor's caches.
constexpr std::int64_t kInFlightUnsteady = 32768;
/// If the bricks of all steps fit into memory, nothing is read again, and a worker has no more than this while none of
/// its particles wait for bricks.
constexpr std::int64_t kInFlightAmple = 512;

/// Keys of some bricks in which particles begin.
std::vector<BrickKey> first_bricks(const AdvectionContext& context, const ParticleSource& source)
{
  constexpr std::size_t kMostNamed = 64;
  const auto& [first, last] = context.intervals();
  std::vector<BrickKey> keys;
  for (const Release& release : source.some(kMostNamed))
  {
    const auto found = release.brick != Release::kNotLocated
                           ? std::optional(Mesh::Place{ release.at, release.brick })
                           : context.mesh().enter(release.point, context.moment_of(release.time, release.sign));
    if (found && found->brick >= 0)
    {
      const std::int32_t interval =
          context.is_unsteady() ? std::clamp(context.interval_of(release.time, release.sign), first, last) : 0;
      keys.push_back(context.key_of(context.item_of(found->brick, interval)));
    }
  }
  return keys;
}

/// Tells the field's source about the run.
void announce(const SharedRun& shared, int threads)
{
  const std::int64_t particles = shared.source.expected();
  shared.context.field().velocity.source->prepare({ .threads = threads,
      .at_once = std::min(particles, threads * shared.in_flight),
      .first_bricks = first_bricks(shared.context, shared.source) });
}

/// Largest number of particles that a worker has at a time.
std::int64_t most_in_flight(const AdvectionContext& context, int threads, const RunOptions& run)
{
  const bool together = context.is_unsteady() && context.bricks().size() > 1;
  const std::int64_t room = together ? kInFlightUnsteady : kInFlight;
  return run.most_particles > 0 ? std::clamp<std::int64_t>(run.most_particles / threads, 1, room) : room;
}

/// Particles that each worker has at a time: a quarter of its share, which leaves the rest to the worker that finishes
/// first. At least `least` of them, if there are so many.
std::int64_t in_flight(std::int64_t particles, int threads, std::int64_t least)
{
  return std::max(particles / (std::int64_t{ 4 } * threads), std::min(least, particles / threads));
}

/// Whether the bricks of all steps that the run may touch can be in memory at once. Bricks of a cut of
/// their own are made of other values, which have a budget.
bool all_fit(const AdvectionContext& context)
{
  const BrickSource& source = *context.field().velocity.source;
  const auto& [first, last] = context.intervals();
  const std::int64_t steps =
      context.is_unsteady() ? context.steps_of(last).last - context.steps_of(first).first + 1 : 1;
  return source.own_cut() == nullptr && source.bricks_at_once() >= steps * context.bricks().size();
}

/// Bricks that each worker may have requested and not used yet. All together take a quarter of the memory for bricks;
/// more would evict bricks that wait for bricks of the other time step.
std::int64_t most_requests(const AdvectionContext& context, int threads)
{
  constexpr std::int64_t kMost = 256;
  constexpr std::int64_t kMostUnsteady = 128;
  const std::int64_t share = context.field().velocity.source->bricks_at_once() / (std::int64_t{ 4 } * threads);
  return std::clamp<std::int64_t>(share, 1, context.is_unsteady() ? kMostUnsteady : kMost);
}

/// Hooks of a run for the calling thread: progress, stop, health of the files.
class RunWatch
{
public:
  RunWatch(SharedRun& shared, const std::vector<std::unique_ptr<ParticleWorker>>& workers, const RunOptions& run)
    : shared_(shared)
    , workers_(workers)
    , run_(run)
  {
  }

  /// Must not outlive this object.
  [[nodiscard]] Watch hooks()
  {
    Watch watch{ .report = [this] { report(); }, .interval = run_.poll_interval };
    if (run_.poll)
    {
      watch.poll = [this]
      {
        poll();
      };
    }
    return watch;
  }

  [[nodiscard]] double seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  void report()
  {
    const std::int64_t expected = std::max<std::int64_t>(shared_.source.expected(), 1);
    const double share = static_cast<double>(shared_.finished.load()) / static_cast<double>(expected);
    if (run_.progress && !run_.progress(std::min(1.0, share)))
    {
      stop();
    }
    else if (run_.maximum_seconds > 0.0 && seconds() >= run_.maximum_seconds && !shared_.stop.load())
    {
      shared_.cut.store(Termination::OutOfSeconds);
      stop();
    }
  }

  void poll()
  {
    if (!run_.poll())
    {
      stop();
    }
  }

  void stop()
  {
    shared_.stop.store(true);
    for (const std::unique_ptr<ParticleWorker>& worker : workers_)
    {
      worker->wake();
    }
  }

  SharedRun& shared_;
  const std::vector<std::unique_ptr<ParticleWorker>>& workers_;
  const RunOptions& run_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Particles by which a run chooses its threads and how many to advance at a time. Ranks that share have enough for all
/// threads, although they may have none of their own.
std::int64_t particles_to_expect(std::int64_t own, int threads, bool shared)
{
  return shared ? std::max(own, std::int64_t{ 4 } * kInFlight * threads) : own;
}

/// Whether all steps together take a few milliseconds.
bool is_brief(const AdvectionContext& context, std::int64_t particles)
{
  static constexpr std::int64_t kSteps = 8192;
  return particles <= kSteps / std::max<std::int64_t>(context.options().maximum_steps, 1);
}

/// Sets the numbers of particles that each of the threads has at a time.
void share_out(SharedRun& shared, std::int64_t particles, int threads, const RunOptions& run)
{
  const AdvectionContext& context = shared.context;
  const std::int64_t most = most_in_flight(context, threads, run);
  const std::int64_t with_work = std::clamp<std::int64_t>(in_flight(particles, threads, kFewInFlight), 1, most);
  shared.in_flight = std::clamp<std::int64_t>(in_flight(particles, threads, kInFlightWaiting), 1, most);
  shared.with_work = all_fit(context) ? std::min(with_work, kInFlightAmple) : with_work;
  shared.chunk = std::clamp<std::int64_t>(with_work / 8, 1, kInFlight);
  shared.most_requests = most_requests(context, threads);
}

AdvectionSummary advect_here(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run)
{
  SharedRun shared{ context, source, recorder };
  std::vector<std::unique_ptr<ParticleWorker>> workers;
  RunWatch watch(shared, workers, run);
  const int allowed = resolve_threads(run.threads);
  const std::int64_t particles = particles_to_expect(source.expected(), allowed, run.sharing != nullptr);
  auto threads = static_cast<int>(std::clamp<std::int64_t>(allowed, 1, std::max<std::int64_t>(particles, 1)));
  share_out(shared, particles, threads, run);
  announce(shared, threads);
  threads = std::clamp(context.field().velocity.source->useful_threads(threads), 1, threads);
  share_out(shared, particles, threads, run); // the source may have chosen another strategy

  recorder.prepare(context, threads);
  for (int i = 0; i < threads; ++i)
  {
    workers.push_back(std::make_unique<ParticleWorker>(shared, i));
  }
  const auto worker_of = [&workers](int number) -> ParticleWorker&
  {
    return *workers[static_cast<std::size_t>(number)];
  };
  executor_or_threads(run.executor)
      .run(threads,
          { .slice = [&](int number) { return worker_of(number).slice(); },
              .wait = [&](int number) { worker_of(number).wait(); },
              .brief = !run.poll && is_brief(context, particles) }, // other ranks wait for polls
          watch.hooks());

  AdvectionSummary summary;
  summary.stopped = shared.stop.load();
  summary.cut = shared.cut.load();
  for (const std::unique_ptr<ParticleWorker>& worker : workers)
  {
    summary.steps += worker->steps_taken();
    summary.outside += worker->releases_outside();
    summary.stall_seconds += worker->stall_seconds();
    summary.parked += worker->times_parked();
    worker->keep_hints();
  }
  const Mesh::SearchCounts searches = context.mesh().searches();
  summary.walks_parked = searches.walks_parked;
  summary.seeks = searches.seeks;
  summary.seeks_parked = searches.seeks_parked;
  const std::shared_ptr<const Error> of_mesh = context.mesh().take_error();
  summary.data_error = shared.out_of_memory ? no_memory_for("keep all lines") : shared.error ? shared.error : of_mesh;
  summary.seconds = watch.seconds();
  return summary;
}

} // namespace

AdvectionSummary advect(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run)
{
  if (run.sharing == nullptr || run.sharing->size() == 1)
  {
    return advect_here(context, source, recorder, run);
  }
  const std::int64_t together = most_in_flight(context, resolve_threads(run.threads), run);
  SharedAdvection shared(*run.sharing, context, source, recorder, together);
  AdvectionSummary summary = advect_here(context, shared.source(), shared.recorder(), run);
  shared.finish(run, summary);
  return summary;
}

} // namespace rivulet
