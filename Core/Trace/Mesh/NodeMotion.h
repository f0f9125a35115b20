// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The motion of a mesh's node between two time steps, as that of values (Contract/TimeInterpolation.h): along the line
/// between its places, or along the cubic through its places at four steps. A node that stays does so to the last bit.
///
///     const Vec3 place = place_between(steps, cubic, share);
///     const WorldBox box = reach_between(steps, cubic);       // has it at all moments of the interval
///
/// The kernel has the same arithmetic (Kernel/NodeMotion-inl.h). Plain values; any thread. Units: world.
#pragma once

#include "Base/WorldBox.h"
#include "Trace/Contract/TimeInterpolation.h"

#include <cmath>

namespace rivulet
{

/// A node's places at the steps about an interval.
struct NodeSteps
{
  Vec3 now{ 0, 0, 0 };    ///< at the interval's begin
  Vec3 later{ 0, 0, 0 };  ///< at its end
  Vec3 before{ 0, 0, 0 }; ///< at the step before; has a meaning only if CubicWeights::has_before
  Vec3 after{ 0, 0, 0 };  ///< at the step after; has a meaning only if CubicWeights::has_after
};

/// The place when a share of the interval has gone. `cubic`: without parabolas if nodes move along lines.
[[nodiscard]] inline Vec3 place_between(const NodeSteps& steps, const CubicWeights& cubic, double share)
{
  const auto [of_before, of_after] = cubic.of_parabolas(share);
  Vec3 place;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double now = steps.now[axis];
    const double later = steps.later[axis];
    const double forth = later - now;
    double at = share == 1.0 ? later : std::fma(share, forth, now);
    if (cubic.has_before)
    {
      at = std::fma(of_before, std::fma(cubic.before[2], forth, cubic.before[0] * (steps.before[axis] - now)), at);
    }
    if (cubic.has_after)
    {
      at = std::fma(of_after, std::fma(cubic.after[2], steps.after[axis] - later, cubic.after[0] * (now - later)), at);
    }
    place[axis] = at;
  }
  return place;
}

/// A box with the node at all moments of the interval. The parabolas' sum is s (1 - s) times a mean of both, so at most
/// a quarter of the larger one.
[[nodiscard]] inline WorldBox reach_between(const NodeSteps& steps, const CubicWeights& cubic)
{
  WorldBox box = WorldBox::nothing();
  box.add(steps.now);
  box.add(steps.later);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double forth = steps.later[axis] - steps.now[axis];
    double most = 0.0;
    if (cubic.has_before)
    {
      most = std::fabs(cubic.before[0] * (steps.before[axis] - steps.now[axis]) + cubic.before[2] * forth);
    }
    if (cubic.has_after)
    {
      most =
          std::max(most, std::fabs(cubic.after[2] * (steps.after[axis] - steps.later[axis]) - cubic.after[0] * forth));
    }
    box.lower[axis] -= 0.25 * most;
    box.upper[axis] += 0.25 * most;
  }
  return box;
}

} // namespace rivulet
