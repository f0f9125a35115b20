// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/MeshNodes.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// The nodes of a box that lie in a brick's cells, the first layer of which it shares with the brick before.
Box nodes_in_brick(const BrickGrid& cut, const Int3& brick, std::int32_t refinement, const Box& nodes)
{
  Box part;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = std::int64_t{ brick[axis] } * cut.cells[axis] * refinement;
    const std::int64_t end =
        brick[axis] + 1 == cut.count[axis] ? nodes.end[axis] : begin + std::int64_t{ cut.cells[axis] } * refinement;
    part.begin[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(nodes.begin[axis], begin));
    part.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(nodes.end[axis], end));
  }
  return part;
}

Vec3 place_of(const Int3& node, std::int32_t refinement, const Int3& counts, const BrickCorners& corners)
{
  Int3 cell;
  Vec3 share;
  bool between = false;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cell[axis] = std::min(node[axis] / refinement, counts[axis] - 1);
    const std::int32_t beyond = node[axis] - cell[axis] * refinement;
    share[axis] = static_cast<double>(beyond) / refinement;
    between = between || beyond % refinement != 0;
  }
  if (between)
  {
    return HexCell(corners.of(cell)).at(share);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cell[axis] += share[axis] == 1.0 ? 1 : 0;
  }
  return corners.point(cell);
}

} // namespace

Result<std::vector<Vec3>> mesh_nodes(
    const CurvilinearMesh& mesh, const Moment& moment, std::int32_t refinement, const Box& nodes)
{
  const CurvilinearGrid& grid = mesh.grid_of_nodes();
  std::vector<Vec3> places(static_cast<std::size_t>(nodes.count()));
  for (std::int64_t brick = 0; brick < grid.cut().size(); ++brick)
  {
    const Box part = nodes_in_brick(grid.cut(), from_row_major(brick, grid.cut().count), refinement, nodes);
    if (part.empty())
    {
      continue;
    }
    std::shared_ptr<const Error> error;
    const PinnedPlaces pinned = mesh.pin(brick, moment, error);
    if (!pinned)
    {
      return tl::unexpected(*error);
    }
    const BrickCorners corners = pinned.corners(moment.share);
    for (std::int64_t i = 0; i < part.count(); ++i)
    {
      const Int3 local = from_row_major(i, part.size());
      const Int3 node{ part.begin[0] + local[0], part.begin[1] + local[1], part.begin[2] + local[2] };
      const Int3 of_box{ node[0] - nodes.begin[0], node[1] - nodes.begin[1], node[2] - nodes.begin[2] };
      places[static_cast<std::size_t>(row_major(of_box, nodes.size()))] =
          place_of(node, refinement, grid.counts(), corners);
    }
  }
  return places;
}

} // namespace rivulet
