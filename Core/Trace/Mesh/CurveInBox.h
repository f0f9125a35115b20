// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Places in a box of the world, ordered along Morton's curve.
#pragma once

#include "Base/WorldBox.h"
#include "Curve/Morton.h"

#include <algorithm>

namespace rivulet
{

/// Numbers of places in a box along a curve, on a lattice of 2^21 along each axis. Places outside are as on the border.
class CurveInBox
{
public:
  explicit CurveInBox(const WorldBox& box)
    : lower_(box.lower)
  {
    const Vec3 sides = box.sides();
    std::transform(sides.begin(), sides.end(), steps_.begin(), [](double side) { return kSteps / side; });
  }
  [[nodiscard]] std::int64_t number(const Vec3& place) const
  {
    Int3 at{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double step = (place[axis] - lower_[axis]) * steps_[axis];
      at[axis] = step > 0.0 ? static_cast<std::int32_t>(std::min(step, kSteps)) : 0; // no number in a box without sides
    }
    return morton_number(at);
  }

private:
  static constexpr double kSteps = 2097151.0;

  Vec3 lower_;
  Vec3 steps_{}; ///< for each unit of length
};

} // namespace rivulet
