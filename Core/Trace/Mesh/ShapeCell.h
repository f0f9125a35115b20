// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cell of any shape (CellShape.h): from a place in the world to parametric coordinates, and weights of its corners.
///
///     const ShapeCell cell(CellShape::Wedge, corners);
///     const HexCell::Place place = cell.locate(world);
///     if (seen_from(cell.shape(), place).off <= kOnFace) use(weights_of(cell.shape(), place.at));
///
/// Parametric coordinates are the arguments of VTK's shape functions:
///
///     triangle, tetrahedron    weights of corner 1, 2 and 3; the others follow
///     quadrilateral, hexahedron    shares along x, y and z
///     wedge                    weights of corners 1 and 2 of a triangle, share of the way up
///     pyramid                  r u, s u and u, where r and s are the shares along the base, and u is 0 at the apex.
///                              VTK's third is 1 - u, and its first two mean nothing at the apex.
///
/// The third one of a planar cell is the distance from its plane, in world units.
///
/// They depend on shape, corners and place alone: Newton's method begins at the middle of the cell, as in HexCell.
///
/// Plain values. Units: world, and the cell (0 to 1).
#pragma once

#include "Trace/Mesh/CellShape.h"
#include "Trace/Mesh/FaceWalk.h"
#include "Trace/Mesh/HexCell.h"

