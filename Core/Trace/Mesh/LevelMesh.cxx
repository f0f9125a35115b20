// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/LevelMesh.h"

namespace rivulet
{

LevelMesh::LevelMesh(const TraceField& field, const AmrMesh& mesh, std::vector<GridGeometry> levels)
  : GridMesh(field, std::move(levels))
  , amr_(mesh)
{
}

std::optional<Mesh::Place> LevelMesh::enter(const Vec3& world, const Moment&) const
{
  std::optional<CellPosition> at = level().locate(world);
  if (!at || (hidden_always() && hidden(at->cell, {})))
  {
    return std::nullopt;
  }
  const std::int64_t brick = enter_finest_level(*at);
  return brick >= 0 ? std::optional(Place{ *at, brick }) : std::nullopt;
}

std::int64_t LevelMesh::enter_brick(Position& sample, Position& last, std::span<double[3]> slopes, const Moment&) const
{
  auto at = sample.as<CellPosition>();
  const std::int32_t before = at.level;
  const std::int64_t brick = enter_finest_level(at);
  sample = at;
  last = on_level(last.as<CellPosition>(), at.level);
  for (double(&slope)[3] : slopes)
  {
    scale_to_level(slope, before, at.level);
  }
  return brick;
}

std::int64_t LevelMesh::brick_in(const BrickGrid&, const Position& at) const
{
  const auto place = at.as<CellPosition>();
  return amr_.brick_of(place.level, place.cell);
}

/// Moves a position to the finest level with cells there. Returns the brick of its cell; -1, and no change, if no level
/// has cells there.
std::int64_t LevelMesh::enter_finest_level(CellPosition& at) const
{
  for (std::int32_t level = amr_.levels(); level-- > 0;)
  {
    const CellPosition there = on_level(at, level);
    const std::int64_t brick = amr_.brick_of(there.level, there.cell);
    if (brick >= 0)
    {
      at = there;
      return brick;
    }
  }
  return -1;
}

/// The same place in cells of another level.
CellPosition LevelMesh::on_level(CellPosition at, std::int32_t level) const
{
  while (at.level < level)
  {
    at = to_finer(at, amr_.level(at.level + 1).ratio);
  }
  while (at.level > level)
  {
    at = to_coarser(at, amr_.level(at.level).ratio);
  }
  return at;
}

/// Converts a displacement in cells of one level to cells of another.
void LevelMesh::scale_to_level(double (&slope)[3], std::int32_t from, std::int32_t to) const
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::int32_t level = from; level < to; ++level)
    {
      slope[axis] *= amr_.level(level + 1).ratio[axis];
    }
    for (std::int32_t level = from; level > to; --level)
    {
      slope[axis] /= amr_.level(level).ratio[axis];
    }
  }
}

} // namespace rivulet
