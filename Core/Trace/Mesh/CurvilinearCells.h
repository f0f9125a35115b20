// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The hexahedra between the points of a lattice that lie anywhere in the world: a curvilinear grid in memory, as
/// ForeignCells.
///
///     const auto cells = std::make_shared<CurvilinearCells>(lattice, std::vector<bool>{});
///     field.foreign = cells;
///
/// Cells and points are numbered row-major, i fastest. A place is sought from the cell of the last one, from
/// neighbour to neighbour (HexWalk.h). Where that way ends, and where there is no last cell, all cells are searched in
/// a tree of boxes: of those that have the place within kOnFace, the one with the lowest number. Then hidden cells are
/// left out, cells without volume, and inverted ones if there are others; from cell to cell only hidden ones.
///
/// Threads: as ForeignCells. Units: world; tolerances: share of the cell.
#pragma once

#include "Base/Field.h"
#include "Trace/Mesh/BoxTree.h"
#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/HexCell.h"

#include <memory>

namespace rivulet
{

/// Points of a curvilinear grid, i fastest, x, y and z of each together.
struct PointLattice
{
  Int3 nodes{ 2, 2, 2 }; ///< at least two along each axis
  const void* points = nullptr;
  ScalarType type = ScalarType::Float64;
  std::shared_ptr<const void> owner; ///< keeps the points
};

class CurvilinearCells final : public ForeignCells
{
public:
  /// `hidden`: of each cell; empty: none is. All coordinates are finite.
  CurvilinearCells(PointLattice lattice, std::vector<bool> hidden);

  [[nodiscard]] std::int64_t cells() const override { return volume(counts_); }
  [[nodiscard]] std::int64_t nodes() const override { return volume(lattice_.nodes); }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  [[nodiscard]] std::string kinds() const override { return "curvilinear hexahedra"; }
  [[nodiscard]] bool needs_doubles() const override { return needs_doubles_; }

private:
  class Lattice;
  /// A place in a cell.
  struct Found
  {
    std::int64_t cell = -1; ///< -1: none
    Vec3 at{ 0, 0, 0 };
  };
  /// Cells of a leaf of the tree: a box of kLeaf along each axis.
  static constexpr std::int32_t kLeaf = 4;

  [[nodiscard]] Vec3 point(const Int3& node) const;
  [[nodiscard]] HexCell::Corners corners(const Int3& cell) const;
  [[nodiscard]] bool hidden(std::int64_t cell) const
  {
    return !hidden_.empty() && hidden_[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] Found seek(const Vec3& world) const;
  void seek_in_leaf(const Vec3& world, std::int64_t leaf, Found& best) const;
  void weigh(const Found& place, CellWeights& at) const;
  void order_leaves();
  void build_tree();
  void judge_shapes();

  PointLattice lattice_;
  Int3 counts_; ///< of cells
  std::vector<bool> hidden_;
  std::vector<bool> unsought_;       ///< cells that no search finds; empty: all are found
  std::vector<std::int64_t> leaves_; ///< numbers of the boxes of cells, neighbours together
  BoxTree tree_;                     ///< of the leaves
  bool needs_doubles_ = false;
};

} // namespace rivulet
