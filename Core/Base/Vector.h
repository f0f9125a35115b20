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

[[nodiscard]] inline double distance(const Vec3& a, const Vec3& b)
{
  return length_of(difference(a, b));
}

} // namespace rivulet
