// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The points of unstructured cells, in one array that stays, or in the arrays of the time steps about an interval.
///
/// Views of the arrays, which their owners keep; any thread. Units: world.
#pragma once

#include "Base/Field.h"
#include "Trace/Mesh/NodeMotion.h"

#include <algorithm>
#include <memory>
#include <span>

namespace rivulet
{

/// Points in the world, x, y and z of each together.
struct PointArray
{
  const void* data = nullptr;
  ScalarType type = ScalarType::Float64;
  std::int64_t count = 0;
  std::shared_ptr<const void> owner; ///< keeps the points

  [[nodiscard]] Vec3 operator[](std::int64_t i) const
  {
    return type == ScalarType::Float32 ? three(static_cast<const float*>(data) + 3 * i)
                                       : three(static_cast<const double*>(data) + 3 * i);
  }
  /// Points with some numbers, in a fraction of the time of one after the other.
  void gather(std::span<const std::int64_t> numbers, Vec3* to) const
  {
    const auto copy = [&](const auto* all)
    {
      std::transform(numbers.begin(), numbers.end(), to, [all](std::int64_t i) { return three(all + 3 * i); });
    };
    type == ScalarType::Float32 ? copy(static_cast<const float*>(data)) : copy(static_cast<const double*>(data));
  }

private:
  template <class Scalar>
  [[nodiscard]] static Vec3 three(const Scalar* x)
  {
    return { x[0], x[1], x[2] };
  }
};

/// Points that go from `now` to `later`, or that stay if this has no data.
struct MovingPoints
{
  PointArray now;
  PointArray later{};
  PointArray before{}; ///< these two if `cubic` has them
  PointArray after{};
  CubicWeights cubic{};

  [[nodiscard]] bool move() const { return later.data != nullptr; }
  [[nodiscard]] NodeSteps steps(std::int64_t i) const
  {
    return { now[i], later[i], cubic.has_before ? before[i] : Vec3{ 0, 0, 0 },
      cubic.has_after ? after[i] : Vec3{ 0, 0, 0 } };
  }
  /// When a share of the interval has gone.
  [[nodiscard]] Vec3 at(std::int64_t i, double share) const
  {
    return move() ? place_between(steps(i), cubic, share) : now[i];
  }
  /// Makes a box larger, so that it has a point at all moments.
  void add_reach(std::int64_t i, WorldBox& box) const
  {
    if (!move())
    {
      box.add(now[i]);
      return;
    }
    box.add(reach_between(steps(i), cubic));
  }
};

} // namespace rivulet
