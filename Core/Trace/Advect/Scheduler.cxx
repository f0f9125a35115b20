// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/Scheduler.h"

#include "Parallel/Team.h"
#include "Trace/Advect/ParticleWorker.h"
#include "Trace/Kernel/Kernel.h"
#include "Trace/Lines/AssembleLines.h"
#include "Trace/Mesh/FieldMesh.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>

namespace rivulet
{

namespace
{

/// Particles a worker keeps going, so that some can run while others wait for their bricks.
constexpr std::int64_t kInFlight = 256;
constexpr std::int64_t kFewInFlight = 8;

/// Every third bit of the answer is one of `x`, from its lowest 21 bits.
std::uint64_t spread(std::uint64_t x)
{
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

/// Morton order: seeds that are near each other in a brick start near each other in time, and share the processor's
/// caches.
std::int64_t cell_order(const CellPosition& at)
{
  const auto bits = [&](std::size_t axis)
  {
    return spread(static_cast<std::uint64_t>(at.cell[axis]));
  };
  return static_cast<std::int64_t>(bits(0) | bits(1) << 1 | bits(2) << 2);
}

void mark_outside(SharedRun& shared, std::size_t seed, std::size_t seeds, TraceDirection direction)
{
  if (direction != TraceDirection::Backward)
  {
    shared.results[seed].reason = Termination::SeedOutside;
  }
  if (direction != TraceDirection::Forward)
  {
    shared.results[seeds + seed].reason = Termination::SeedOutside;
  }
}

/// Whether a line can begin at this time.
bool within_times(const AdvectionContext& context, double time)
{
  return !context.is_unsteady() || (time >= context.limits()[0] && time <= context.limits()[1]);
}

/// Fills the tasks in storage order; returns the number of seeds outside.
std::int64_t make_tasks(SharedRun& shared, std::span<const PathSeed> seeds)
{
  const AdvectionContext& context = shared.context;
  const TraceDirection direction = context.options().direction;
  const BrickSource& source = *context.field().velocity.source;
  std::int64_t outside = 0;
  for (std::size_t seed = 0; seed < seeds.size(); ++seed)
  {
    const double time = seeds[seed].time;
    const auto found = context.mesh().locate(seeds[seed].point);
    if (!found || !within_times(context, time))
    {
      mark_outside(shared, seed, seeds.size(), direction);
      ++outside;
      continue;
    }
    const auto add = [&](double sign, std::size_t number)
    {
      const std::int32_t interval = context.is_unsteady() ? context.interval_of(time, sign) : 0;
      const std::int64_t item = context.item_of(found->second, interval);
      shared.tasks.push_back({ .number = static_cast<std::int64_t>(number),
          .item = item,
          .order = source.storage_order(context.key_of(item)),
          .cell_order = cell_order(found->first),
          .seed = found->first,
          .time = time });
    };
    if (direction != TraceDirection::Backward)
    {
      add(1.0, seed);
    }
    if (direction != TraceDirection::Forward)
    {
      add(-1.0, seeds.size() + seed);
    }
  }
  std::sort(shared.tasks.begin(), shared.tasks.end(),
      [](const Task& a, const Task& b)
      { return std::tie(a.order, a.cell_order, a.number) < std::tie(b.order, b.cell_order, b.number); });
  return outside;
}

/// Those that a run did not come to before it was stopped.
void mark_not_begun(SharedRun& shared)
{
  for (const Task& task : shared.tasks)
  {
    Termination& reason = shared.results[static_cast<std::size_t>(task.number)].reason;
    reason = reason == Termination::None ? shared.cut.load() : reason;
  }
}

/// The length of a line at most, in cells.
double longest_way(const AdvectionContext& context)
{
  const TraceOptions& options = context.options();
  const Grid& grid = context.field().grid;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool uneven = axis < grid.axes.size() && grid.axes[axis].size() > 1;
    const double length = uneven ? std::abs(grid.axes[axis].back() - grid.axes[axis].front())
                                 : std::abs(grid.spacing[axis]) * (grid.nodes[axis] - 1);
    smallest = length > 0.0 ? std::min(smallest, length / (grid.nodes[axis] - 1)) : smallest;
  }
  const double step = options.integrator == Integrator::RungeKutta45 ? options.maximum_step : options.initial_step;
  const double in_cells = options.step_unit == StepUnit::CellLength ? step * std::sqrt(3.0)
                          : options.step_unit == StepUnit::Length   ? step / smallest
                                                                    : 1.0; // what a step in time is meant to be
  return std::min(static_cast<double>(options.maximum_steps) * in_cells, options.maximum_length / smallest);
}

/// Tells the source what comes.
void announce(const SharedRun& shared, int threads)
{
  const std::vector<Task>& tasks = shared.tasks;
  Workload workload;
  const SourceArray& velocity = shared.context.field().velocity;
  workload.variable = velocity.variable;
  workload.step = velocity.step;
  workload.threads = threads;
  workload.particles = static_cast<std::int64_t>(tasks.size());
  workload.longest_way = longest_way(shared.context);
  workload.at_once = std::min(workload.particles, threads * shared.in_flight);
  constexpr std::size_t kMostNamed = 64;
  const std::size_t named = std::min(tasks.size(), kMostNamed);
  for (std::size_t i = 0; i < named; ++i)
  {
    workload.first_bricks.push_back(shared.context.brick_of_item(tasks[i * tasks.size() / named].item));
  }
  velocity.source->prepare(workload);
}

/// Particles that each worker keeps going. A quarter of its share at a time leaves the rest to whoever is done first;
/// but a few at least, so that there is always one to go on with where others wait for the disk.
std::int64_t in_flight(std::int64_t tasks, int threads, const RunOptions& run)
{
  const std::int64_t good = std::max(tasks / (std::int64_t{ 4 } * threads), std::min(kFewInFlight, tasks / threads));
  const std::int64_t most = run.most_particles > 0 ? run.most_particles / threads : kInFlight;
  return std::clamp<std::int64_t>(std::min(good, most), 1, kInFlight);
}

} // namespace

TracedTasks trace_tasks(const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run)
{
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&]
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  SharedRun shared(context);
  shared.results.resize(2 * seeds.size());
  TracedTasks traced;
  traced.statistics.seeds_outside = make_tasks(shared, seeds);

