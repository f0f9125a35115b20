// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells of a structured grid that are outside the domain at one time step: one bit for each cell.
///
///     const std::shared_ptr<const HiddenCells> hidden = HiddenCells::of(grid, point_ghosts, cell_ghosts);
///     if (hidden != nullptr && hidden->has(cell)) ...
///
/// Memory: an eighth of a byte per cell. Immutable; may be shared by threads.
#pragma once

#include "Base/Field.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rivulet
{

class HiddenCells
{
public:
  /// From vtkGhostType arrays of points and of cells, row-major, or nullptr: hidden cells (bit 32), and cells with a
  /// hidden point (bit 2). Returns nullptr if there are none. Throws std::bad_alloc.
  [[nodiscard]] static std::shared_ptr<const HiddenCells> of(
      const Grid& grid, const std::uint8_t* point_ghosts, const std::uint8_t* cell_ghosts);

  /// Whether a cell of the grid is hidden.
  [[nodiscard]] bool has(const Int3& cell) const
  {
    const auto at = static_cast<std::size_t>(row_major(cell, cells_));
    return (bits_[at / 64] >> at % 64 & 1U) != 0;
  }

private:
  explicit HiddenCells(const Int3& cells);

  Int3 cells_;
  std::vector<std::uint64_t> bits_;
};

/// Whether such arrays hide a cell of a grid with so many nodes.
[[nodiscard]] bool hides_cell(
    const Int3& nodes, const std::uint8_t* point_ghosts, const std::uint8_t* cell_ghosts, const Int3& cell);

} // namespace rivulet
