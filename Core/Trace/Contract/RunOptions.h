// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Threads, limits and callbacks of a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace rivulet
{

class Executor;
class ParticleSharing;

/// Threads, limits and callbacks of a run. None changes a result, unless it ends the run early.
struct RunOptions
{
  int threads = 0; ///< 0: all cores this process may use
  /// Called about every 100 ms by the calling thread with the share done, in [0, 1]; false stops the run.
  std::function<bool(double)> progress;
  /// Wall time after which lines end where they are, checked about every 100 ms; 0 = no limit. Attributes are
  /// interpolated afterwards. Streamlines and pathlines only.
  double maximum_seconds = 0.0;
  /// Particles advanced at a time by all threads together; 0: chosen by the run. With more than memory has bricks for,
  /// particles evict each other's bricks.
  std::int64_t most_particles = 0;
  /// Called about every `poll_interval` by the calling thread while workers work; false stops the run. For work that
  /// cannot wait for `progress`: requests of other ranks, a cancelled run.
  std::function<bool()> poll{};
  std::chrono::microseconds poll_interval{ 500 };
  /// Shares the particles out among ranks (Advect/ParticleSharing.h); nullptr: each rank advances its own. Set by
  /// ParticleSharing::attach(), with the poll.
  ParticleSharing* sharing = nullptr;
  /// Runs the workers, of which there are `threads`; nullptr: a ThreadExecutor. Must outlive the run.
  Executor* executor = nullptr;
};

} // namespace rivulet
