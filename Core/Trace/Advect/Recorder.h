// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What is kept of the particles of a run. A recorder is told of each particle's end; where it keeps the points on the
/// way, too, it gives each worker a store for them. The kernel is compiled for both (Kernel/RecordPath-inl.h,
/// Kernel/RecordEnd-inl.h): a run that keeps end states only does nothing per step but the step.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/Particle.h"

namespace rivulet
{

class Recorder
{
public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;

  /// Before the run, which has so many workers. Throws std::bad_alloc.
  virtual void prepare(const AdvectionContext& context, int workers) = 0;
  /// Where a worker's particles keep their points; nullptr: nowhere.
  [[nodiscard]] virtual LineStore* store_of(int worker) = 0;
  /// Where the crossings of a worker's particles are noted; nullptr: there are no surfaces.
  [[nodiscard]] virtual CrossingLog* crossings_of(int worker)
  {
    (void)worker;
    return nullptr;
  }
  /// A particle has ended, on the worker's own thread. Once for each release. Needs no memory.
  virtual void ended(int worker, const Particle& particle) = 0;
};

} // namespace rivulet