  const auto tasks = static_cast<std::int64_t>(shared.tasks.size());
  const auto threads =
      static_cast<int>(std::clamp<std::int64_t>(resolve_threads(run.threads), 1, std::max<std::int64_t>(tasks, 1)));
  shared.in_flight = in_flight(tasks, threads, run);
  shared.chunk = std::max<std::int64_t>(1, shared.in_flight / 8);
  announce(shared, threads);

  const auto room = std::make_shared<LineRoom>(static_cast<double>(bytes_per_point(context)) / context.layout().bytes);
  std::vector<std::unique_ptr<ParticleWorker>> workers;
  for (int i = 0; i < threads; ++i)
  {
    traced.stores.push_back(std::make_unique<LineStore>(context.layout(), room));
    workers.push_back(std::make_unique<ParticleWorker>(shared, *traced.stores.back()));
  }
  const auto watch = [&]
  {
    const double share = tasks == 0 ? 1.0 : static_cast<double>(shared.finished.load()) / static_cast<double>(tasks);
    if (run.progress && !run.progress(share))
    {
      shared.stop.store(true);
    }
    else if (run.maximum_seconds > 0.0 && seconds() >= run.maximum_seconds && !shared.stop.load())
    {
      shared.cut.store(Termination::OutOfSeconds);
      shared.stop.store(true);
    }
  };
  run_team(
      threads, [&](int worker) { workers[static_cast<std::size_t>(worker)]->run(); }, watch);

  traced.cancelled = shared.stop.load();
  mark_not_begun(shared);
  for (const std::unique_ptr<ParticleWorker>& worker : workers)
  {
    traced.statistics.integration_steps += worker->steps_taken();
    traced.statistics.stall_seconds += worker->stall_seconds();
    traced.statistics.parked += worker->times_parked();
  }
  traced.results = std::move(shared.results);
  traced.data_error = shared.out_of_memory ? no_memory_for("keep all lines") : shared.error;
  traced.statistics.trace_seconds = seconds();
  return traced;
}

} // namespace rivulet
