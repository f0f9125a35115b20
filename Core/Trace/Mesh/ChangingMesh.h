// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of an interval between two time steps that have other cells, each in one brick: foreign cells
/// (ForeignCells.h).
///
/// A place is in the mesh if it has a cell at each of the steps whose values are mixed there, and its value is the
/// mixture of the values in these cells. At the time of a step that step alone counts. A position has the cell at the
/// interval's first step, as `cell`, and that at its last step, as `block`; -1: it is sought again, or does not count.
/// `walk` is kInterval and the number of the interval.
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
  /// Cells at the steps about the interval: the step before it, its both ends, and the step after; nullptr: the step
  /// has no part in it.
  using About = std::array<std::shared_ptr<const ForeignCells>, kMostSteps>;
  static constexpr std::size_t kNow = 1;   ///< of the interval's first step
  static constexpr std::size_t kLater = 2; ///< of its last
  /// In `walk` of a position; larger than all states of walks (WalkState).
  static constexpr std::int32_t kInterval = 1 << 28;

  ChangingMesh(About cells, std::int32_t interval)
    : cells_(std::move(cells))
    , interval_(interval)
  {
  }

  /// The interval of a position of such a mesh; -1: it is another mesh's.
  [[nodiscard]] static std::int32_t interval_of(const WorldPosition& at)
  {
    return at.walk >= kInterval ? at.walk - kInterval : -1;
  }
  /// Whether the values of a step about the interval count when a share of it has gone.
  [[nodiscard]] static bool counts(std::size_t step, double share)
  {
    return share == 0.0 ? step == kNow : share == 1.0 ? step == kLater : true;
  }
  [[nodiscard]] const About& cells() const { return cells_; }
  /// The position of a place; -1 where the search begins anew. Empty outside.
  [[nodiscard]] std::optional<WorldPosition> find(
      const Vec3& world, double share, std::int64_t before_now, std::int64_t before_later) const;

  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override { return true; }
  [[nodiscard]] bool moves() const override { return true; }
  /// At the begin of the interval; at its end if the moment is.
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override { return at.as<WorldPosition>().cell; }
  [[nodiscard]] std::int64_t enter_brick(Position&, Position&, std::span<double[3]>, const Moment&) const override
  {
    return 0;
  }
  [[nodiscard]] std::int64_t brick_in(const BrickGrid&, const Position&) const override { return 0; }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  void advance(const KernelCall& call) const override;

private:
  [[nodiscard]] static std::int64_t known_cell(std::size_t step, const WorldPosition& at)
  {
    return step == kNow ? at.cell : step == kLater ? at.block : -1;
  }

  About cells_;
  std::int32_t interval_;
};

} // namespace rivulet
