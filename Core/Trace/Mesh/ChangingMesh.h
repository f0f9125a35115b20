// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A mesh whose cells change from time step to time step, of which some are held: each step has foreign cells of its
/// own (ForeignCells.h), in one brick.
///
/// Between two steps a place is in the mesh if it has a cell at each of the steps whose values are mixed there, and its
/// value is the mixture of the values in these cells. At the time of a step that step alone counts. A position has the
/// cell at the interval's first step, as `cell`, and that at its last step, as `block`; -1: it is sought again, or does
/// not count. `walk` is the number of the interval, from 1 on.
///
/// Immutable; may be shared by threads. Units: world.
#pragma once

#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/Mesh.h"
#include "Trace/Mesh/WorldPosition.h"

#include <array>

namespace rivulet
{

class ChangingMesh final : public Mesh
{
public:
  /// Cells at the steps about an interval: the step before it, its both ends, and the step after; nullptr: the step has
  /// no part in it.
  using About = std::array<const ForeignCells*, kMostSteps>;

  /// `steps`: one for each of the times, nullptr where a step is not held; one at least is.
  ChangingMesh(std::vector<std::shared_ptr<const ForeignCells>> steps, std::vector<double> times,
      TimeInterpolation interpolation);

  /// Whether the values of a step about an interval count when a share of it has gone.
  [[nodiscard]] static bool counts(std::size_t step, double share)
  {
    return share == 0.0 ? step == 1 : share == 1.0 ? step == 2 : true;
  }
  /// Of an interval that is held.
  [[nodiscard]] About cells_about(std::int32_t interval) const;

  /// Without a cell if the interval is not held.
  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override;
  [[nodiscard]] bool moves() const override { return true; }
  /// Hidden cells are never found.
  [[nodiscard]] bool has_hidden_cells() const override { return false; }
  [[nodiscard]] bool hidden_in_time() const override { return false; }
  [[nodiscard]] bool hidden(const Position&, const StepRange&) const override { return false; }
  /// At the begin of the moment's interval; at its end if the moment is.
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override { return at.as<WorldPosition>().cell; }
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, std::int32_t interval) const override;
  [[nodiscard]] std::int64_t brick_in(const BrickGrid&, const Position&) const override { return 0; }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  void advance(const KernelCall& call) const override;

private:
  [[nodiscard]] bool holds(std::int32_t interval) const;
  [[nodiscard]] std::int64_t cell_at(std::int32_t step, const WorldPosition& at, CellWeights& weights) const;
  [[nodiscard]] bool find(WorldPosition& at, const Moment& moment) const;

  std::vector<std::shared_ptr<const ForeignCells>> steps_;
  std::vector<double> times_;
  TimeInterpolation interpolation_;
};

} // namespace rivulet
