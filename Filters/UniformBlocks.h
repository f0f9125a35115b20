// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Levels of refinement in composite data whose boxes do not tell them: a multiblock of uniform grids, as readers give
/// it where ratios differ between the axes, or AMR whose boxes have ghost layers. What cells are like tells their
/// level.
///
///     Result<AmrBlocks> levels = levels_of_blocks(*blocks_of(*multiblock), cache);
///
/// Threads: the one that called RequestData. Lifetime: the data must outlive the answer.
#pragma once

#include "Filters/AmrInput.h"
#include "Filters/InputBlocks.h"

class vtkCompositeDataSet;

namespace rivulet
{

/// Blocks whose cells are alike are a level, however they are nested. Cells that vtkGhostType marks as duplicates are
/// not theirs. Unsupported if a block is no uniform grid; BadArgument if blocks do not lie on one lattice, refined from
/// level to level by whole numbers, or overlap within a level.
[[nodiscard]] Result<AmrBlocks> levels_of_blocks(const std::vector<InputBlock>& blocks, AmrCache& cache);

/// Whether a block has cells that vtkGhostType marks as duplicates: boxes of a level overlap there.
[[nodiscard]] bool has_ghost_layers(vtkCompositeDataSet& data);

} // namespace rivulet
