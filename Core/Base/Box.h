// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Index triples and boxes of nodes or cells. Everything is ordered i, j, k (x fastest) and half-open: a Box holds
/// begin[a] <= index < end[a]. VTK's inclusive extents are converted at the edge of VTK code, never inside Core.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace rivulet
{

using Int3 = std::array<std::int32_t, 3>;
using Long3 = std::array<std::int64_t, 3>;
using Vec3 = std::array<double, 3>;
using Mat3 = std::array<double, 9>; ///< row-major

/// Number of points in a lattice of the given dimensions.
[[nodiscard]] constexpr std::int64_t volume(const Int3& dims)
{
  return std::int64_t{ dims[0] } * dims[1] * dims[2];
}

/// Row-major (x fastest) number of `at` in a lattice of the given dimensions.
[[nodiscard]] constexpr std::int64_t row_major(const Int3& at, const Int3& dims)
{
  return at[0] + std::int64_t{ dims[0] } * (at[1] + std::int64_t{ dims[1] } * at[2]);
}

/// The inverse of row_major().
[[nodiscard]] constexpr Int3 from_row_major(std::int64_t index, const Int3& dims)
{
  const std::int64_t slab = index / dims[0];
  return { static_cast<std::int32_t>(index % dims[0]), static_cast<std::int32_t>(slab % dims[1]),
    static_cast<std::int32_t>(slab / dims[1]) };
}

/// A half-open box of lattice indices.
struct Box
{
  Int3 begin{ 0, 0, 0 };
  Int3 end{ 0, 0, 0 };

  [[nodiscard]] constexpr Int3 size() const { return { end[0] - begin[0], end[1] - begin[1], end[2] - begin[2] }; }
  [[nodiscard]] constexpr bool empty() const { return end[0] <= begin[0] || end[1] <= begin[1] || end[2] <= begin[2]; }
  [[nodiscard]] constexpr std::int64_t count() const { return empty() ? 0 : volume(size()); }
  [[nodiscard]] constexpr bool contains(const Int3& at) const
  {
    return at[0] >= begin[0] && at[0] < end[0] && at[1] >= begin[1] && at[1] < end[1] && at[2] >= begin[2] &&
           at[2] < end[2];
  }
  friend bool operator==(const Box&, const Box&) = default;
};

[[nodiscard]] constexpr Box intersect(const Box& a, const Box& b)
{
  Box both;
  for (int axis = 0; axis < 3; ++axis)
  {
    both.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    both.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return both;
}

} // namespace rivulet
