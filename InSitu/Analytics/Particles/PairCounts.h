// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Number of pairs of particles by their distance, in bins of equal width.
///
///     const DistanceBins bins{ 1000, 2.5 };
///     Result<std::vector<std::int64_t>> pairs = count_close_pairs(host, particles, positions, space, bins);
///
/// Each pair is counted once. Counts are integers, and distances do not depend on the order of two particles: results
/// are the same for any threads.
///
/// All loops are flat: over particles, in slices of bounded work. Memory: 32 bytes for each particle and up to 8 for
/// cells; all pairs: 24.
#pragma once

#include "Particles/PairSpace.h"

#include <vector>

namespace rivulet
{

/// Bin k holds distances [k, k + 1) * limit / count.
struct DistanceBins
{
  std::int64_t count = 1000;
  double limit = 0.0;
};

/// Of the pairs closer than the limit, by lists of cells: a cell is at least as wide as the limit, so that the other
/// particle is in the same or in a neighbouring cell. The limit must not exceed half of an axis that wraps.
/// Fails with Cancelled if the session ends.
[[nodiscard]] Result<std::vector<std::int64_t>> count_close_pairs(const Host& host, const rivulet_particles& particles,
    const Positions& positions, const PairSpace& space, const DistanceBins& bins);

/// Of all pairs closer than the limit, by looking at each: time grows as the square of the particles.
[[nodiscard]] Result<std::vector<std::int64_t>> count_all_pairs(const Host& host, const rivulet_particles& particles,
    const Positions& positions, const PairSpace& space, const DistanceBins& bins);

} // namespace rivulet
