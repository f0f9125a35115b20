// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Measures of triangulated surfaces.
#pragma once

#include "Trace/FlowSurface/RefineSurface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace rivulet::test
{

using SurfaceTriangle = std::array<std::int32_t, 3>;

inline const Vec3& corner(std::span<const Vec3> points, std::int32_t vertex)
{
  return points[static_cast<std::size_t>(vertex)];
}

inline double distance(const Vec3& a, const Vec3& b)
{
  return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

/// Twice the area of a triangle along its normal.
inline Vec3 twice_area(std::span<const Vec3> points, const SurfaceTriangle& triangle)
{
  const Vec3& a = corner(points, triangle[0]);
  const Vec3& b = corner(points, triangle[1]);
  const Vec3& c = corner(points, triangle[2]);
  const Vec3 u{ b[0] - a[0], b[1] - a[1], b[2] - a[2] };
  const Vec3 v{ c[0] - a[0], c[1] - a[1], c[2] - a[2] };
  return { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
}

inline double area(std::span<const Vec3> points, std::span<const SurfaceTriangle> triangles)
{
  double sum = 0.0;
  for (const SurfaceTriangle& triangle : triangles)
  {
    sum += 0.5 * distance(twice_area(points, triangle), { 0, 0, 0 });
  }
  return sum;
}

/// Of a closed surface whose normals point outwards.
inline double volume_inside(std::span<const Vec3> points, std::span<const SurfaceTriangle> triangles)
{
  double sum = 0.0;
  for (const SurfaceTriangle& triangle : triangles)
  {
    const Vec3 normal = twice_area(points, triangle);
    const Vec3& a = corner(points, triangle[0]);
    sum += (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6.0;
  }
  return sum;
}

/// Number of triangles of each edge.
inline std::map<std::pair<std::int32_t, std::int32_t>, int> edges_of(std::span<const SurfaceTriangle> triangles)
{
  std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
  for (const auto& [a, b, c] : triangles)
  {
    for (const auto& [from, to] : { std::pair(a, b), std::pair(b, c), std::pair(c, a) })
    {
      ++edges[std::minmax(from, to)];
    }
  }
  return edges;
}

inline double longest_edge(std::span<const Vec3> points, std::span<const SurfaceTriangle> triangles)
{
  double longest = 0.0;
  for (const auto& [edge, count] : edges_of(triangles))
  {
    longest = std::max(longest, distance(corner(points, edge.first), corner(points, edge.second)));
  }
  return longest;
}

struct SurfaceShape
{
  std::int64_t euler = 0;       ///< vertices - edges + triangles
  std::int64_t border = 0;      ///< edges of one triangle
  std::int64_t overcrowded = 0; ///< edges of three triangles or more

  [[nodiscard]] bool operator==(const SurfaceShape&) const = default;
};

inline SurfaceShape shape_of(std::span<const SurfaceTriangle> triangles)
{
  std::set<std::int32_t> vertices;
  for (const SurfaceTriangle& triangle : triangles)
  {
    vertices.insert(triangle.begin(), triangle.end());
  }
  SurfaceShape shape;
  const auto edges = edges_of(triangles);
  shape.euler = std::ssize(vertices) - std::ssize(edges) + std::ssize(triangles);
  for (const auto& [edge, count] : edges)
  {
    shape.border += count == 1 ? 1 : 0;
    shape.overcrowded += count > 2 ? 1 : 0;
  }
  return shape;
}

} // namespace rivulet::test
