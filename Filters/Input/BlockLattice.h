// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Blocks of image data and rectilinear grids that tile a box, as one lattice.
///
///     Result<BlockLattice> lattice = lattice_of(blocks);
///
/// Threads: the one that called RequestData. Lifetime: the blocks must outlive the answer.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "Filters/Input/InputBlocks.h"

#include <vector>

namespace rivulet
{

/// A block on the lattice.
struct LatticeBlock
{
  InputBlock block;
  Grid grid;  ///< grid of the block
  Int3 begin; ///< corner node of the block on the lattice
  Box cells;  ///< cells that vtkGhostType does not mark as duplicates, counted from the corner of the block

  /// Lattice points of these cells, counted from the corner of the block.
  [[nodiscard]] Box own(Centering centering) const;
};

struct BlockLattice
{
  Grid grid; ///< uniform if all blocks are uniform with equal spacing and direction, else rectilinear
  std::vector<LatticeBlock> blocks;
  std::vector<std::uint8_t> point_ghosts; ///< of all points; empty if no block hides points
  std::vector<std::uint8_t> cell_ghosts;
};

/// Fails with BadArgument and the reason unless the points of the blocks lie on one lattice and fill a box of it, and
/// their cells do not overlap. Values of cells need cells that fill the box, too.
[[nodiscard]] Result<BlockLattice> lattice_of(const std::vector<InputBlock>& blocks, Centering centering);

} // namespace rivulet
