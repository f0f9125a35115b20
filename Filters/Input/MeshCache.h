// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cache of the mesh of a filter's input, from one execution of the filter to the next: of AMR meshes and the bricks of
/// their arrays, so that another query of the same input assembles no brick again; of the search structure of foreign
/// cells; and of the bounds of the bricks of a curvilinear grid in files.
///
///     cache.begin();
///     ... mesh(), array() for all that the execution uses ...
///     cache.end();                                      // drops the rest
///
/// An AMR mesh is used again if the levels are equal. The bricks of an array are used again if meshes and lattices are
/// equal, if the arrays of all blocks are the same objects and were not modified, and if no brick failed: a failed
/// brick is tried again that way. Blocks may be other objects, because filters in between pass arrays on.
///
/// Memory: bricks stay within the budget of the run that assembled them. Arrays in memory are not kept alive; arrays
/// that are read on demand are, because the threads that assemble bricks may use them until the cache drops the bricks.
///
/// Foreign cells are used again if they are the same at the same places. Of cells that are the same elsewhere, all but
/// the boxes of the search is used again. They are kept without values.
///
/// Threads: the one that called RequestData.
#pragma once

#include "AmrMesh/AmrBricks.h"
#include "Filters/Input/AmrInput.h"
#include "Filters/Input/InputCells.h"

#include <memory>
#include <vector>

namespace rivulet
{

class CurvilinearGrid;
class LazyField;

class MeshCache
{
public:
  struct Array
  {
    std::shared_ptr<BlockValues> values;
    std::shared_ptr<AmrBricks> bricks;
  };

  /// Begins an execution.
  void begin();

  /// Mesh of these levels. Fails as AmrMesh::create().
  [[nodiscard]] Result<std::shared_ptr<const AmrMesh>> mesh(std::vector<AmrMeshLevel> levels);

  /// Values and bricks of one array of all blocks. `like` is the array in one of the blocks.
  [[nodiscard]] Array array(const AmrBlocks& levels, vtkDataArray& like, Centering centering);

  /// Cells of these datasets. Fails as InputCells::of() and InputCells::moved().
  [[nodiscard]] Result<std::shared_ptr<const InputCells>> cells(const std::vector<InputBlock>& blocks);

  /// The nodes of a curvilinear grid in an open field, at a step that has their places. Fails as
  /// FileBricks::brick_places() and CurvilinearGrid::create().
  [[nodiscard]] Result<std::shared_ptr<const CurvilinearGrid>> nodes(
      const std::shared_ptr<LazyField>& field, std::int32_t step);

  /// Drops meshes and arrays that were not used since begin().
  void end();

private:
  struct Kept
  {
    Array array;
    std::shared_ptr<const AmrMesh> mesh;
    std::shared_ptr<const AmrMesh> cut;
    bool used = false;
  };

  std::shared_ptr<const AmrMesh> mesh_;
  bool mesh_used_ = false;
  std::shared_ptr<const InputCells> cells_;
  bool cells_used_ = false;
  std::vector<Kept> arrays_;
  std::shared_ptr<LazyField> field_; ///< of nodes_
  std::shared_ptr<const CurvilinearGrid> nodes_;
  bool nodes_used_ = false;
};

} // namespace rivulet
