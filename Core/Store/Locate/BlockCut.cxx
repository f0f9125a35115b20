// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/BlockCut.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr Int3 kLongest{ 64, 22, 22 }; // cells: fewer than 32^3, three times as long as wide

std::int32_t divided_up(std::int32_t length, std::int32_t pieces)
{
  return (length + pieces - 1) / pieces;
}

// The largest divisor of `block` in [most / 4, most] with most = min(block, longest); 0 if there is none.
std::int32_t dividing_edge(std::int32_t block, std::int32_t longest)
{
  for (std::int32_t edge = std::min(block, longest); 4 * edge >= std::min(block, longest); --edge)
  {
    if (block % edge == 0)
    {
      return edge;
    }
  }
  return 0;
}

std::int32_t edge_along(std::int32_t cells, std::int32_t block, std::int32_t lattice, std::int32_t longest)
{
  const std::int32_t dividing = block < lattice ? dividing_edge(block, longest) : 0;
  return dividing > 0 ? dividing : divided_up(cells, divided_up(cells, longest));
}

} // namespace

BrickGrid cut_blocks(const BlockVariable& variable, const Grid& grid)
{
  BrickGrid bricks;
  bricks.lattice = variable.lattice;
  const Int3 cells = grid.cells();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bricks.cells[axis] = edge_along(cells[axis], variable.block[axis], variable.lattice[axis], kLongest[axis]);
    bricks.count[axis] = divided_up(cells[axis], bricks.cells[axis]);
  }
  return bricks;
}

Box brick_values(const BrickGrid& grid, Centering centering, std::int64_t index)
{
  const Int3 at = from_row_major(index, grid.count);
  const std::int32_t shared = centering == Centering::Node ? 1 : 0;
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = at[axis] * grid.cells[axis];
    box.end[axis] = std::min(grid.lattice[axis], box.begin[axis] + grid.cells[axis] + shared);
  }
  return box;
}

std::int64_t brick_bytes(const BrickGrid& grid, const Variable& variable)
{
  const Box first = brick_values(grid, variable.centering, 0);
  return first.count() * static_cast<std::int64_t>(variable.tuple_bytes());
}

std::int64_t block_order(const BlockVariable& variable, const BrickGrid& grid, std::int64_t index)
{
  const Int3 begin = brick_values(grid, variable.variable.centering, index).begin;
  const Int3& block = variable.block;
  const Int3 number{ begin[0] / block[0], begin[1] / block[1], begin[2] / block[2] };
  const Int3 inside{ begin[0] % block[0], begin[1] % block[1], begin[2] % block[2] };
  return row_major(number, variable.blocks()) * volume(block) + row_major(inside, block);
}

} // namespace rivulet
