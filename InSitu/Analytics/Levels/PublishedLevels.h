// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The levels of a published field, checked, in the types of Core.
///
///     Result<PublishedLevels> found = find_levels(chosen, blocks);     // blocks of all ranks: gather_blocks()
///     found->levels[1].boxes[4]                                        // cells of a patch
///     blocks[found->blocks[1][4]]                                      // the rank that publishes it
///
/// Patches of a level are in the order of their places, so that the ranks that publish them cannot change a result.
/// Any thread.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "Fields/SpreadBlocks.h"

namespace rivulet
{

struct PublishedLevels
{
  std::vector<AmrMeshLevel> levels;             ///< down to the finest one with patches
  std::vector<std::vector<std::size_t>> blocks; ///< by level and box: number among the blocks of all ranks
};

/// The same answer on all ranks. Refuses patches of a level that overlap, a coarsest level that does not cover the
/// domain, and a level without patches below a finer one with some. Names field, level and patch. BadArgument.
[[nodiscard]] Result<PublishedLevels> find_levels(const ChosenField& chosen, const std::vector<SpreadBlock>& blocks);

} // namespace rivulet
