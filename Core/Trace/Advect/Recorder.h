// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Keeps the results of the particles of a run. A recorder is told of the end of each particle. If it keeps the points
/// of paths, too, it gives each worker a store for them.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/Kernel/Particle.h"

namespace rivulet
{

class Recorder
{
public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;

  /// Called before the run. Throws std::bad_alloc.
  virtual void prepare(const AdvectionContext& context, int workers) = 0;
  /// Store for the points of a worker's particles; nullptr: points are not kept.
  [[nodiscard]] virtual LineStore* store_of(int worker) = 0;
  /// Log for the crossings of a worker's particles; nullptr: no surfaces.
  [[nodiscard]] virtual CrossingLog* crossings_of(int worker)
  {
    (void)worker;
    return nullptr;
  }
  /// Called when a particle has ended, on the worker's thread, once per release. Allocates nothing.
  virtual void ended(int worker, const Particle& particle) = 0;
  /// Called when a particle starts in an interval that the context does not hold, on the worker's thread, at most once
  /// per release and instead of ended(). Allocates nothing. By default it counts as ended, without a reason.
  virtual void paused(int worker, const Particle& particle) { ended(worker, particle); }
};

} // namespace rivulet
