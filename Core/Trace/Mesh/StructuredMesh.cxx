// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/StructuredMesh.h"

#include <algorithm>

namespace rivulet
{

StructuredMesh::StructuredMesh(const TraceField& field, GridGeometry geometry)
  : GridMesh(field, { std::move(geometry) })
  , bricks_(&field.velocity.source->bricks(field.velocity.variable))
{
}

std::optional<Mesh::Place> StructuredMesh::enter(const Vec3& world, const Moment&) const
{
  const std::optional<CellPosition> at = level().locate(world);
  if (!at || (hidden_always() && hidden(at->cell, {})))
  {
    return std::nullopt;
  }
  return Place{ *at, brick_in(*bricks_, *at) };
}

std::int64_t StructuredMesh::enter_brick(Position& sample, Position&, std::span<double[3]>, const Moment&) const
{
  return brick_in(*bricks_, sample);
}

std::int64_t StructuredMesh::brick_in(const BrickGrid& cut, const Position& at) const
{
  const Int3 cell = at.as<CellPosition>().cell;
  const Int3& offset = lattice_offset();
  return cut.index_of_cell({ cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2] });
}

std::optional<Mesh::WayInBricks> StructuredMesh::way_in_bricks(
    const Position& last, const Position& sample, std::int32_t) const
{
  const auto from = last.as<CellPosition>();
  const auto to = sample.as<CellPosition>();
  WayInBricks way;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double cells = bricks_->cells[axis];
    way.place[axis] = (to.cell[axis] + lattice_offset()[axis] + to.fraction[axis]) / cells;
    way.along[axis] = (to.cell[axis] - from.cell[axis] + to.fraction[axis] - from.fraction[axis]) / cells;
  }
  return way;
}

Box StructuredMesh::cells_of(std::int64_t brick) const
{
  const Int3 number = from_row_major(brick, bricks_->count);
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = std::int64_t{ number[axis] } * bricks_->cells[axis] - lattice_offset()[axis];
    const std::int64_t cells = level().cells()[axis];
    box.begin[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(begin, 0));
    box.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(begin + bricks_->cells[axis], cells));
  }
  return box;
}

} // namespace rivulet
