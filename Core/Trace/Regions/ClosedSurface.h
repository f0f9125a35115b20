// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The inside of a closed surface of triangles.
///
///     Result<ClosedSurface> cube = ClosedSurface::create(points, triangles);
///     bool inside = cube->side({ 0, 0, 0 }) <= 0.0;
///
/// A place is inside if a ray from it along x goes through the surface an odd number of times (M. Shimrat, "Algorithm
/// 112", CACM 5 (1962) 434, one dimension higher). So orientations of triangles do not matter, a shell may lie within
/// another, and parts that overlap an even number of times are outside. In the plane of y and z an edge is crossed or
/// not by the same arithmetic for both of its triangles. Therefore a ray never slips between two triangles nor meets
/// both, and the answer is right for every place that is farther from the surface than rounding.
///
/// Triangles are found by a tree of boxes, so that a query takes about the logarithm of their number. Memory: about 70
/// bytes per triangle, 24 per point. Immutable; may be shared by threads.
#pragma once

#include "Trace/Regions/Region.h"

namespace rivulet
{

class ClosedSurface
{
public:
  using Triangle = std::array<std::int32_t, 3>; ///< indices of points

  /// Points at the same place are one. Without triangles nothing is inside. Fails with BadArgument if an edge belongs
  /// to an odd number of triangles, an index is out of range, or a coordinate is not finite. Throws std::bad_alloc.
  [[nodiscard]] static Result<ClosedSurface> create(std::span<const Vec3> points, std::span<const Triangle> triangles);

  /// Positive outside. The magnitude is the distance to the surface, up to a share of the bounds; beyond the bounds it
  /// is the distance to them along one axis. So it is nowhere more than the distance to the surface.
  [[nodiscard]] double side(const Vec3& place) const;
  [[nodiscard]] const WorldBox& bounds() const { return bounds_; }

private:
  /// A box around triangles, or around two other boxes.
  struct Node
  {
    WorldBox box;
    std::int32_t first = 0; ///< first triangle; of an inner node: its second child, the first one follows it
    std::int32_t count = 0; ///< number of triangles; 0: inner node
  };

  ClosedSurface(std::vector<Vec3> points, std::vector<Triangle> triangles);
  void build(std::int32_t first, std::int32_t last);
  [[nodiscard]] bool meets(const Triangle& triangle, const Vec3& place, double& x) const;
  [[nodiscard]] bool is_inside(const Vec3& place) const;
  [[nodiscard]] double distance(const Vec3& place) const;

  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
  WorldBox bounds_ = WorldBox::nothing();
  double far_ = 0.0; ///< distance up to which the nearest triangle is looked for
};

} // namespace rivulet
