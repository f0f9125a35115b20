// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The hexahedra between the points of a lattice that lie anywhere in the world: a curvilinear grid in memory, as
/// ForeignCells.
///
///     Result<std::shared_ptr<CurvilinearCells>> cells = CurvilinearCells::create(lattice, std::vector<bool>{});
///     field.foreign = *cells;
///
/// Cells and points are numbered row-major, i fastest. A place is sought from the cell of the last one, from neighbour
/// to neighbour (HexWalk.h). Where that way ends, and where there is no last cell, all cells are searched
/// (CurvilinearGrid.h).
///
/// Threads: as ForeignCells. Units: world; tolerances: share of the cell.
#pragma once

#include "Store/Source/ArrayBricks.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Mesh/ForeignCells.h"

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
  /// `hidden`: of each cell; empty: none is. Fails as CurvilinearGrid::create(), which has that many threads.
  [[nodiscard]] static Result<std::shared_ptr<const CurvilinearCells>> create(
      const PointLattice& lattice, const std::vector<bool>& hidden, int threads = 1);

  /// The grid, which must not outlive this.
  [[nodiscard]] const CurvilinearGrid& grid() const { return *grid_; }
  /// As TraceField::cell_ghosts; nullptr: no cell is hidden.
  [[nodiscard]] const std::uint8_t* ghosts() const { return hidden_.empty() ? nullptr : hidden_.data(); }

  [[nodiscard]] std::int64_t cells() const override { return volume(grid_->counts()); }
  [[nodiscard]] std::int64_t nodes() const override { return volume(grid_->cut().lattice); }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  [[nodiscard]] std::string kinds() const override { return "curvilinear hexahedra"; }
  [[nodiscard]] bool needs_doubles() const override { return grid_->needs_doubles(); }

private:
  class Lattice;

  CurvilinearCells(const PointLattice& lattice, const std::vector<bool>& hidden);
  [[nodiscard]] bool hidden(const Int3& cell) const
  {
    return !hidden_.empty() && hidden_[static_cast<std::size_t>(row_major(cell, grid_->counts()))] != 0;
  }
  void weigh(std::int64_t cell, const Vec3& parametric, CellWeights& at) const;

  ArrayBricks points_;
  std::shared_ptr<const CurvilinearGrid> grid_;
  BrickCorners corners_;
  std::vector<std::uint8_t> hidden_;
};

} // namespace rivulet
