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
#include "Filters/InputBlocks.h"

#include <vector>

namespace rivulet
{

/// A block on the lattice.
struct LatticeBlock
{
  InputBlock block;
  Grid grid;  ///< its own
  Int3 begin; ///< its corner node on the lattice
  Box cells;  ///< its cells but for those that vtkGhostType marks as another's, counted from its corner

  /// The lattice points that are its own, counted from its corner.
  [[nodiscard]] Box own(Centering centering) const;
};

struct BlockLattice
{
  Grid grid; ///< uniform where all blocks are uniform, alike and turned alike; else rectilinear
  std::vector<LatticeBlock> blocks;
  std::vector<std::uint8_t> point_ghosts; ///< of all; empty if no block hides points
  std::vector<std::uint8_t> cell_ghosts;
};

/// BadArgument, with the reason, unless the blocks' points lie on one lattice and fill a box of it, their cells do not
/// overlap, and, for values of cells, fill it, too.
[[nodiscard]] Result<BlockLattice> lattice_of(const std::vector<InputBlock>& blocks, Centering centering);

} // namespace rivulet
