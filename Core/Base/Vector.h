// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Differences, products and lengths of vectors. The order of operations is fixed, for results must not depend on the
/// caller.
#pragma once

#include "Base/Box.h"

#include <cmath>

namespace rivulet
{

/// The vector from `b` to `a`.
[[nodiscard]] inline Vec3 difference(const Vec3& a, const Vec3& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

/// Without a guard against squares beyond the range of doubles (1e154 and more).
[[nodiscard]] inline double length_of(const Vec3& vector)
{
  return std::sqrt(dot(vector, vector));
}

/// Volume that three edges span, as a share of the product of their lengths: 1 in a box, negative if they are
/// left-handed, 0 if one has no length.
[[nodiscard]] inline double shape_of(const Vec3& x, const Vec3& y, const Vec3& z)
{
  const double product = std::sqrt(dot(x, x)) * std::sqrt(dot(y, y)) * std::sqrt(dot(z, z));
  const double volume = dot(x, cross(y, z));
  return product > 0.0 ? volume / product : 0.0;
}

/// A cell whose shape is nearer to 0 has no volume.
inline constexpr double kNoVolume = 1e-12;

[[nodiscard]] inline double distance(const Vec3& a, const Vec3& b)
{
  return length_of(difference(a, b));
}

} // namespace rivulet
