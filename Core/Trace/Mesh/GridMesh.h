// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The common part of meshes of uniform and rectilinear grids: positions in cells (CellPosition.h), hidden cells, and
/// the kernel. One grid is a StructuredMesh; the levels of an AMR mesh are a LevelMesh.
///
/// Immutable; may be shared by threads. Units: world, and cells.
#pragma once

#include "Trace/Contract/TraceField.h"
#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Mesh/HiddenCells.h"
#include "Trace/Mesh/Mesh.h"

#include <vector>

namespace rivulet
{

class GridMesh : public Mesh
{
public:
  /// The geometry of an AMR level, or the only one.
  [[nodiscard]] const GridGeometry& level(std::int32_t number = 0) const
  {
    return levels_[static_cast<std::size_t>(number)];
  }

  [[nodiscard]] Vec3 world(const Position& at) const final { return world(at.as<CellPosition>()); }
  [[nodiscard]] Vec3 world(const CellPosition& at) const { return level(at.level).world(at); }
  [[nodiscard]] bool needs_doubles() const final { return levels_.back().needs_doubles(); }
  [[nodiscard]] bool has_hidden_cells() const final { return hidden_always() || hidden_in_time(); }
  [[nodiscard]] bool hidden_in_time() const final { return !hidden_->empty(); }
  [[nodiscard]] bool hidden(const Position& at, const StepRange& steps) const final
  {
    return hidden(at.as<CellPosition>().cell, steps);
  }
  /// `cell`: of the coarsest level.
  [[nodiscard]] bool hidden(const Int3& cell, const StepRange& steps) const;
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment&, Centering centering) const final;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const final;
  void interpolate(const BrickView& brick, std::int32_t, Centering centering, const Position& at, const Moment&,
      double* values) const final;
  void advance(const KernelCall& call) const final;

  /// Moves a position that is outside its level's grid within the tolerance into it. False if it lies farther out, or
  /// in a cell that is hidden at some of the time steps `steps`.
  [[nodiscard]] bool settle(CellPosition& at, const StepRange& steps) const
  {
    return level(at.level).clamp_to_grid(at) && !(has_hidden_cells() && hidden(at.cell, steps));
  }

  /// The place where a straight way leaves the domain, or where it ends. `by`: as GridGeometry::displaced().
  struct StraightWay
  {
    double share = 1.0; ///< of the way that is inside; 1: it does not leave the domain
    CellPosition end;   ///< there
  };
  [[nodiscard]] StraightWay straight_way(const CellPosition& from, const Vec3& by, const StepRange& steps) const;

  /// The level whose cells belong to a brick, and these cells.
  [[nodiscard]] virtual std::int32_t level_of(std::int64_t brick) const = 0;
  [[nodiscard]] virtual Box cells_of(std::int64_t brick) const = 0;
  /// The point of the sources' lattices at the corner of the grid.
  [[nodiscard]] const Int3& lattice_offset() const { return lattice_offset_; }

protected:
  GridMesh(const TraceField& field, std::vector<GridGeometry> levels);
  [[nodiscard]] bool hidden_always() const
  {
    return !hidden_in_time() && (point_ghosts_ != nullptr || cell_ghosts_ != nullptr);
  }

private:
  std::vector<GridGeometry> levels_; ///< from the coarsest to the finest
  Int3 lattice_offset_;
  const std::uint8_t* point_ghosts_;
  const std::uint8_t* cell_ghosts_;
  const std::vector<std::shared_ptr<const HiddenCells>>* hidden_; ///< of the field
};

} // namespace rivulet
