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
/// Nodes may move in time (MovingGrid.h): a place then belongs to the cell that has it at that moment.
///
/// Immutable but for take_error(); may be shared by threads. Units: world.
#pragma once

#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Mesh/HiddenCells.h"
#include "Trace/Mesh/Mesh.h"
#include "Trace/Mesh/MovingGrid.h"
#include "Trace/Mesh/WorldPosition.h"

#include <atomic>
#include <mutex>

namespace rivulet
{

class CurvilinearMesh final : public Mesh
{
public:
  /// `times`: of the field's steps; empty in steady flow. Fails with BadArgument if the velocity is cut in another way
  /// or no step of a grid that moves is held, and with Unsupported if cells are hidden in time.
  [[nodiscard]] static Result<std::shared_ptr<const Mesh>> create(
      const TraceField& field, const std::vector<double>& times, TimeInterpolation interpolation);

  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  void locate(std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const override;
  [[nodiscard]] Vec3 world(const Position& at) const override { return at.as<WorldPosition>().point; }
  [[nodiscard]] bool needs_doubles() const override { return moves() || grid_->needs_doubles(); }
  [[nodiscard]] std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override { return at.as<WorldPosition>().cell; }

  [[nodiscard]] std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment& moment) const override;
  [[nodiscard]] std::int64_t brick_in(const BrickGrid& cut, const Position& at) const override
  {
    return cut.index_of_cell(cell_of(at.as<WorldPosition>().cell));
  }
  void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const override;
  /// By the cell of the last point, as it is at the begin of the interval; empty if the places of its nodes are not at
  /// hand.
  [[nodiscard]] std::optional<WayInBricks> way_in_bricks(
      const Position& last, const Position& sample, std::int32_t interval) const override;
  [[nodiscard]] const SourceArray* places() const override { return &places_; }
  [[nodiscard]] bool moves() const override { return moving_.has_value(); }
  [[nodiscard]] std::shared_ptr<const Error> take_error() const override;
  void advance(const KernelCall& call) const override;

  /// Of any time: what does not change with it.
  [[nodiscard]] const CurvilinearGrid& grid_of_nodes() const { return *grid_; }
  /// For searches leaf by leaf. `interval`: one that is held, if nodes move.
  [[nodiscard]] const CurvilinearGrid& grid_during(std::int32_t interval) const
  {
    return moving_ ? moving_->during(interval) : *grid_;
  }
  [[nodiscard]] bool one_brick() const { return grid_->cut().size() == 1; }
  /// Places of the nodes of a brick. Waits for them.
  [[nodiscard]] PinnedPlaces pin(std::int64_t brick, const Moment& moment, std::shared_ptr<const Error>& error) const
  {
    return moving_ ? moving_->pin(brick, moment.interval, error) : PinnedPlaces(grid_->pin(brick, error));
  }
  /// A search of all cells of a grid that is one brick, whose corners are at hand.
  [[nodiscard]] CurvilinearGrid::Found seek_at_once(const Vec3& world, const BrickCorners& corners,
      std::int32_t interval, const CurvilinearGrid::Hidden& is_hidden) const
  {
    seeks_.fetch_add(1, std::memory_order_relaxed);
    return grid_during(interval).seek(world, corners, is_hidden);
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
  CurvilinearMesh(const TraceField& field, std::shared_ptr<const CurvilinearGrid> grid);
  [[nodiscard]] bool holds(std::int32_t interval) const { return !moving_ || moving_->holds(interval); }
  [[nodiscard]] std::int64_t cell_with(const Vec3& world, const Moment& moment) const;
  void note(const std::shared_ptr<const Error>& error) const;
  [[nodiscard]] std::optional<HexCell> hexahedron(std::int64_t cell, const Moment& moment) const;

  std::shared_ptr<const CurvilinearGrid> grid_; ///< of any time step
  std::optional<MovingGrid> moving_;            ///< none: the nodes stay
  SourceArray places_;
  const std::uint8_t* point_ghosts_;
  const std::uint8_t* cell_ghosts_;
  mutable std::atomic<std::int64_t> walks_parked_{ 0 };
  mutable std::atomic<std::int64_t> seeks_{ 0 };
  mutable std::atomic<std::int64_t> seeks_parked_{ 0 };
  mutable std::mutex mutex_; ///< guards error_
  mutable std::shared_ptr<const Error> error_;
};

} // namespace rivulet
