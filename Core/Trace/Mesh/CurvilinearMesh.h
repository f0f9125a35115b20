// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A curvilinear grid whose nodes lie in bricks (CurvilinearGrid.h), cut like the velocity's.
///
/// A particle's way from cell to cell (HexWalk.h) waits where it comes to another brick, and goes on when that is
/// there. Where it ends without the place, the particle visits the bricks whose boxes have it, one
/// after the other. A particle begins so, too. Only locate(), label_number() and interpolate() wait for bricks.
///
/// If nodes and velocity have one source, it needs room for two bricks, in unsteady flow for one more than the time
/// steps, for each thread.
///
/// Immutable but for take_error(); may be shared by threads. Units: world.
#pragma once

#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Mesh/HiddenCells.h"
#include "Trace/Mesh/Mesh.h"
#include "Trace/Mesh/WorldPosition.h"

#include <atomic>
#include <mutex>

namespace rivulet
{

class CurvilinearMesh final : public Mesh
{
public:
  /// Fails with BadArgument if the velocity is cut in another way, or cells are hidden in time.
  [[nodiscard]] static Result<std::shared_ptr<const Mesh>> create(const TraceField& field);

  [[nodiscard]] std::optional<Place> enter(const Vec3& world) const override;
  void locate(std::span<const Vec3> places, std::span<std::optional<Place>> found) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override { return grid_->needs_doubles(); }
  /// Hidden cells are never entered.
  [[nodiscard]] bool has_hidden_cells() const override { return false; }
  [[nodiscard]] bool hidden_in_time() const override { return false; }
  [[nodiscard]] bool hidden(const Position&, const StepRange&) const override { return false; }
  [[nodiscard]] std::int64_t label_number(const Vec3& world, const Position& at, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override { return at.as<WorldPosition>().cell; }

  [[nodiscard]] std::int64_t enter_brick(Position& sample, Position& last, std::span<double[3]> slopes) const override;
  [[nodiscard]] std::int64_t brick_in(const BrickGrid& cut, const Position& at) const override
  {
    return cut.index_of_cell(cell_of(at.as<WorldPosition>().cell));
  }
  void interpolate(const BrickView& brick, Centering centering, const Position& at, double* values) const override;
  /// By the cell of the last point; empty if the places of its nodes are not at hand.
  [[nodiscard]] std::optional<WayInBricks> way_in_bricks(const Position& last, const Position& sample) const override;
  [[nodiscard]] const SourceArray* places() const override { return &grid_->points(); }
  [[nodiscard]] std::shared_ptr<const Error> take_error() const override;
  void advance(const KernelCall& call) const override;

  [[nodiscard]] const CurvilinearGrid& grid_of_nodes() const { return *grid_; }
  [[nodiscard]] bool one_brick() const { return grid_->cut().size() == 1; }
  /// A search of all cells of a grid that is one brick, whose corners are at hand.
  [[nodiscard]] CurvilinearGrid::Found seek_at_once(
      const Vec3& world, const BrickCorners& corners, const CurvilinearGrid::Hidden& is_hidden) const
  {
    seeks_.fetch_add(1, std::memory_order_relaxed);
    return grid_->seek(world, corners, is_hidden);
  }
  /// Whether no walk enters a cell.
  [[nodiscard]] bool closed(const Int3& cell) const
  {
    return (point_ghosts_ != nullptr || cell_ghosts_ != nullptr) &&
           hides_cell(grid_->cut().lattice, point_ghosts_, cell_ghosts_, cell);
  }
  [[nodiscard]] Int3 cell_of(std::int64_t number) const { return from_row_major(number, grid_->counts()); }
  [[nodiscard]] SearchCounts searches() const override
  {
    return { walks_parked_.load(), seeks_.load(), seeks_parked_.load() };
  }

private:
  explicit CurvilinearMesh(const TraceField& field);
  [[nodiscard]] std::int64_t cell_with(const Vec3& world) const;
  void note(const std::shared_ptr<const Error>& error) const;
  [[nodiscard]] std::optional<HexCell> hexahedron(std::int64_t cell) const;

  std::shared_ptr<const CurvilinearGrid> grid_;
  const std::uint8_t* point_ghosts_;
  const std::uint8_t* cell_ghosts_;
  mutable std::atomic<std::int64_t> walks_parked_{ 0 };
  mutable std::atomic<std::int64_t> seeks_{ 0 };
  mutable std::atomic<std::int64_t> seeks_parked_{ 0 };
  mutable std::mutex mutex_; ///< guards error_
  mutable std::shared_ptr<const Error> error_;
};

} // namespace rivulet
