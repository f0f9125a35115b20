// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of one uniform or rectilinear grid, whose bricks are a regular cut.
#pragma once

#include "Trace/Mesh/GridMesh.h"

namespace rivulet
{

class StructuredMesh final : public GridMesh
{
public:
  StructuredMesh(const TraceField& field, GridGeometry geometry);

  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment&) const override;
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment&) const override;
  [[nodiscard]] std::int64_t brick_in(const BrickGrid& cut, const Position& at) const override;
  [[nodiscard]] std::optional<WayInBricks> way_in_bricks(
      const Position& last, const Position& sample, std::int32_t) const override;
  [[nodiscard]] const GridGeometry* grid() const override { return &level(); }
  [[nodiscard]] std::int32_t level_of(std::int64_t) const override { return 0; }
  [[nodiscard]] Box cells_of(std::int64_t brick) const override;

private:
  const BrickGrid* bricks_;
};

} // namespace rivulet
