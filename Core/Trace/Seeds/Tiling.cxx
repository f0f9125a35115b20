// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Seeds/Tiling.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int32_t kTileCells = 32;     ///< larger bricks (arrays in memory are one) are cut
constexpr std::int32_t kLargestBlock = 16;  ///< edge in tiles: 4096 tiles are sorted at a time
constexpr std::int64_t kEnoughBlocks = 256; ///< enough to share among threads and ranks

} // namespace

Tiling::Tiling(const AdvectionContext& context)
  : context_(context)
  , edge_(kLargestBlock)
{
  const BrickGrid& grid = context.bricks();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    per_brick_[axis] = (grid.cells[axis] + kTileCells - 1) / kTileCells;
    tiles_[axis] = grid.count[axis] * per_brick_[axis];
  }
  while (edge_ > 1 && blocks() < kEnoughBlocks)
  {
    edge_ /= 2;
  }
}

Int3 Tiling::block_counts() const
{
  return { (tiles_[0] + edge_ - 1) / edge_, (tiles_[1] + edge_ - 1) / edge_, (tiles_[2] + edge_ - 1) / edge_ };
}

std::vector<Tile> Tiling::tiles_of(std::int64_t block) const
{
  const Int3 at = from_row_major(block, block_counts());
  const Int3 first{ at[0] * edge_, at[1] * edge_, at[2] * edge_ };
  const Box all = intersect({ first, { first[0] + edge_, first[1] + edge_, first[2] + edge_ } }, { {}, tiles_ });
  std::vector<Tile> tiles;
  for (std::int64_t i = 0; i < all.count(); ++i)
  {
    const Int3 local = from_row_major(i, all.size());
    Tile tile = tile_at({ local[0] + first[0], local[1] + first[1], local[2] + first[2] });
    if (!tile.cells.empty())
    {
      tiles.push_back(tile);
    }
  }
  std::stable_sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) { return a.order < b.order; });
  return tiles;
}

Tile Tiling::tile_at(const Int3& at) const
{
  const BrickGrid& grid = context_.bricks();
  Int3 brick;
  Box part;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    brick[axis] = at[axis] / per_brick_[axis];
    const std::int32_t begin = brick[axis] * grid.cells[axis] - context_.field().lattice_offset[axis];
    part.begin[axis] = begin + at[axis] % per_brick_[axis] * kTileCells;
    part.end[axis] = std::min(part.begin[axis] + kTileCells, begin + grid.cells[axis]);
  }
  const std::int64_t index = row_major(brick, grid.count);
  const std::int64_t order = context_.field().velocity.source->storage_order(context_.key_of(index));
  return { order, index, intersect(part, { {}, context_.field().grid.cells() }) };
}

} // namespace rivulet
