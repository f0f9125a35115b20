// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The services of ranks for each other while they trace: particles that are lent (Trace/Advect/ParticleSharing.h), and
/// bricks that are read for others (Store/Derived/DistributedBricks.h).
///
///     SharedTracing shared(ranks, lines.ranked());      // on all ranks
///     shared.attach(run);
///     ... trace ...
///     shared.close(idle);                               // on all ranks
///
/// Threads: the one that called RequestData.
#pragma once

#include "Pipeline/Ranks.h"
#include "Store/Derived/DistributedBricks.h"
#include "Trace/Advect/ParticleSharing.h"

#include <functional>
#include <optional>

namespace rivulet
{

class SharedTracing
{
public:
  /// `bricks`: nullptr if each rank reads its own. If only some ranks have them, they are used by none. Collective.
  SharedTracing(const Ranks& ranks, DistributedBricks* bricks);
  SharedTracing(const SharedTracing&) = delete;
  SharedTracing& operator=(const SharedTracing&) = delete;
  ~SharedTracing() = default;

  /// Sets the options' `sharing` and `poll`. This object must outlive them.
  void attach(RunOptions& run);
  /// Serves the other ranks until all have come here, and calls `idle` about every 100 ms meanwhile.
  void close(const std::function<void()>& idle);

  /// Number of particles of this rank that others have advanced.
  [[nodiscard]] std::int64_t particles_lent() const { return particles_ ? particles_->lent() : 0; }
  /// Counters of this rank; none if each rank reads its own bricks.
  [[nodiscard]] std::optional<DistributedStatistics> bricks() const;

private:
  DistributedBricks* bricks_;
  std::optional<ParticleSharing> particles_; ///< none if there is one rank
};

} // namespace rivulet
