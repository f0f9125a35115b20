// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/ShapeCell.h"

namespace rivulet
{

std::array<Vec3, kMostCorners> derivatives_of_weights(CellShape shape, const Vec3& at)
{
  const auto [r, s, t] = at;
  switch (shape)
  {
  case CellShape::Triangle:
    return { { { -1, -1, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
  case CellShape::Quadrilateral:
    return { { { s - 1.0, r - 1.0, 0 }, { 1.0 - s, -r, 0 }, { -s, 1.0 - r, 0 }, { s, r, 0 } } };
  case CellShape::Tetrahedron:
    return { { { -1, -1, -1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  case CellShape::Pyramid:
  {
    const auto [along_r, along_s] = ratios_in_pyramid(at);
    const Vec3 both{ along_s, along_r, -along_r * along_s };
    return { { { both[0] - 1.0, both[1] - 1.0, 1.0 + both[2] }, { 1.0 - both[0], -both[1], -both[2] },
        { -both[0], 1.0 - both[1], -both[2] }, both, { 0, 0, -1 } } };
  }
  case CellShape::Wedge:
  {
    const double first = (1.0 - r) - s;
    return { { { t - 1.0, t - 1.0, -first }, { 1.0 - t, 0, -r }, { 0, 1.0 - t, -s }, { -t, -t, first }, { t, 0, r },
        { 0, t, s } } };
  }
  case CellShape::Hexahedron:
  {
    std::array<Vec3, kMostCorners> all;
    const Vec3 low{ 1.0 - r, 1.0 - s, 1.0 - t };
    for (std::size_t corner = 0; corner < all.size(); ++corner)
    {
      const auto factor = [&](std::size_t axis)
      {
        return (corner >> axis & 1U) != 0 ? at[axis] : low[axis];
      };
      const auto sign = [&](std::size_t axis)
      {
        return (corner >> axis & 1U) != 0 ? 1.0 : -1.0;
      };
      all[corner] = { sign(0) * factor(1) * factor(2), sign(1) * factor(0) * factor(2),
        sign(2) * factor(0) * factor(1) };
    }
    return all;
  }
  }
  return {};
}

std::array<Vec3, 3> tangents_of(CellShape shape, const ShapeCorners& corners, const Vec3& at)
{
  if (shape == CellShape::Tetrahedron) // the numbers of the sums below, in a fraction of their time
  {
    return { difference(corners[1], corners[0]), difference(corners[2], corners[0]),
      difference(corners[3], corners[0]) };
  }
  const std::array<Vec3, kMostCorners> slopes = derivatives_of_weights(shape, at);
  std::array<Vec3, 3> tangents{};
  for (std::size_t along = 0; along < 3; ++along)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::size_t corner = 0; corner < kMostCorners; ++corner)
      {
        tangents[along][axis] += slopes[corner][along] * corners[corner][axis];
      }
    }
  }
  if (faces_of(shape).dimension == 2)
  {
    const Vec3 normal = cross(tangents[0], tangents[1]);
    const double length = length_of(normal);
    tangents[2] = { normal[0] / length, normal[1] / length, normal[2] / length };
  }
  return tangents;
}

std::array<Vec3, kMostCorners> gradients_of_weights(CellShape shape, const ShapeCorners& corners, const Vec3& at)
{
  const std::array<Vec3, 3> t = tangents_of(shape, corners, at);
  const std::array<Vec3, 3> normals{ cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1]) };
  const double volume = dot(t[0], normals[0]);
  std::array<Vec3, kMostCorners> slopes = derivatives_of_weights(shape, at);
  for (Vec3& slope : slopes)
  {
    Vec3 in_world{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      in_world[axis] =
          (slope[0] * normals[0][axis] + slope[1] * normals[1][axis] + slope[2] * normals[2][axis]) / volume;
    }
    slope = in_world;
  }
  return slopes;
}

} // namespace rivulet
