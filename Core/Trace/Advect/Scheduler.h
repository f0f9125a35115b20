// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Who traces which particle when.
///
/// Every (seed, direction) is a task. Tasks are ordered by where their seeds lie on the storage, and workers claim them
/// in chunks. A worker keeps its particles in buckets, one per brick that particles want; it pins the brick of one
/// bucket, advances all of the bucket's particles until they leave the brick, and puts each into its next bucket. It
/// pins one brick at a time. A bucket whose brick is not there is parked: the worker asks the source for the brick and
/// turns to another bucket; when the brick arrives the bucket is ready again. A worker sleeps only when all its buckets
/// are parked.
///
///   bucket:   (none) --first particle--> ready --brick pinned--> (emptied)
///                                          | brick missing            ^
///                                          v                          |
///                                        parked --brick arrived--> ready
///                                          any --brick cannot be read--> its particles end (DataMissing)
///
/// In unsteady flow there is a bucket for each brick and pair of neighbouring time levels, and the brick is pinned at
/// both. The upper level's is asked for when the lower one's is there. A worker holds no pin while it waits, or else
/// all could hold what others wait for; but where one of the two was dropped time and again before the other came, it
/// keeps it, for one bucket at a time.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/Particle.h"
#include "Trace/Pathlines.h"

#include <atomic>
#include <memory>
#include <span>

namespace rivulet
{

/// What became of one (seed, direction).
struct TaskResult
{
  PointChain chain; ///< in the store of the worker that traced it
  Termination reason = Termination::None;
  double length = 0.0;
  double time = 0.0;
  std::int64_t steps = 0;
};

/// All lines of a run, not yet in output order. Task t < seeds: forward from seed t; else backward from seed t - seeds.
struct TracedTasks
{
  std::vector<TaskResult> results;
  std::vector<std::unique_ptr<LineStore>> stores; ///< owns the chains
  TraceStatistics statistics;
  bool cancelled = false;
  std::shared_ptr<const Error> data_error;
};

/// Seeds' times are of no meaning in steady flow.
[[nodiscard]] TracedTasks trace_tasks(
    const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run);

} // namespace rivulet
