// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The levels of an AMR mesh. Each is a uniform grid of the whole domain with cells in places only. A position counts
/// in the cells of one level: the finest that has a cell there. That depends on the place alone.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "Trace/Mesh/GridMesh.h"

namespace rivulet
{

class LevelMesh final : public GridMesh
{
public:
  /// `levels`: the geometry of each level, from the coarsest to the finest. `mesh` must outlive this.
  LevelMesh(const TraceField& field, const AmrMesh& mesh, std::vector<GridGeometry> levels);

  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment&) const override;
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment&) const override;
  /// All arrays have the bricks of the mesh.
  [[nodiscard]] std::int64_t brick_in(const BrickGrid& cut, const Position& at) const override;
  [[nodiscard]] std::int32_t level_of(std::int64_t brick) const override { return amr_.brick(brick).level; }
  [[nodiscard]] Box cells_of(std::int64_t brick) const override { return amr_.brick(brick).cells; }

private:
  [[nodiscard]] std::int64_t enter_finest_level(CellPosition& at) const;
  [[nodiscard]] CellPosition on_level(CellPosition at, std::int32_t level) const;
  void scale_to_level(double (&slope)[3], std::int32_t from, std::int32_t to) const;

  const AmrMesh& amr_;
};

} // namespace rivulet
