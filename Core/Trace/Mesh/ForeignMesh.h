// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A mesh of foreign cells (ForeignCells.h). All of it is in memory, as one brick: value i is that of node or cell i.
#pragma once

#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/Mesh.h"
#include "Trace/Mesh/WorldPosition.h"

namespace rivulet
{

class ForeignMesh : public Mesh
{
public:
  explicit ForeignMesh(std::shared_ptr<const ForeignCells> cells)
    : cells_(std::move(cells))
  {
  }

  [[nodiscard]] const ForeignCells& cells() const { return *cells_; }

  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment&) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override { return cells_->needs_doubles(); }
  /// Of points: the node with the largest weight.
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment&, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override { return at.as<WorldPosition>().cell; }
  [[nodiscard]] std::int64_t enter_brick(Position&, Position&, std::span<double[3]>, const Moment&) const override
  {
    return 0;
  }
  [[nodiscard]] std::int64_t brick_in(const BrickGrid&, const Position&) const override { return 0; }
  void interpolate(const BrickView& brick, std::int32_t, Centering centering, const Position& at, const Moment&,
      double* values) const override;
  void advance(const KernelCall& call) const override;

private:
  std::shared_ptr<const ForeignCells> cells_;
};

/// Component of the value of a node or a cell.
[[nodiscard]] inline double value_of(const BrickView& brick, std::int64_t number, std::int64_t component)
{
  const std::int64_t scalar = number * brick.stride[0] + component * brick.component_stride;
  return brick.type == ScalarType::Float32 ? double{ static_cast<const float*>(brick.data)[scalar] }
                                           : static_cast<const double*>(brick.data)[scalar];
}
/// Each component of a value in a cell. `weights`: of its nodes, for values of these.
void interpolate_in(
    const BrickView& brick, Centering centering, std::int64_t cell, const CellWeights& weights, double* values);
/// The node with the largest weight.
[[nodiscard]] std::int64_t nearest_node(const CellWeights& weights);

} // namespace rivulet
