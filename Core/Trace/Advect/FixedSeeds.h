// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds known when a run begins, each released forward, backward or both: with n seeds, release s is forward from seed
/// s and release n + s backward. Releases are ordered by their bricks on the storage, and within a brick by place, so
/// that particles that start together share bricks and the processor's caches.
#pragma once

#include "Trace/Advect/ParticleSource.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Kernel/AdvectionContext.h"

#include <atomic>
#include <span>

namespace rivulet
{

class FixedSeeds final : public ParticleSource
{
public:
  /// Times of seeds have no meaning in steady flow. Throws std::bad_alloc.
  FixedSeeds(const AdvectionContext& context, std::span<const PathSeed> seeds);

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override;
  /// Seeds outside are not counted.
  [[nodiscard]] std::int64_t expected() const override { return static_cast<std::int64_t>(releases_.size()); }
  [[nodiscard]] std::vector<Release> some(std::size_t most) const override
  {
    return spread_over(expected(), most, [&](std::int64_t i) { return releases_[static_cast<std::size_t>(i)]; });
  }

  /// Indices of the seeds outside the field or its times, which are never released.
  [[nodiscard]] const std::vector<std::int64_t>& outside() const { return outside_; }
  /// All other releases, in the order in which they are taken.
  [[nodiscard]] const std::vector<Release>& releases() const { return releases_; }

private:
  std::vector<Release> releases_;
  std::vector<std::int64_t> outside_;
  std::atomic<std::int64_t> next_{ 0 };
};

} // namespace rivulet
