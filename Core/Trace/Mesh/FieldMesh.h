// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of a field, and the bricks of its cells. It is one structured mesh, or the levels of an AMR mesh, each of
/// which is a uniform mesh of the whole domain with cells in places only.
///
///     const FieldMesh mesh = *FieldMesh::create(field);
///     if (auto found = mesh.locate({ 0.1, 0.2, 0.3 }))
///       const auto [position, brick] = *found;
///
/// A position on an AMR mesh counts in the cells of one level. The finest level depends on the place alone, so that
/// lines do not depend on bricks, threads or any order.
///
/// Immutable; may be shared by threads. The field, its sources and its ghost arrays must outlive it.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "Trace/Lines.h"
#include "Trace/Mesh/HiddenCells.h"
#include "Trace/Mesh/StructuredMesh.h"
#include "Trace/TimeInterpolation.h"

#include <optional>
#include <utility>
#include <vector>

namespace rivulet
{

class FieldMesh
{
public:
  /// Fails with BadArgument for a geometry that StructuredMesh refuses.
  [[nodiscard]] static Result<FieldMesh> create(const TraceField& field);

  [[nodiscard]] bool is_amr() const { return amr_ != nullptr; }
  /// The mesh of an AMR level, or the only one.
  [[nodiscard]] const StructuredMesh& level(std::int32_t number = 0) const
  {
    return levels_[static_cast<std::size_t>(number)];
  }

  /// Whether single precision resolves less than a hundredth of a cell of the finest level.
  [[nodiscard]] bool needs_doubles() const { return levels_.back().needs_doubles(); }

  /// The cell position of a world position on the finest level there, and its brick; empty outside the grid and in
  /// cells that are hidden at all times.
  [[nodiscard]] std::optional<std::pair<CellPosition, std::int64_t>> locate(const Vec3& world) const;
  [[nodiscard]] Vec3 world(const CellPosition& at) const { return level(at.level).world(at); }

  /// Moves a position that is outside its level's grid within the tolerance into it. False if it lies farther out, or
  /// in a cell that is hidden at some of the time steps `steps`.
  [[nodiscard]] bool settle(CellPosition& at, const StepRange& steps) const
  {
    return level(at.level).clamp_to_grid(at) && !(has_hidden_cells() && hidden(at.cell, steps));
  }
  [[nodiscard]] bool has_hidden_cells() const { return hidden_always() || hidden_in_time(); }
  /// Whether time steps may have other hidden cells than those before.
  [[nodiscard]] bool hidden_in_time() const { return !hidden_->empty(); }
  /// Whether a cell of the coarsest level is hidden, or uses a hidden point, at some of the time steps. The steps have
  /// no meaning unless hidden_in_time().
  [[nodiscard]] bool hidden(const Int3& cell, const StepRange& steps) const;

  /// The place where a straight way leaves the domain, or where it ends. `by`: as StructuredMesh::displaced().
  struct StraightWay
  {
    double share = 1.0; ///< of the way that is inside; 1: it does not leave the domain
    CellPosition end;   ///< there
  };
  [[nodiscard]] StraightWay straight_way(const CellPosition& from, const Vec3& by, const StepRange& steps) const;

  /// The brick with the cell of a position; on AMR meshes -1 if a finer level has cells there, or this level has none.
  [[nodiscard]] std::int64_t brick_of(const CellPosition& at) const;
  /// The level whose cells belong to a brick, and these cells.
  [[nodiscard]] std::int32_t level_of(std::int64_t brick) const;
  [[nodiscard]] Box cells_of(std::int64_t brick) const;

  /// Moves a position on an AMR mesh to the finest level with cells there. Returns the brick of its cell; -1, and no
  /// change, if no level has cells there.
  [[nodiscard]] std::int64_t enter_finest_level(CellPosition& at) const;
  /// The same place in cells of another level.
  [[nodiscard]] CellPosition on_level(CellPosition at, std::int32_t level) const;
  /// A displacement in cells of one level, in cells of another.
  [[nodiscard]] Vec3 displacement_on_level(Vec3 displacement, std::int32_t from, std::int32_t to) const;

private:
  FieldMesh(const TraceField& field, std::vector<StructuredMesh> levels);
  [[nodiscard]] bool hidden_always() const
  {
    return !hidden_in_time() && (point_ghosts_ != nullptr || cell_ghosts_ != nullptr);
  }

  std::vector<StructuredMesh> levels_; ///< from the coarsest to the finest
  const AmrMesh* amr_;
  const BrickGrid* bricks_;
  Int3 lattice_offset_;
  const std::uint8_t* point_ghosts_;
  const std::uint8_t* cell_ghosts_;
  const std::vector<std::shared_ptr<const HiddenCells>>* hidden_; ///< of the field
};

/// Converts a position to the cells of a level that is finer by `ratio`, and back.
[[nodiscard]] CellPosition to_finer(const CellPosition& at, const Int3& ratio);
[[nodiscard]] CellPosition to_coarser(const CellPosition& at, const Int3& ratio);

} // namespace rivulet
