// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A mesh of foreign cells that is another one between any two time steps, of which some are held. An interval has
///
///     the cells of its steps           if these are the same at the same places
///     UnstructuredCells::between()     if they are the same elsewhere
///     a ChangingMesh                   else
///
/// which depends on the steps about the interval alone, so that lines do not depend on the steps at hand.
///
/// A particle that comes to the next interval is in the cell of the step between the two already.
///
/// Threads: any. Units: world.
#pragma once

#include "Trace/Mesh/ChangingMesh.h"
#include "Trace/Mesh/UnstructuredCells.h"

#include <memory>
#include <mutex>
#include <vector>

namespace rivulet
{

class SteppedMesh final : public Mesh
{
public:
  /// `steps`: one for each of the times, nullptr where a step is not held; one at least is.
  SteppedMesh(std::vector<std::shared_ptr<const ForeignCells>> steps, std::vector<double> times,
      TimeInterpolation interpolation);

  /// The mesh of an interval; nullptr if some of its steps are not held.
  [[nodiscard]] const Mesh* during(std::int32_t interval) const;

  /// The cells at a moment, and the share to ask them with: of UnstructuredCells::between(). Empty between two steps
  /// that have other cells, in an interval that is not held, and for cells of another library.
  struct CellsAt
  {
    std::shared_ptr<const UnstructuredCells> cells;
    double share = 0.0;
  };
  [[nodiscard]] std::optional<CellsAt> cells_at(const Moment& moment) const;

  /// Without a cell if the interval is not held.
  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  void locate(std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override { return true; }
  [[nodiscard]] bool moves() const override { return true; }
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override;
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment& moment) const override;
  [[nodiscard]] std::int64_t brick_in(const BrickGrid&, const Position&) const override { return 0; }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  [[nodiscard]] SearchCounts searches() const override;
  void advance(const KernelCall& call) const override;

private:
  /// The mesh of an interval, made when it is first asked for.
  struct During
  {
    std::once_flag made;
    std::shared_ptr<const Mesh> mesh;
  };

  [[nodiscard]] const std::shared_ptr<const ForeignCells>& step(std::int32_t number) const
  {
    return steps_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] std::shared_ptr<const Mesh> make(std::int32_t interval) const;
  [[nodiscard]] std::optional<WorldPosition> arrived(
      const Mesh& mesh, const WorldPosition& at, const Moment& moment) const;

  std::vector<std::shared_ptr<const ForeignCells>> steps_;
  std::vector<double> times_;
  TimeInterpolation interpolation_;
  std::unique_ptr<During[]> intervals_;
};

} // namespace rivulet
