// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of unstructured cells in memory (UnstructuredCells.h): foreign cells whose shapes the kernel knows.
#pragma once

#include "Trace/Mesh/ForeignMesh.h"
#include "Trace/Mesh/MovingCells.h"

#include <atomic>

namespace rivulet
{

class UnstructuredMesh final : public ForeignMesh
{
public:
  explicit UnstructuredMesh(std::shared_ptr<const UnstructuredCells> cells)
    : ForeignMesh(cells)
    , own_(*cells)
    , shared_(std::move(cells))
  {
  }
  /// Cells whose points move: a place belongs to the cell that has it at that moment. Arguments as of MovingCells.
  UnstructuredMesh(std::vector<std::shared_ptr<const UnstructuredCells>> steps, std::vector<double> times,
      TimeInterpolation interpolation)
    : UnstructuredMesh(std::make_unique<const MovingCells>(std::move(steps), std::move(times), interpolation))
  {
  }

  /// Of any time: what does not change with it.
  [[nodiscard]] const UnstructuredCells& own() const { return own_; }
  /// `interval`: one that is held, if points move.
  [[nodiscard]] const UnstructuredCells& during(std::int32_t interval) const
  {
    return moving_ != nullptr ? moving_->during(interval) : own_;
  }
  /// The same, to keep.
  [[nodiscard]] std::shared_ptr<const UnstructuredCells> shared_during(std::int32_t interval) const
  {
    return moving_ != nullptr ? moving_->shared_during(interval) : shared_;
  }
  [[nodiscard]] bool moves() const override { return moving_ != nullptr; }
  [[nodiscard]] bool needs_doubles() const override
  {
    return moving_ != nullptr ? moving_->needs_doubles() : own_.needs_doubles();
  }
  /// The cell is sought by the kernel, so that all workers share the searches.
  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  void locate(std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const override;
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  /// -1: the place of a particle that has not begun has no cell.
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, std::int32_t interval) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override
  {
    return own_.sort_number(at.as<WorldPosition>().point);
  }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  [[nodiscard]] SearchCounts searches() const override { return { 0, seeks_.load(), 0 }; }
  /// Counts a search of all cells.
  void note_seek() const { seeks_.fetch_add(1, std::memory_order_relaxed); }
  void advance(const KernelCall& call) const override;

private:
  explicit UnstructuredMesh(std::unique_ptr<const MovingCells> cells)
    : ForeignMesh(cells->any())
    , own_(*cells->any())
    , shared_(cells->any())
    , moving_(std::move(cells))
  {
  }
  [[nodiscard]] std::int64_t cell_with(const Vec3& world, const Moment& moment) const;

  const UnstructuredCells& own_;
  std::shared_ptr<const UnstructuredCells> shared_; ///< the same
  std::unique_ptr<const MovingCells> moving_;       ///< nullptr: the points stay
  mutable std::atomic<std::int64_t> seeks_{ 0 };
};

} // namespace rivulet
