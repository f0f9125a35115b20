// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Regions of space: where particles come from, and where they go to. A region is a box, a function of the place, the
/// inside of a closed surface, or the cells or points of a grid with a label.
///
///     Region here = *box_region({ { 0, 0, 0 }, { 1, 1, 1 } });
///     Region ball = function_region([](const Vec3& x) { return norm(x) - 1.0; });
///     Region body = *surface_region(points, triangles);
///     Region land = *label_region(grid, labels, Centering::Cell, 3);
///
/// The border of a region belongs to it. A region may be empty, and may lie outside the field. Units: world.
///
/// Threads: `side` is called by several threads at once. Immutable, cheap to copy.
#pragma once

#include "Base/Field.h"
#include "Base/WorldBox.h"
#include "Trace/Kernel/Crossing.h"
#include "Trace/Mesh/GridGeometry.h"

#include <span>

namespace rivulet
{

/// The smallest box around some nodes of a grid and the cells between them.
[[nodiscard]] WorldBox bounds_of(const GridGeometry& mesh, const Box& nodes);
/// The smallest box around a grid.
[[nodiscard]] WorldBox bounds_of(const GridGeometry& mesh);

struct Region
{
  /// Positive outside; as Surface::side. The number -1 stands for a place outside the mesh, too.
  std::function<double(const Vec3&, std::int64_t)> side;
  std::optional<Centering> numbers{}; ///< as Surface::numbers
  bool within_distance = false;       ///< as Surface::within_distance
  WorldBox bounds{};                  ///< no place beyond them is in the region

  [[nodiscard]] bool contains(const Vec3& world, std::int64_t number) const { return side(world, number) <= 0.0; }
};

/// Bounds may be infinite. Fails with BadArgument if one is NaN.
[[nodiscard]] Result<Region> box_region(const WorldBox& bounds);

/// `side`: positive outside, best continuous; NaN counts as outside. `bounds`: the region's, if known;
/// seeds are searched in no other place. Fails with BadArgument if one is NaN, or without a function.
[[nodiscard]] Result<Region> function_region(std::function<double(const Vec3&)> side, const WorldBox& bounds = {});

/// The inside of a closed surface of triangles; ClosedSurface.h. Fails as ClosedSurface::create().
[[nodiscard]] Result<Region> surface_region(
    std::span<const Vec3> points, std::span<const std::array<std::int32_t, 3>> triangles);

/// Cells with a label, or places whose nearest point of the grid (in their cell) has it. `labels`: one for each cell or
/// point of the field's grid (of AMR meshes the coarsest), row-major; must outlive the region. Fails with BadArgument
/// if their number is another, or as GridGeometry::create().
[[nodiscard]] Result<Region> label_region(
    const Grid& grid, std::span<const std::int32_t> labels, Centering centering, std::int32_t label);

/// The same on a mesh that is no grid. `count`: of its cells, or points. `bounds`: of the mesh.
[[nodiscard]] Result<Region> label_region(const WorldBox& bounds, std::int64_t count,
    std::span<const std::int32_t> labels, Centering centering, std::int32_t label);

} // namespace rivulet
