// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Blocks of levels in the types of Core: their cells as an AmrMesh, an array of all blocks as PatchValues.
///
///     Result<AmrBlocks> levels = levels_of_amr(*amr, cache);
///     auto patches = std::make_shared<BlockValues>(*levels, velocity, Centering::Cell);
///
/// Threads: the thread that called RequestData; BlockValues as PatchValues. Lifetime: the data must outlive AmrBlocks,
/// and arrays in memory the use of BlockValues. BlockValues keeps arrays alive that are read on demand.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "AmrMesh/PatchValues.h"
#include "Store/Source/BudgetedStore.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"
#include "vtkWeakPointer.h"

class vtkImageData;
class vtkOverlappingAMR;

namespace rivulet
{

class MeshCache;

/// Mesh, and for each box the block with its values; nullptr if this process has none.
struct AmrBlocks
{
  std::shared_ptr<const AmrMesh> mesh;
  std::vector<std::vector<vtkImageData*>> blocks; ///< by level and box
  std::shared_ptr<const AmrMesh> cut;             ///< mesh whose bricks arrays are cut into; the same, or finer

  /// First block of the coarsest level with blocks; nullptr if there is none.
  [[nodiscard]] vtkImageData* first() const;
};

/// Boxes have the numbers that they have in the AMR. Fails with BadArgument if there are none, or if they overlap or do
/// not nest.
[[nodiscard]] Result<AmrBlocks> levels_of_amr(vtkOverlappingAMR& amr, MeshCache& cache);

/// Number of patches that a store may read at a time: as many as fit into a quarter of its budget, at least 1.
[[nodiscard]] int patches_at_once(const BudgetedStore& store);

/// Array of all blocks. Floats and doubles are read in place, other types are converted block by block on demand.
/// Blocks may have ghost layers.
class BlockValues final : public PatchValues
{
public:
  /// `like` is the array in one of the blocks.
  BlockValues(const AmrBlocks& levels, vtkDataArray& like, Centering centering);

  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override;
  /// patches_at_once() of the store; 0 if all values are in memory.
  [[nodiscard]] int at_once() const override;
  /// Store that reads blocks on demand; nullptr if all values are in memory.
  [[nodiscard]] const std::shared_ptr<BudgetedStore>& store() const { return store_; }
  /// Whether `other` has the same arrays in the same places, with the same times of modification.
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
