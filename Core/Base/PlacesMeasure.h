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

#include <algorithm>
#include <cmath>

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

/// The four nodes of the lattice that lie across the first axis at one index of it: a face of two cells.
class FaceMeasure
{
public:
  /// `node`: the lowest one. point(node) is its place.
  template <class Point>
  FaceMeasure(const Int3& node, const Point& point)
  {
    const Vec3 corners[4] = { point(node), point(Int3{ node[0], node[1] + 1, node[2] }),
      point(Int3{ node[0], node[1], node[2] + 1 }), point(Int3{ node[0], node[1] + 1, node[2] + 1 }) };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double a = corners[0][axis];
      const double b = corners[1][axis];
      const double c = corners[2][axis];
      const double d = corners[3][axis];
      box_.lower[axis] = std::min(std::min(a, b), std::min(c, d));
      box_.upper[axis] = std::max(std::max(a, b), std::max(c, d));
      const double first = a + b;
      const double second = c + d;
      sum_[axis] = first + second;
      along_y_[axis] = (b - a) + (d - c);
      along_z_[axis] = second - first;
      finite_ = finite_ && std::isfinite(a) && std::isfinite(b) && std::isfinite(c) && std::isfinite(d);
    }
  }

  /// Of the cell between two faces.
  [[nodiscard]] static PlacesMeasure between(const FaceMeasure& low, const FaceMeasure& high)
  {
    PlacesMeasure cell;
    Vec3 edges[3]; // along each axis: the sum of the four
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      edges[0][axis] = high.sum_[axis] - low.sum_[axis];
      edges[1][axis] = low.along_y_[axis] + high.along_y_[axis];
      edges[2][axis] = low.along_z_[axis] + high.along_z_[axis];
    }
    cell.box = low.box_;
    cell.box.add(high.box_);
    cell.finite = low.finite_ && high.finite_;
    const double diagonal = length_of(cell.box.sides());
    const double shape = shape_of(edges[0], edges[1], edges[2]);
    cell.shortest = diagonal > 0.0 ? diagonal : cell.shortest;
    cell.handed = (shape >= kNoVolume ? 1 : 0) - (shape <= -kNoVolume ? 1 : 0);
    return cell;
  }

private:
  WorldBox box_;
  Vec3 sum_{};
  Vec3 along_y_{}; ///< sum of both edges
  Vec3 along_z_{};
  bool finite_ = true;
};

/// Of all cells between the nodes of a box.
template <class Point>
[[nodiscard]] PlacesMeasure measure_cells(const Box& nodes, const Point& point)
{
  PlacesMeasure all;
  for (Int3 node = nodes.begin; node[2] + 1 < nodes.end[2]; ++node[2])
  {
    for (node[1] = nodes.begin[1]; node[1] + 1 < nodes.end[1]; ++node[1])
    {
      node[0] = nodes.begin[0];
      FaceMeasure low(node, point);
      for (++node[0]; node[0] < nodes.end[0]; ++node[0])
      {
        const FaceMeasure high(node, point);
        all.add(FaceMeasure::between(low, high));
        low = high;
      }
    }
  }
  return all;
}

/// The same. A box that is one node thick has no cells, but bounds.
template <class Point>
[[nodiscard]] PlacesMeasure measure_places(const Box& nodes, const Point& point)
{
  const Int3 size = nodes.size();
  if (*std::min_element(size.begin(), size.end()) > 1)
  {
    return measure_cells(nodes, point);
  }
  PlacesMeasure all;
  for (Int3 node = nodes.begin; node[2] < nodes.end[2]; ++node[2])
  {
    for (node[1] = nodes.begin[1]; node[1] < nodes.end[1]; ++node[1])
    {
      for (node[0] = nodes.begin[0]; node[0] < nodes.end[0]; ++node[0])
      {
        const Vec3 at = point(node);
        all.box.add(at);
        all.finite = all.finite && std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]);
      }
    }
  }
  return all;
}

} // namespace rivulet
