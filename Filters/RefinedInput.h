// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Levels of blocks as Core sees them: their cells as a RefinedGrid, an array of all blocks as PatchValues.
///
///     Result<LevelBlocks> levels = levels_of_amr(*amr);
///     auto patches = std::make_shared<BlockValues>(*levels, velocity, Centering::Cell);
///
/// Threads: made by the one that called RequestData; BlockValues as PatchValues. Lifetime: the data must outlive both.
#pragma once

#include "Levels/PatchValues.h"
#include "Levels/RefinedGrid.h"
#include "Store/BudgetedStore.h"

class vtkDataArray;
class vtkImageData;
class vtkOverlappingAMR;

namespace rivulet
{

/// Levels, and the grid that has the values of each box: nullptr where this process has none.
struct LevelBlocks
{
  std::shared_ptr<const RefinedGrid> grid;
  std::vector<std::vector<vtkImageData*>> blocks; ///< by level and box

  /// The coarsest that there is; nullptr if there is none.
  [[nodiscard]] vtkImageData* first() const;
};

/// Boxes count as the AMR's do. Fails (BadArgument) if there are none, or if they overlap or do not nest.
[[nodiscard]] Result<LevelBlocks> levels_of_amr(vtkOverlappingAMR& amr);

/// Of the patches that a store reads on demand: so many at a time that a quarter of its budget is on its way, at most.
[[nodiscard]] int patches_at_once(const BudgetedStore& store);

/// An array that blocks hold in memory, read in place where it is float or double; else converted block by block when
/// it is asked for. Blocks may have ghost layers.
class BlockValues final : public PatchValues
{
public:
  /// `like`: the array in one of the blocks.
  BlockValues(const LevelBlocks& levels, vtkDataArray& like, Centering centering);

  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override;
  /// patches_at_once() of the store; 0 if all is in memory.
  [[nodiscard]] int at_once() const override;
  /// What blocks are read by when they are asked for; nullptr if all is in memory.
  [[nodiscard]] const std::shared_ptr<BudgetedStore>& store() const { return store_; }

private:
  struct Block
  {
    vtkDataArray* values = nullptr;
    Box lattice;
  };

  Variable variable_;
  std::vector<std::vector<Block>> blocks_; ///< by level and box
  std::shared_ptr<BudgetedStore> store_;
};

} // namespace rivulet
