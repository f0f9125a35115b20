// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Regions/Region.h"

#include "Trace/Regions/ClosedSurface.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace rivulet
{

namespace
{

/// The cells and points next to which a label is found, as a box of nodes.
Box nodes_with_label(const Grid& grid, std::span<const std::int32_t> labels, Centering centering, std::int32_t label)
{
  const Int3 lattice = grid.lattice(centering);
  Box found{ lattice, { 0, 0, 0 } };
  std::size_t i = 0;
  for (std::int32_t k = 0; k < lattice[2]; ++k)
  {
    for (std::int32_t j = 0; j < lattice[1]; ++j)
    {
      for (std::int32_t l = 0; l < lattice[0]; ++l, ++i)
      {
        if (labels[i] == label)
        {
          found.begin = { std::min(found.begin[0], l), std::min(found.begin[1], j), std::min(found.begin[2], k) };
          found.end = { std::max(found.end[0], l + 1), std::max(found.end[1], j + 1), std::max(found.end[2], k + 1) };
        }
      }
    }
  }
  if (found.empty())
  {
    return {};
  }
  // The upper node of a cell; the halves of the cells beside a point.
  const std::int32_t below = centering == Centering::Node ? 1 : 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    found.begin[axis] = std::max(0, found.begin[axis] - below);
    found.end[axis] = std::min(grid.nodes[axis], found.end[axis] + 1);
  }
  return found;
}

} // namespace

WorldBox bounds_of(const GridGeometry& mesh, const Box& nodes)
{
  WorldBox bounds = WorldBox::nothing();
  for (int corner = 0; corner < 8 && !nodes.empty(); ++corner)
  {
    bounds.add(mesh.world_of_node(
        { (corner & 1) != 0 ? nodes.end[0] - 1 : nodes.begin[0], (corner & 2) != 0 ? nodes.end[1] - 1 : nodes.begin[1],
            (corner & 4) != 0 ? nodes.end[2] - 1 : nodes.begin[2] }));
  }
  return bounds;
}

WorldBox bounds_of(const GridGeometry& mesh)
{
  return bounds_of(mesh, { {}, mesh.nodes() });
}

Result<Region> box_region(const WorldBox& bounds)
{
  if (bounds.has_nan())
  {
    return fail(ErrorCode::BadArgument, "a bound of a box is not a number");
  }
  return Region{ .side = box(bounds.lower, bounds.upper).side, .bounds = bounds };
}

Result<Region> function_region(std::function<double(const Vec3&)> side, const WorldBox& bounds)
{
  if (bounds.has_nan() || !side)
  {
    return fail(ErrorCode::BadArgument, "a region has no function, or a bound that is not a number");
  }
  return Region{ .side =
                     [side = std::move(side)](const Vec3& x, std::int64_t)
                 {
                   const double value = side(x);
                   return std::isnan(value) ? 1.0 : value;
                 },
    .bounds = bounds };
}

Result<Region> surface_region(std::span<const Vec3> points, std::span<const std::array<std::int32_t, 3>> triangles)
{
  Result<ClosedSurface> created = ClosedSurface::create(points, triangles);
  if (!created)
  {
    return forward_error(created);
  }
  auto surface = std::make_shared<const ClosedSurface>(std::move(*created));
  const WorldBox bounds = surface->bounds();
  return Region{ .side = [surface](const Vec3& x, std::int64_t) { return surface->side(x); },
    .within_distance = true,
    .bounds = bounds };
}

Result<Region> label_region(
    const Grid& grid, std::span<const std::int32_t> labels, Centering centering, std::int32_t label)
{
  Result<GridGeometry> created = GridGeometry::create(grid);
  if (!created)
  {
    return forward_error(created);
  }
  const std::int64_t count = volume(grid.lattice(centering));
  Result<Region> region = label_region(WorldBox{}, count, labels, centering, label);
  if (region)
  {
    region->bounds = bounds_of(*created, nodes_with_label(grid, labels, centering, label));
  }
  return region;
}

Result<Region> label_region(const WorldBox& bounds, std::int64_t count, std::span<const std::int32_t> labels,
    Centering centering, std::int32_t label)
{
  if (labels.size() != static_cast<std::size_t>(count))
  {
    return fail(ErrorCode::BadArgument, "there are " + std::to_string(labels.size()) + " labels for " +
                                            std::to_string(count) +
                                            (centering == Centering::Cell ? " cells" : " points"));
  }
  const std::int32_t* values = labels.data();
  return Region{ .side = [=](const Vec3&, std::int64_t number)
                 { return number >= 0 && values[number] == label ? -1.0 : 1.0; },
    .numbers = centering,
    .bounds = bounds };
}

} // namespace rivulet
