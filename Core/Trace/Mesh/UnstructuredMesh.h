// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of unstructured cells in memory (UnstructuredCells.h): foreign cells whose shapes the kernel knows.
#pragma once

#include "Trace/Mesh/ForeignMesh.h"
#include "Trace/Mesh/UnstructuredCells.h"

#include <atomic>

namespace rivulet
{

class UnstructuredMesh final : public ForeignMesh
{
public:
  /// Cells of UnstructuredCells::between() move during the interval that the mesh is made for.
  explicit UnstructuredMesh(std::shared_ptr<const UnstructuredCells> cells)
    : ForeignMesh(cells)
    , own_(std::move(cells))
  {
  }

  [[nodiscard]] const std::shared_ptr<const UnstructuredCells>& own() const { return own_; }
  [[nodiscard]] bool moves() const override { return own_->points().move(); }
  /// The cell is sought by the kernel, so that all workers share the searches.
  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  void locate(std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const override;
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  /// -1: the place of a particle that has not begun has no cell.
  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment& moment) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override
  {
    return own_->sort_number(at.as<WorldPosition>().point);
  }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  [[nodiscard]] SearchCounts searches() const override { return { 0, seeks_.load(), 0 }; }
  /// Counts a search of all cells.
  void note_seek() const { seeks_.fetch_add(1, std::memory_order_relaxed); }
  void advance(const KernelCall& call) const override;

private:
  [[nodiscard]] std::int64_t cell_with(const Vec3& world, const Moment& moment) const;

  std::shared_ptr<const UnstructuredCells> own_;
  mutable std::atomic<std::int64_t> seeks_{ 0 };
};

/// Each component of a value of nodes at a place in one of the cells, with the operations of the kernel.
void interpolate_in(
    const UnstructuredCells& cells, double share, const BrickView& brick, const WorldPosition& place, double* values);

} // namespace rivulet
