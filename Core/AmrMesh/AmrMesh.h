// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Geometry of an AMR mesh: the cells of each level, the cells that no finer level covers (leaves), and the bricks of
/// leaves.
///
/// Every level is a uniform mesh of the whole domain with cells in its boxes only. A place in the domain belongs to the
/// finest level that has a cell there. A brick is a box of leaves with at most brick_cells() cells along each axis, so
/// that a particle within a brick has the finest data. All cell indices count from the corner of the domain.
///
/// Memory: 32 bytes per box and per brick, and a little more. brick_cells() is kBrickCells, doubled until the boxes are
/// cut into at most kMostBins pieces.
///
///     Result<AmrMesh> grid = AmrMesh::create(std::move(levels));
///     std::int64_t brick = grid->brick_of(1, { 12, 0, 7 });        // -1: finer there, or not refined there
///
/// Immutable; may be shared by threads.
#pragma once

#include "AmrMesh/BoxTree.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/BrickSource.h"

#include <vector>

namespace rivulet
{

struct AmrMeshLevel
{
  Grid grid;              ///< uniform; of the whole domain
  Int3 ratio{ 1, 1, 1 };  ///< cells per cell of the next coarser level along each axis; 1 on the coarsest
  std::vector<Box> boxes; ///< cells of the level; boxes do not overlap

  friend bool operator==(const AmrMeshLevel&, const AmrMeshLevel&) = default;
};

/// Box of leaves within one box of one level.
struct LeafBrick
{
  std::int32_t level = 0;
  std::int32_t box = 0; ///< index within the level
  Box cells;
};

class AmrMesh final : public BrickCut
{
public:
  static constexpr std::int32_t kBrickCells = 16;
  static constexpr std::int32_t kMostBrickCells = 1024;
  static constexpr std::int64_t kMostBins = std::int64_t{ 1 } << 22;

  /// Fails with BadArgument if there is no level, if a box is empty, leaves the domain or overlaps another box of its
  /// level, if meshes and ratios do not agree, or if there are too many cells for bricks.
  [[nodiscard]] static Result<AmrMesh> create(std::vector<AmrMeshLevel> levels);

  [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }
  [[nodiscard]] const AmrMeshLevel& level(int number) const { return levels_[static_cast<std::size_t>(number)]; }
  /// Whether this was made of equal levels.
  [[nodiscard]] bool has(const std::vector<AmrMeshLevel>& levels) const { return levels_ == levels; }
  /// Whether the mesh has one layer of cells without depth along an axis.
  [[nodiscard]] bool flat(std::size_t axis) const { return levels_.front().grid.nodes[axis] == 1; }

  /// Longest edge of a brick in cells.
  [[nodiscard]] std::int32_t brick_cells() const { return brick_cells_; }
  [[nodiscard]] std::int64_t nodes_of(std::int64_t brick) const override
  {
    return nodes_around(this->brick(brick).cells.size());
  }
  [[nodiscard]] std::int64_t most_nodes() const override
  {
    return nodes_around({ brick_cells_, brick_cells_, brick_cells_ });
  }
  [[nodiscard]] std::int64_t bricks() const { return static_cast<std::int64_t>(bricks_.size()); }
  [[nodiscard]] const LeafBrick& brick(std::int64_t number) const { return bricks_[static_cast<std::size_t>(number)]; }

  /// Number of the brick with a leaf; -1 for any other cell.
  [[nodiscard]] std::int64_t brick_of(int level, const Int3& cell) const;
  /// Index of the box of a level with a cell; -1 if there is none.
  [[nodiscard]] std::int32_t box_of(int level, const Int3& cell) const;
  /// Indices of the boxes of a level that share cells with `cells`, in ascending order.
  [[nodiscard]] std::vector<std::int32_t> boxes_in(int level, const Box& cells) const;

private:
  /// Bricks of a level by box and bin. A bin has brick_cells() cells along each axis and begins at a multiple of that.
  /// A brick lies in one bin of one box.
  struct Cut
  {
    std::vector<std::int64_t> first_bin;   ///< of each box: number of its first bin, row by row
    std::vector<std::int32_t> first_brick; ///< of each bin: number of its first brick; then the number of bricks
  };

  explicit AmrMesh(std::vector<AmrMeshLevel>&& levels);
  [[nodiscard]] Result<void> find_overlap(int level) const;
  [[nodiscard]] bool choose_brick_cells();
  [[nodiscard]] std::int64_t nodes_around(const Int3& cells) const;
  [[nodiscard]] Box bins_of(const Box& cells) const;
  void cut(int level);
  void leaves_in(int level, const Box& cells, std::vector<Box>& leaves) const;

  std::vector<AmrMeshLevel> levels_;
  std::vector<BoxTree> trees_; ///< of each level's boxes
  std::int32_t brick_cells_ = kBrickCells;
  std::vector<Cut> cuts_;         ///< one per level
  std::vector<LeafBrick> bricks_; ///< level by level, box by box, bin by bin
};

} // namespace rivulet
