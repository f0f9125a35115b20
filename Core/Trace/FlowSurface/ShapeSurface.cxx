// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/ShapeSurface.h"

#include "Base/Vector.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// Numbers the vertices of triangles, and puts the numbers in their place.
void number_points(const RefineSurface& refined, ShapedSurface& shaped)
{
  std::vector<std::int32_t> numbers(refined.places().size(), -1);
  for (const RefineSurface::Triangle& triangle : shaped.triangles)
  {
    for (const std::int32_t vertex : triangle)
    {
      numbers[static_cast<std::size_t>(vertex)] = 0;
    }
  }
  for (std::size_t vertex = 0; vertex < numbers.size(); ++vertex)
  {
    if (numbers[vertex] == 0)
    {
      numbers[vertex] = static_cast<std::int32_t>(shaped.vertices.size());
      shaped.vertices.push_back(static_cast<std::int32_t>(vertex));
      shaped.points.push_back(refined.places()[vertex].point);
    }
  }
  for (RefineSurface::Triangle& triangle : shaped.triangles)
  {
    for (std::int32_t& vertex : triangle)
    {
      vertex = numbers[static_cast<std::size_t>(vertex)];
    }
  }
}

/// Twice the area of a triangle along its normal.
Vec3 area_of(const ShapedSurface& shaped, const RefineSurface::Triangle& triangle)
{
  const auto corner = [&](std::size_t number)
  {
    return shaped.points[static_cast<std::size_t>(triangle[number])];
  };
  return cross(difference(corner(1), corner(0)), difference(corner(2), corner(0)));
}

void add_normals(ShapedSurface& shaped)
{
  shaped.normals.assign(shaped.points.size(), { 0, 0, 0 });
  for (const RefineSurface::Triangle& triangle : shaped.triangles)
  {
    const Vec3 area = area_of(shaped, triangle);
    for (const std::int32_t vertex : triangle)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        shaped.normals[static_cast<std::size_t>(vertex)][axis] += area[axis];
      }
    }
  }
  for (Vec3& normal : shaped.normals)
  {
    const double length = length_of(normal);
    for (double& component : normal)
    {
      component = length > 0.0 ? component / length : 0.0;
    }
  }
}

} // namespace

ShapedSurface shape_surface(const RefineSurface& refined)
{
  ShapedSurface shaped;
  shaped.triangles = refined.triangles();
  shaped.lost = std::count_if(
      refined.places().begin(), refined.places().end(), [](const SurfacePlace& place) { return !place.there; });
  number_points(refined, shaped);
  add_normals(shaped);
  return shaped;
}

} // namespace rivulet
