// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Shapes of cells with straight edges: how VTK numbers their nodes, and which of these each face has.
///
///     if (const CellType* type = cell_type(12)) type->shape == CellShape::Hexahedron
///
/// Corners are numbered in one way for each shape, so that the two orders of VTK's hexahedra and voxels are one:
///
///     triangle       0, 1, 2                           tetrahedron   0, 1, 2, 3
///     quadrilateral  i + 2 j                           hexahedron    i + 2 j + 4 k
///     pyramid        i + 2 j of the base, 4: apex      wedge         0, 1, 2 below 3, 4, 5
///
/// Source: VTK's documentation of vtkCellType.h and of each class of cells. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace rivulet
{

enum class CellShape : std::uint8_t
{
  Triangle,
  Quadrilateral,
  Tetrahedron,
  Pyramid,
  Wedge,
  Hexahedron
};

inline constexpr int kMostCorners = 8;
inline constexpr int kMostFaces = 6;

/// One of VTK's types of cells.
struct CellType
{
  int number = 0; ///< VTK's
  const char* name = "";
  const char* plural = "";
  CellShape shape = CellShape::Tetrahedron;
  int corners = 0;
  std::array<std::int8_t, kMostCorners> node_at{}; ///< of each corner, among the nodes of the cell
};

/// Corners of each face, in which a particle may cross it; in planar cells of each edge.
struct CellFaces
{
  int dimension = 3;
  int count = 0;
  std::array<std::array<std::int8_t, 4>, kMostFaces> corners{}; ///< -1: none
};

namespace cell_shape_detail
{

inline constexpr std::array<CellType, 8> kTypes{ {
    { 5, "triangle", "triangles", CellShape::Triangle, 3, { 0, 1, 2 } },
    { 8, "pixel", "pixels", CellShape::Quadrilateral, 4, { 0, 1, 2, 3 } },
    { 9, "quadrilateral", "quadrilaterals", CellShape::Quadrilateral, 4, { 0, 1, 3, 2 } },
    { 10, "tetrahedron", "tetrahedra", CellShape::Tetrahedron, 4, { 0, 1, 2, 3 } },
    { 11, "voxel", "voxels", CellShape::Hexahedron, 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
    { 12, "hexahedron", "hexahedra", CellShape::Hexahedron, 8, { 0, 1, 3, 2, 4, 5, 7, 6 } },
    { 13, "wedge", "wedges", CellShape::Wedge, 6, { 0, 1, 2, 3, 4, 5 } },
    { 14, "pyramid", "pyramids", CellShape::Pyramid, 5, { 0, 1, 3, 2, 4 } },
} };

// Face i lies where coordinate i of beyond() (ShapeCell.h) is 0.
inline constexpr std::array<CellFaces, 6> kFaces{ {
    { 2, 3, { { { 1, 2, -1, -1 }, { 0, 2, -1, -1 }, { 0, 1, -1, -1 } } } },
    { 2, 4, { { { 0, 2, -1, -1 }, { 1, 3, -1, -1 }, { 0, 1, -1, -1 }, { 2, 3, -1, -1 } } } },
    { 3, 4, { { { 1, 2, 3, -1 }, { 0, 2, 3, -1 }, { 0, 1, 3, -1 }, { 0, 1, 2, -1 } } } },
    { 3, 5, { { { 0, 2, 4, -1 }, { 1, 3, 4, -1 }, { 0, 1, 4, -1 }, { 2, 3, 4, -1 }, { 0, 1, 2, 3 } } } },
    { 3, 5, { { { 0, 2, 3, 5 }, { 0, 1, 3, 4 }, { 1, 2, 4, 5 }, { 0, 1, 2, -1 }, { 3, 4, 5, -1 } } } },
    { 3, 6, { { { 0, 2, 4, 6 }, { 1, 3, 5, 7 }, { 0, 1, 4, 5 }, { 2, 3, 6, 7 }, { 0, 1, 2, 3 }, { 4, 5, 6, 7 } } } },
} };

} // namespace cell_shape_detail

/// nullptr: a type whose cells have other shapes.
[[nodiscard]] constexpr const CellType* cell_type(int number)
{
  for (const CellType& type : cell_shape_detail::kTypes)
  {
    if (type.number == number)
    {
      return &type;
    }
  }
  return nullptr;
}

[[nodiscard]] constexpr const CellFaces& faces_of(CellShape shape)
{
  return cell_shape_detail::kFaces[static_cast<std::size_t>(shape)];
}

} // namespace rivulet
