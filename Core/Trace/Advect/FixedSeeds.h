// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds that are known when a run begins, each released forward, backward or both: release s of n seeds is forward
/// from seed s, release n + s backward. They are handed out in the order of their bricks on the storage, and within a
/// brick those near each other one after the other, so that particles that start together share bricks and the
/// processor's caches.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/ParticleSource.h"
#include "Trace/Pathlines.h"

#include <atomic>
#include <span>

namespace rivulet
{

class FixedSeeds final : public ParticleSource
{
public:
  /// Seeds' times are of no meaning in steady flow. Throws std::bad_alloc.
  FixedSeeds(const AdvectionContext& context, std::span<const PathSeed> seeds);

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override;
  /// Without those outside.
  [[nodiscard]] std::int64_t expected() const override { return static_cast<std::int64_t>(releases_.size()); }
  [[nodiscard]] std::vector<std::int64_t> first_bricks(std::size_t most) const override;

  /// Seeds outside the field or its times, which are never released.
  [[nodiscard]] const std::vector<std::int64_t>& outside() const { return outside_; }
  /// All others, in the order in which they are taken.
  [[nodiscard]] const std::vector<Release>& releases() const { return releases_; }

private:
  std::vector<Release> releases_;
  std::vector<std::int64_t> outside_;
  std::atomic<std::int64_t> next_{ 0 };
};

} // namespace rivulet
