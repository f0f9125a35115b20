// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Overlapping AMR as Core sees it: the levels as a RefinedGrid, an array of all blocks as PatchValues.
///
///     Result<std::shared_ptr<const RefinedGrid>> grid = refined_grid_of(*amr);
///     auto patches = std::make_shared<BlockValues>(*amr, *grid, "velocity", Centering::Cell);
///
/// Threads: made by the one that called RequestData; BlockValues as PatchValues. Lifetime: the AMR must outlive both.
#pragma once

#include "Levels/PatchValues.h"
#include "Levels/RefinedGrid.h"
#include "Store/BudgetedStore.h"

class vtkDataArray;
class vtkDataSet;
class vtkOverlappingAMR;

namespace rivulet
{

/// Boxes count as the AMR's do. Fails (BadArgument) if they overlap or do not nest.
[[nodiscard]] Result<std::shared_ptr<const RefinedGrid>> refined_grid_of(vtkOverlappingAMR& amr);

/// The coarsest block that this process has; nullptr if it has none.
[[nodiscard]] vtkDataSet* first_block(vtkOverlappingAMR& amr);

/// An array that blocks hold in memory, read in place where it is float or double; else converted block by block when
/// it is asked for. Blocks may have ghost layers.
class BlockValues final : public PatchValues
{
public:
  /// `like`: the array in one of the blocks.
  BlockValues(vtkOverlappingAMR& amr, const RefinedGrid& grid, vtkDataArray& like, Centering centering);

  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override;
  /// While so many patches are read, at most a quarter of the store's budget is on its way.
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
