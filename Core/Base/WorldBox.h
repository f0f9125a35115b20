// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A box in world coordinates, along the axes.
///
/// Plain values. Units: world.
#pragma once

#include "Base/Box.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

/// With its border; empty if an upper bound is below the lower one. At first all of space.
struct WorldBox
{
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Vec3 lower{ -kInfinity, -kInfinity, -kInfinity };
  Vec3 upper{ kInfinity, kInfinity, kInfinity };

  [[nodiscard]] static WorldBox nothing()
  {
    return { { kInfinity, kInfinity, kInfinity }, { -kInfinity, -kInfinity, -kInfinity } };
  }

  [[nodiscard]] bool empty() const { return lower[0] > upper[0] || lower[1] > upper[1] || lower[2] > upper[2]; }
  [[nodiscard]] bool has_nan() const
  {
    const auto is_nan = [](double x)
    {
      return std::isnan(x);
    };
    return std::any_of(lower.begin(), lower.end(), is_nan) || std::any_of(upper.begin(), upper.end(), is_nan);
  }
  [[nodiscard]] bool contains(const Vec3& point) const
  {
    return point[0] >= lower[0] && point[0] <= upper[0] && point[1] >= lower[1] && point[1] <= upper[1] &&
           point[2] >= lower[2] && point[2] <= upper[2];
  }
  /// On all sides, by a share of the longest one.
  [[nodiscard]] WorldBox widened(double share) const
  {
    const Vec3 all = sides();
    const double more = share * std::max({ all[0], all[1], all[2] });
    return { { lower[0] - more, lower[1] - more, lower[2] - more },
      { upper[0] + more, upper[1] + more, upper[2] + more } };
  }
  [[nodiscard]] Vec3 sides() const { return { upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2] }; }
  /// Grows until it holds a point, or a box. `nothing()` holds none.
  void add(const Vec3& point) { add(WorldBox{ point, point }); }
  void add(const WorldBox& other)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      lower[axis] = std::min(lower[axis], other.lower[axis]);
      upper[axis] = std::max(upper[axis], other.upper[axis]);
    }
  }
};

[[nodiscard]] inline WorldBox intersect(const WorldBox& a, const WorldBox& b)
{
  WorldBox both;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    both.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    both.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
  }
  return both;
}

} // namespace rivulet
