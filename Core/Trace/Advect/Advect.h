// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Moves particles through a field: a source says where they begin, a recorder what is kept of them.
///
///     AdvectionContext context = *AdvectionContext::unsteady(field, times, limits, options);
///     FixedSeeds seeds(context, starts);
///     EndStates ends(2 * starts.size());
///     AdvectionSummary summary = advect(context, seeds, ends, { .threads = 4 });
///
/// Workers take releases from the source in chunks. A worker keeps its particles in buckets, one per work item (a
/// brick, and in unsteady flow an interval of time). It pins the brick of one bucket, advances all of the bucket's
/// particles until they leave it, and puts each into its next bucket. It pins one brick at a time. A bucket whose brick
/// is not there is parked: the worker asks the source for the brick and turns to another bucket; when the brick arrives
/// the bucket is ready again. A worker waits only when all its buckets are parked. Which of the ready buckets comes
/// next is for a WorkQueue to say.
///
///   bucket:   (none) --first particle--> ready --brick pinned--> (emptied)
///                                          | brick missing            ^
///                                          v                          |
///                                        parked --brick arrived--> ready
///                                          any --brick cannot be read--> its particles end (DataMissing)
///
/// In unsteady flow the brick is pinned at both ends of the interval. That of its end is asked for when that of its
/// beginning is there. One bucket of a worker keeps the one while it waits for the other; if all did, all might hold
/// what others wait for.
///
/// What becomes of a particle depends on nothing but the field, the options and its release: not on the source's order,
/// the threads, or other particles.
#pragma once

#include "Trace/Advect/ParticleSource.h"
#include "Trace/Advect/Recorder.h"

#include <memory>

namespace rivulet
{

struct AdvectionSummary
{
  std::int64_t steps = 0;   ///< accepted
  std::int64_t outside = 0; ///< releases outside the field or its times
  std::int64_t parked = 0;  ///< times a particle had to wait for a brick
  /// Summed over workers: nothing to do but wait for bricks. Only the time in SlicedWork::wait(), so 0 with an executor
  /// that does not call it.
  double stall_seconds = 0.0;
  double seconds = 0.0;                ///< wall time
  bool stopped = false;                ///< before all particles had ended
  Termination cut = Termination::None; ///< why particles end where the run stopped
  /// Why particles end early, if some do: the first brick that could not be read, or no memory.
  std::shared_ptr<const Error> data_error;
};

/// Throws std::bad_alloc where the system has no memory to begin.
[[nodiscard]] AdvectionSummary advect(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run);

} // namespace rivulet
