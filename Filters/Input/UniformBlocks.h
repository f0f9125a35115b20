// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Levels of composite data without usable boxes: a multiblock of uniform grids, which readers make if ratios differ
/// between the axes, or AMR with ghost layers. The level of a block follows from the size of its cells.
///
///     Result<AmrBlocks> levels = levels_of_blocks(*blocks_of(*multiblock), cache);
///
/// Threads: the one that called RequestData. Lifetime: the data must outlive the answer.
#pragma once

#include "Filters/Input/AmrInput.h"
#include "Filters/Input/InputBlocks.h"

class vtkCompositeDataSet;

namespace rivulet
{

/// Blocks with cells of one size are a level, however they are nested. Cells that vtkGhostType marks as duplicates are
/// left out. Fails with Unsupported if a block is no uniform grid, with BadArgument if blocks do not lie on one lattice
/// that is refined from level to level by whole numbers, or overlap within a level.
[[nodiscard]] Result<AmrBlocks> levels_of_blocks(const std::vector<InputBlock>& blocks, MeshCache& cache);

/// Whether a block has cells that vtkGhostType marks as duplicates: boxes of a level overlap there.
[[nodiscard]] bool has_ghost_layers(vtkCompositeDataSet& data);

} // namespace rivulet
