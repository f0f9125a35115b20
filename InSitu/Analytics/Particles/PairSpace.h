// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The region that the particles of a rank fill, for distances between them, and the number of pairs that an ideal gas
/// would have there.
///
///       domain of all ranks, periodic along x and y
///     +-----------+-----------+
///     |  rank 0   |  rank 1   |      along y both ranks hold the whole domain: distances are to the nearest image
///     |           |           |      along x each holds a part: it has open borders, and no pair reaches across them
///     +-----------+-----------+
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"
#include "Plugin/Host.h"

namespace rivulet
{

/// The smallest box around the finite positions of a rank, and where most of them are.
struct Positions
{
  Vec3 low{};
  Vec3 high{};
  Vec3 mean{};
  Vec3 deviation{}; ///< standard deviation
  std::int64_t count = 0;
  std::int64_t not_finite = 0; ///< particles of which a coordinate is not finite
};

[[nodiscard]] Positions positions_of(const Host& host, const rivulet_particles& particles);

struct PairSpace
{
  Vec3 low{};
  Vec3 extent{};                                    ///< of the region; its product is the volume
  std::array<bool, 3> wraps{ false, false, false }; ///< distances are to the nearest image

  /// Along an axis the rank holds the domain whole if it is the only rank, or if its particles span more than three
  /// quarters of the domain; then `extent` is the domain's, and `wraps` as the set says. Else the region is as long as
  /// the particles need. Refuses a periodic axis without bounds.
  [[nodiscard]] static Result<PairSpace> around(
      const Positions& positions, const rivulet_particles& particles, int ranks);

  [[nodiscard]] double volume() const { return extent[0] * extent[1] * extent[2]; }
  /// The largest distance between two particles.
  [[nodiscard]] double diameter() const;
  /// The largest distance for which ideal_share() holds: half of the axes that wrap, all of the others.
  [[nodiscard]] double reach() const;

  /// The share of all pairs of an ideal gas (independent, uniform positions) with a distance in [low, high):
  ///
  ///     1/V * integral of 4 pi r^2 f(r) dr,   f(r) = 1 - a r/2 + b 2 r^2/(3 pi) - c r^3/(4 pi)
  ///
  /// where 1/L are the inverse extents of axes with open borders, a is the sum of them, b of their products by twos,
  /// and c their product by three. f is the mean of the product of (1 - r |u_i| / L_i) over all directions u: the part
  /// of places from which a step of length r in direction u stays within the open borders. NaN beyond reach(), or
  /// without a volume.
  [[nodiscard]] double ideal_share(double from, double to) const;
};

} // namespace rivulet
