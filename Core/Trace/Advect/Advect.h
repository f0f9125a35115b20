// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Moves particles through a field: a source releases them, a recorder keeps their results.
///
///     AdvectionContext context = *AdvectionContext::unsteady(field, times, limits, options);
///     FixedSeeds seeds(context, starts);
///     std::vector<EndState> states(2 * starts.size());
///     EndStates ends(states);
///     AdvectionSummary summary = advect(context, seeds, ends, { .threads = 4 });
///
/// Workers take releases from the source in chunks. A worker keeps its particles in buckets, one per work item (a
/// brick, and in unsteady flow an interval of time). It pins the brick of one bucket, advances all of the bucket's
/// particles until they leave it, and puts each into its next bucket. It pins one brick at a time. A bucket whose brick
/// is not there is parked: the worker requests the brick and turns to another bucket; when the brick arrives the bucket
/// is ready again. A worker waits only when all its buckets are parked. A WorkQueue chooses the next ready bucket.
///
///   bucket:   (none) --first particle--> ready --brick pinned--> (emptied)
///                                          | brick missing            ^
///                                          v                          |
///                                        parked --brick arrived--> ready
///                                          any --brick cannot be read--> its particles end (DataMissing)
///
/// In unsteady flow the brick is pinned at all time steps that the interval needs: at both its ends, and with cubic
/// interpolation in time at the steps before and after it. The brick at a step is requested when the bricks at the
/// steps before are there. Only one bucket of a worker keeps bricks while it waits for another brick. If all buckets
/// did, each might hold memory that another bucket waits for.
///
/// With `RunOptions::sharing` the particles of all ranks are shared out among them (ParticleSharing.h).
///
/// The path of a particle depends only on the field, the options and its release: not on the source's order, the
/// threads, or other particles.
#pragma once

#include "Trace/Advect/ParticleSource.h"
#include "Trace/Advect/Recorder.h"
#include "Trace/Contract/RunOptions.h"

#include <memory>

namespace rivulet
{

struct AdvectionSummary
{
  std::int64_t steps = 0;        ///< number of accepted steps
  std::int64_t outside = 0;      ///< releases outside the field or its times
  std::int64_t parked = 0;       ///< number of times that a particle had to wait for a brick
  std::int64_t walks_parked = 0; ///< as in TraceStatistics
  std::int64_t seeks_parked = 0; ///< as in TraceStatistics
  std::int64_t seeks = 0;        ///< as in TraceStatistics
  /// Summed over workers: time spent waiting for bricks. Only time in SlicedWork::wait(), so 0 with an executor that
  /// does not call it.
  double stall_seconds = 0.0;
  double seconds = 0.0;                ///< wall time
  bool stopped = false;                ///< whether the run stopped before all particles had ended
  Termination cut = Termination::None; ///< reason of particles that ended because the run stopped
  /// The reason if particles end early: the first brick that could not be read, or lack of memory.
  std::shared_ptr<const Error> data_error;
};

/// Throws std::bad_alloc if the system has no memory to begin.
[[nodiscard]] AdvectionSummary advect(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run);

} // namespace rivulet
