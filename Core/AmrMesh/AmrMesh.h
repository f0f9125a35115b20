// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The geometry of a field on nested levels (block-structured AMR): which cells each level has, which of them are the
/// finest there are, and the bricks that those are cut into.
///
/// Every level is a uniform grid of the whole domain, of which it has boxes only. A place in the domain belongs to the
/// finest level that has its cell: such cells are leaves. Bricks are boxes of leaves, at most brick_cells() along each
/// axis, so that a particle within a brick has the finest data. All cells are counted from the domain's corner.
///
/// Memory follows the number of boxes and of bricks, 32 bytes each and a little more. brick_cells() is kBrickCells
/// unless that cut the boxes into more than kMostBins pieces; then it is doubled until it does not.
///
///     Result<AmrMesh> grid = AmrMesh::create(std::move(levels));
///     std::int64_t brick = grid->brick_of(1, { 12, 0, 7 });        // -1: finer there, or not refined there
///
/// Immutable; may be shared by threads.
#pragma once

#include "AmrMesh/BoxTree.h"
#include "Base/Field.h"
#include "Base/Result.h"

#include <vector>

namespace rivulet
{

struct AmrMeshLevel
{
  Grid grid;              ///< uniform; of the whole domain
  Int3 ratio{ 1, 1, 1 };  ///< cells per cell of the next coarser level along each axis; 1 on the coarsest
  std::vector<Box> boxes; ///< the cells that the level has; they do not overlap

  friend bool operator==(const AmrMeshLevel&, const AmrMeshLevel&) = default;
};

/// Leaves of one box of one level.
struct LeafBrick
{
  std::int32_t level = 0;
  std::int32_t box = 0; ///< of that level
  Box cells;
};

class AmrMesh
{
public:
  static constexpr std::int32_t kBrickCells = 16;
  static constexpr std::int32_t kMostBrickCells = 1024;
  static constexpr std::int64_t kMostBins = std::int64_t{ 1 } << 22;

  /// BadArgument if there is no level, or a box that is empty, leaves the domain or overlaps another one of its level,
  /// if grids and ratios do not agree, or if there are more cells than bricks can be made of.
  [[nodiscard]] static Result<AmrMesh> create(std::vector<AmrMeshLevel> levels);

  [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }
  [[nodiscard]] const AmrMeshLevel& level(int number) const { return levels_[static_cast<std::size_t>(number)]; }
  /// Whether this was made of equal levels.
  [[nodiscard]] bool has(const std::vector<AmrMeshLevel>& levels) const { return levels_ == levels; }
  /// Axes along which there is one layer of cells without depth.
  [[nodiscard]] bool flat(std::size_t axis) const { return levels_.front().grid.nodes[axis] == 1; }

  /// The longest edge of a brick.
  [[nodiscard]] std::int32_t brick_cells() const { return brick_cells_; }
  /// The most nodes that a brick has.
  [[nodiscard]] std::int64_t most_nodes() const;
  [[nodiscard]] std::int64_t bricks() const { return static_cast<std::int64_t>(bricks_.size()); }
  [[nodiscard]] const LeafBrick& brick(std::int64_t number) const { return bricks_[static_cast<std::size_t>(number)]; }

  /// The brick of a leaf; -1 for any other cell.
  [[nodiscard]] std::int64_t brick_of(int level, const Int3& cell) const;
  /// The box of a level that has the cell; -1 if none has.
  [[nodiscard]] std::int32_t box_of(int level, const Int3& cell) const;
  /// The boxes of a level that share cells with `cells`, ascending.
  [[nodiscard]] std::vector<std::int32_t> boxes_in(int level, const Box& cells) const;

private:
  /// A level's bricks by box and bin: brick_cells() cells along each axis, beginning at multiples of that. A brick lies
  /// in one bin of one box.
  struct Cut
  {
    std::vector<std::int64_t> first_bin;   ///< of each box, row by row
    std::vector<std::int32_t> first_brick; ///< of each bin, and one after the last
  };

  explicit AmrMesh(std::vector<AmrMeshLevel>&& levels);
  [[nodiscard]] Result<void> find_overlap(int level) const;
  [[nodiscard]] bool choose_brick_cells();
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
