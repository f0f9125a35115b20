// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cut of a lattice into bricks, and the key of a brick: shared by files (Io) and caches (Store).
///
///     const BrickGrid grid = ...;
///     const BrickKey key{ variable, step, grid.index_of_cell({ 12, 0, 7 }) };
///
/// Plain values; copies may be used by any thread.
#pragma once

#include "Base/Box.h"

namespace rivulet
{

/// A brick of a variable at a step. `index` is the row-major number of the brick in its BrickGrid.
struct BrickKey
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  std::int64_t index = 0;

  friend bool operator==(const BrickKey&, const BrickKey&) = default;
};

/// The cut of a variable's cells into bricks. A brick (bi, bj, bk) owns the cells [b * cells, min((b + 1) * cells, grid
/// cells)); all numbers count from the grid's corner.
struct BrickGrid
{
  Int3 cells{ 1, 1, 1 };   ///< cells owned by a (full) brick along each axis
  Int3 count{ 1, 1, 1 };   ///< bricks along each axis
  Int3 lattice{ 1, 1, 1 }; ///< values along each axis over the whole grid

  [[nodiscard]] std::int64_t size() const { return volume(count); }
  [[nodiscard]] Int3 brick_of_cell(const Int3& cell) const
  {
    return { cell[0] / cells[0], cell[1] / cells[1], cell[2] / cells[2] };
  }
  [[nodiscard]] std::int64_t index_of_cell(const Int3& cell) const { return row_major(brick_of_cell(cell), count); }
};

} // namespace rivulet
