// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The bricks that a worker will probably want next, while it waits for others.
///
///     const std::vector<BrickKey>& keys = prefetcher.look(particles, item, step, requested);
///     source.prefetch(keys, 0);
///
/// First come the later time steps of the same work item. Then, particle by particle, come the bricks that followed in
/// earlier runs (Store/Hints/HintStore.h) and the bricks on the particle's path (PathPredictor.h). The number of bricks
/// follows from two times that the worker measures: while one brick is read, `read / (stay + cost)` others could be
/// passed through. All bricks that the worker waits for share this number, so that many particles, which keep the
/// storage busy with bricks that they are sure to need, prefetch nothing.
///
/// Threads: one. Seconds.
#pragma once

#include "Store/Hints/HintStore.h"
#include "Trace/Advect/PathPredictor.h"

#include <span>

namespace rivulet
{

class Prefetcher
{
public:
  /// Bricks ahead of all parked particles of a worker, however long a read takes.
  static constexpr std::int64_t kMost = 32;

  /// A worker with more particles looks at none and learns nothing: it has others to advance while one waits, and
  /// bricks that are read in vain would evict bricks that are needed again.
  static constexpr std::int64_t kFewParticles = 64;

  /// After BrickSource::prepare().
  explicit Prefetcher(const AdvectionContext& context);

  /// A particle goes to a work item. The worker has `active` particles.
  void enter(Particle& particle, std::int64_t item, std::int64_t active)
  {
    if (book_ != nullptr && particle.item != item)
    {
      go_to(particle, item, active);
    }
  }
  void keep_hints();

  /// Time from a request to its answer.
  void brick_came(double seconds) { update(read_, seconds); }
  /// Time in which the particles of one brick passed through it.
  void brick_was_used(double seconds) { update(stay_, seconds); }

  /// Keys to prefetch for the particles of a work item that wait for its brick at `step`, while the worker waits for
  /// `waiting` bricks altogether. Valid until the next call.
  [[nodiscard]] const std::vector<BrickKey>& look(
      std::span<Particle* const> particles, std::int64_t item, std::int32_t step, std::int64_t waiting);

private:
  static void update(double& mean, double seconds);
  [[nodiscard]] std::size_t room(std::int64_t waiting) const;
  void go_to(Particle& particle, std::int64_t item, std::int64_t active);
  [[nodiscard]] BrickKey place_of(std::int64_t item) const;
  void add_steps(std::int64_t item, std::size_t most);
  void add_hints(const Particle& particle, std::size_t most);

  const AdvectionContext& context_;
  PathPredictor paths_;
  HintStore* book_;
  std::shared_ptr<const HintGraph> known_;
  HintGraph learnt_;
  double read_ = 0.0;
  double stay_ = 0.0;
  std::vector<BrickKey> keys_;
};

} // namespace rivulet
