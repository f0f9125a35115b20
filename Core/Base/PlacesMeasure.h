// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Facts about the nodes of a part of a curvilinear grid, and about the cells between them: enough to find the cells
/// with a place without reading the others.
///
///     const PlacesMeasure part = measure_places(nodes, [&](const Int3& node) { return place of it; });
///
/// Plain values. Units: world.
#pragma once

#include "Base/Vector.h"
#include "Base/WorldBox.h"

namespace rivulet
{

struct PlacesMeasure
{
  WorldBox box = WorldBox::nothing();    ///< around the nodes
  double shortest = WorldBox::kInfinity; ///< diagonal of the box around a cell; cells that are one point do not count
  std::int64_t handed = 0;               ///< number of right-handed cells less that of left-handed ones
  bool finite = true;                    ///< whether all coordinates are

  void add(const PlacesMeasure& other)
  {
    box.add(other.box);
    shortest = std::min(shortest, other.shortest);
    handed += other.handed;
    finite = finite && other.finite;
  }
};

/// Of the cell whose corner i + 2 j + 4 k is point(first + (i, j, k)).
template <class Point>
[[nodiscard]] PlacesMeasure measure_cell(const Int3& first, const Point& point)
{
  PlacesMeasure cell;
  std::array<Vec3, 3> edges{}; ///< along each axis: the sum of the four
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    Int3 node = first;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      node[axis] += (corner >> axis & 1U) != 0 ? 1 : 0;
    }
    const Vec3 at = point(node);
    cell.finite = cell.finite && std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]);
    cell.box.add(at);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double sign = (corner >> axis & 1U) != 0 ? 1.0 : -1.0;
      edges[axis] = { edges[axis][0] + sign * at[0], edges[axis][1] + sign * at[1], edges[axis][2] + sign * at[2] };
    }
  }
  const double diagonal = length_of(cell.box.sides());
  const double shape = shape_of(edges[0], edges[1], edges[2]);
  cell.shortest = diagonal > 0.0 ? diagonal : cell.shortest;
  cell.handed = (shape >= kNoVolume ? 1 : 0) - (shape <= -kNoVolume ? 1 : 0);
  return cell;
}

/// Of all cells between the nodes of a box. A box that is one node thick has no cells, but bounds.
template <class Point>
[[nodiscard]] PlacesMeasure measure_places(const Box& nodes, const Point& point)
{
  PlacesMeasure all;
  for (Int3 node = nodes.begin; node[2] < nodes.end[2]; ++node[2])
  {
    for (node[1] = nodes.begin[1]; node[1] < nodes.end[1]; ++node[1])
    {
      for (node[0] = nodes.begin[0]; node[0] < nodes.end[0]; ++node[0])
      {
        if (node[0] + 1 < nodes.end[0] && node[1] + 1 < nodes.end[1] && node[2] + 1 < nodes.end[2])
        {
          all.add(measure_cell(node, point));
          continue;
        }
        const Vec3 at = point(node);
        all.box.add(at);
        all.finite = all.finite && std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]);
      }
    }
  }
  return all;
}

} // namespace rivulet
