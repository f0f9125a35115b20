// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Levels of blocks as Core sees them: their cells as an AmrMesh, an array of all blocks as PatchValues.
///
///     Result<AmrBlocks> levels = levels_of_amr(*amr, cache);
///     auto patches = std::make_shared<BlockValues>(*levels, velocity, Centering::Cell);
///
/// Threads: made by the one that called RequestData; BlockValues as PatchValues. Lifetime: the data must outlive
/// AmrBlocks and the use of BlockValues, which keeps alone arrays alive that are read on demand.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "AmrMesh/PatchValues.h"
#include "Store/BudgetedStore.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"
#include "vtkWeakPointer.h"

class vtkImageData;
class vtkOverlappingAMR;

namespace rivulet
{

class AmrCache;

/// The mesh, and the block that has the values of each box: nullptr where this process has none.
struct AmrBlocks
{
  std::shared_ptr<const AmrMesh> mesh;
  std::vector<std::vector<vtkImageData*>> blocks; ///< by level and box

  /// The coarsest that there is; nullptr if there is none.
  [[nodiscard]] vtkImageData* first() const;
};

/// Boxes count as the AMR's do. Fails (BadArgument) if there are none, or if they overlap or do not nest.
[[nodiscard]] Result<AmrBlocks> levels_of_amr(vtkOverlappingAMR& amr, AmrCache& cache);

/// Of the patches that a store reads on demand: so many at a time that a quarter of its budget is on its way, at most.
[[nodiscard]] int patches_at_once(const BudgetedStore& store);

/// An array that blocks hold in memory, read in place where it is float or double; else converted block by block when
/// it is asked for. Blocks may have ghost layers.
class BlockValues final : public PatchValues
{
public:
  /// `like`: the array in one of the blocks.
  BlockValues(const AmrBlocks& levels, vtkDataArray& like, Centering centering);

  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override;
  /// patches_at_once() of the store; 0 if all is in memory.
  [[nodiscard]] int at_once() const override;
  /// What blocks are read by when they are asked for; nullptr if all is in memory.
  [[nodiscard]] const std::shared_ptr<BudgetedStore>& store() const { return store_; }
  /// Whether these are the values of `other`: the same arrays in the same places, none modified since.
  [[nodiscard]] bool same(const BlockValues& other) const;

private:
  struct Block
  {
    vtkWeakPointer<vtkDataArray> values;
    vtkMTimeType changed = 0; ///< MTime of the array
    Box lattice;
  };

  Variable variable_;
  std::vector<std::vector<Block>> blocks_;           ///< by level and box
  std::vector<vtkSmartPointer<vtkDataArray>> keeps_; ///< arrays, if they are read on demand
  std::shared_ptr<BudgetedStore> store_;
};

} // namespace rivulet