namespace rivulet
{

using ShapeCorners = std::array<Vec3, kMostCorners>;

/// Of each corner at a place; 0 for corners that the shape does not have.
using ShapeWeights = std::array<double, kMostCorners>;

/// By the kernel, with the instructions that the machine has. In planar cells the place of the nearest point counts.
[[nodiscard]] HexCell::Place locate_in_shape(CellShape shape, const ShapeCorners& corners, const Vec3& world);

/// How far coordinates lie beyond each face.
[[nodiscard]] inline std::array<double, kMostFaces> beyond(CellShape shape, const Vec3& at)
{
  switch (shape)
  {
  case CellShape::Triangle:
    return { (at[0] + at[1]) - 1.0, -at[0], -at[1] };
  case CellShape::Quadrilateral:
    return { -at[0], at[0] - 1.0, -at[1], at[1] - 1.0 };
  case CellShape::Tetrahedron:
    return { ((at[0] + at[1]) + at[2]) - 1.0, -at[0], -at[1], -at[2] };
  case CellShape::Pyramid:
    return { -at[0], at[0] - at[2], -at[1], at[1] - at[2], at[2] - 1.0 };
  case CellShape::Wedge:
    return { -at[0], -at[1], (at[0] + at[1]) - 1.0, -at[2], at[2] - 1.0 };
  case CellShape::Hexahedron:
    return { -at[0], at[0] - 1.0, -at[1], at[1] - 1.0, -at[2], at[2] - 1.0 };
  }
  return {};
}

/// A located place, for a walk (FaceWalk.h). `tolerance`: distance from a planar cell within which a place is on it.
[[nodiscard]] inline SeenPlace seen_from(CellShape shape, const HexCell::Place& place, double tolerance)
{
  const CellFaces& faces = faces_of(shape);
  const std::array<double, kMostFaces> all = beyond(shape, place.at);
  SeenPlace seen{ all[0], 0, place.converged || place.far };
  for (int face = 1; face < faces.count; ++face)
  {
    if (all[static_cast<std::size_t>(face)] > seen.off)
    {
      seen.off = all[static_cast<std::size_t>(face)];
      seen.face = face;
    }
  }
  const bool on_plane = faces.dimension == 3 || std::fabs(place.at[2]) <= tolerance;
  seen.off = place.converged && on_plane ? std::max(seen.off, 0.0) : std::numeric_limits<double>::infinity();
  return seen;
}

/// Coordinates within the cell, of a place that is in it but for rounding or a crack. Triangles and tetrahedra have
/// linear weights, which reproduce linear fields beyond the cell, too: their coordinates stay. So do the first two of
/// wedges.
[[nodiscard]] inline Vec3 clamped_to_shape(CellShape shape, Vec3 at)
{
  const auto clamp = [](double x, double most)
  {
    return std::min(std::max(0.0, x), most); // never -0
  };
  switch (shape)
  {
  case CellShape::Triangle:
    at[2] = 0.0;
    break;
  case CellShape::Tetrahedron:
    break;
  case CellShape::Quadrilateral:
    at = { clamp(at[0], 1.0), clamp(at[1], 1.0), 0.0 };
    break;
  case CellShape::Pyramid:
    at[2] = clamp(at[2], 1.0);
    at = { clamp(at[0], at[2]), clamp(at[1], at[2]), at[2] };
    break;
  case CellShape::Wedge:
    at[2] = clamp(at[2], 1.0);
    break;
  case CellShape::Hexahedron:
    at = { clamp(at[0], 1.0), clamp(at[1], 1.0), clamp(at[2], 1.0) };
  }
  return at;
}

/// Ratios r and s of a place in a pyramid; any at the apex.
[[nodiscard]] inline std::array<double, 2> ratios_in_pyramid(const Vec3& at)
{
  const auto ratio = [&](double x)
  {
    return at[2] > 0.0 ? std::min(std::max(0.0, x / at[2]), 1.0) : 0.5;
  };
  return { ratio(at[0]), ratio(at[1]) };
}

/// Parametric coordinates of a corner.
[[nodiscard]] inline Vec3 corner_at(CellShape shape, int corner)
{
  const auto bit = [corner](int number)
  {
    return static_cast<double>(corner >> number & 1);
  };
  switch (shape)
  {
  case CellShape::Pyramid:
    return corner == 4 ? Vec3{ 0, 0, 0 } : Vec3{ bit(0), bit(1), 1 };
  case CellShape::Quadrilateral:
  case CellShape::Hexahedron:
    return { bit(0), bit(1), bit(2) };
  case CellShape::Wedge:
    return { corner % 3 == 1 ? 1.0 : 0.0, corner % 3 == 2 ? 1.0 : 0.0, corner < 3 ? 0.0 : 1.0 };
  case CellShape::Triangle:
  case CellShape::Tetrahedron:
    break;
  }
  return { corner == 1 ? 1.0 : 0.0, corner == 2 ? 1.0 : 0.0, corner == 3 ? 1.0 : 0.0 };
}

[[nodiscard]] inline ShapeWeights weights_of(CellShape shape, const Vec3& at)
{
  const auto [r, s, t] = at;
  switch (shape)
  {
  case CellShape::Triangle:
    return { (1.0 - r) - s, r, s };
  case CellShape::Quadrilateral:
    return { (1.0 - r) * (1.0 - s), r * (1.0 - s), (1.0 - r) * s, r * s };
  case CellShape::Tetrahedron:
    return { ((1.0 - r) - s) - t, r, s, t };
  case CellShape::Pyramid:
  {
    const double both = ratios_in_pyramid(at)[1] * r;
    return { ((t - r) - s) + both, r - both, s - both, both, 1.0 - t };
  }
  case CellShape::Wedge:
  {
    const double first = (1.0 - r) - s;
    return { first * (1.0 - t), r * (1.0 - t), s * (1.0 - t), first * t, r * t, s * t };
  }
  case CellShape::Hexahedron:
    return HexCell::weights(at);
  }
  return {};
}

/// Derivatives of the weights by the parametric coordinates; the third ones of planar cells are 0.
[[nodiscard]] std::array<Vec3, kMostCorners> derivatives_of_weights(CellShape shape, const Vec3& at);

/// Derivatives of the place by the parametric coordinates; the third one of a planar cell is its unit normal.
[[nodiscard]] std::array<Vec3, 3> tangents_of(CellShape shape, const ShapeCorners& corners, const Vec3& at);

/// Derivatives of the weights by x, y and z of the world; not finite where the coordinates are singular.
[[nodiscard]] std::array<Vec3, kMostCorners> gradients_of_weights(
    CellShape shape, const ShapeCorners& corners, const Vec3& at);

} // namespace rivulet
