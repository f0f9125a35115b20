// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/HiddenCells.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::uint8_t kHiddenPoint = 2; // vtkDataSetAttributes::HIDDENPOINT
constexpr std::uint8_t kHiddenCell = 32; // vtkDataSetAttributes::HIDDENCELL

} // namespace

HiddenCells::HiddenCells(const Int3& cells)
  : cells_(cells)
  , bits_((static_cast<std::size_t>(volume(cells)) + 63) / 64, 0)
{
}

bool hides_cell(const Int3& nodes, const std::uint8_t* point_ghosts, const std::uint8_t* cell_ghosts, const Int3& cell)
{
  const Int3 cells{ std::max(1, nodes[0] - 1), std::max(1, nodes[1] - 1), std::max(1, nodes[2] - 1) };
  if (cell_ghosts != nullptr && (cell_ghosts[row_major(cell, cells)] & kHiddenCell) != 0)
  {
    return true;
  }
  if (point_ghosts == nullptr)
  {
    return false;
  }
  for (int corner = 0; corner < 8; ++corner)
  {
    const Int3 node{ std::min(cell[0] + (corner & 1), nodes[0] - 1),
      std::min(cell[1] + (corner >> 1 & 1), nodes[1] - 1), std::min(cell[2] + (corner >> 2), nodes[2] - 1) };
    if ((point_ghosts[row_major(node, nodes)] & kHiddenPoint) != 0)
    {
      return true;
    }
  }
  return false;
}

std::shared_ptr<const HiddenCells> HiddenCells::of(
    const Grid& grid, const std::uint8_t* point_ghosts, const std::uint8_t* cell_ghosts)
{
  const auto any = [](const std::uint8_t* ghosts, const Int3& lattice, std::uint8_t bit)
  {
    return ghosts != nullptr &&
           std::any_of(ghosts, ghosts + volume(lattice), [bit](std::uint8_t ghost) { return (ghost & bit) != 0; });
  };
  if (!any(point_ghosts, grid.nodes, kHiddenPoint) && !any(cell_ghosts, grid.cells(), kHiddenCell))
  {
    return nullptr;
  }
  const Int3 cells = grid.cells();
  HiddenCells hidden(cells);
  std::size_t at = 0;
  for (std::int32_t k = 0; k < cells[2]; ++k)
  {
    for (std::int32_t j = 0; j < cells[1]; ++j)
    {
      for (std::int32_t i = 0; i < cells[0]; ++i, ++at)
      {
        const bool hides = hides_cell(grid.nodes, point_ghosts, cell_ghosts, { i, j, k });
        hidden.bits_[at / 64] |= std::uint64_t{ hides ? 1U : 0U } << at % 64;
      }
    }
  }
  return std::make_shared<const HiddenCells>(std::move(hidden));
}

} // namespace rivulet
