// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A curvilinear grid whose nodes move from time step to time step, of which some are held.
///
///     const MovingGrid grid(steps, times, TimeInterpolation::Linear);
///     if (grid.holds(moment.interval))
///       const PinnedPlaces places = grid.pin(brick, moment.interval, error);   // places.corners(moment.share)
///
/// In an interval a leaf's box has all of its nodes at all moments. Of linear motion it is the box around the boxes of
/// both steps. Of cubic motion it is wider by the most that the parabolas can be off the line, if each node may be
/// anywhere in the leaf's box of each step.
///
/// Memory: for each interval that was asked for, as a CurvilinearGrid without nodes. Threads: any. Units: world.
#pragma once

#include "Trace/Mesh/CurvilinearGrid.h"

#include <mutex>

namespace rivulet
{

/// The bricks of the places of one interval, all there or none; or the one brick of a grid that stays.
class PinnedPlaces
{
public:
  PinnedPlaces() = default;
  explicit PinnedPlaces(BrickPin only) { pins_[1] = std::move(only); }

  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(pins_[1]); }
  [[nodiscard]] BrickCorners corners(double share) const;

private:
  friend class MovingGrid;

  std::array<BrickPin, kMostSteps> pins_; ///< of the step before, both ends, and the step after
  CubicWeights cubic_;
};

class MovingGrid
{
public:
  /// `steps`: as MovingNodes::steps, one for each of the times.
  MovingGrid(std::vector<std::shared_ptr<const CurvilinearGrid>> steps, std::vector<double> times,
      TimeInterpolation interpolation);

  /// Any step that is held; nullptr if none is.
  [[nodiscard]] const std::shared_ptr<const CurvilinearGrid>& any() const { return any_; }
  /// Whether all of an interval's steps are held.
  [[nodiscard]] bool holds(std::int32_t interval) const;
  /// The grid of an interval that is held, for searches leaf by leaf.
  [[nodiscard]] const CurvilinearGrid& during(std::int32_t interval) const;

  /// Waits for the bricks.
  [[nodiscard]] PinnedPlaces pin(std::int64_t brick, std::int32_t interval, std::shared_ptr<const Error>& error) const;
  /// As CurvilinearGrid::seek(), at a moment. Finds nothing in an interval that is not held.
  [[nodiscard]] std::shared_ptr<const Error> seek(std::span<const Vec3> places, const Moment& moment,
      const CurvilinearGrid::Hidden& hidden, std::span<CurvilinearGrid::Found> found) const;

private:
  /// The grid of an interval, made when it is first asked for.
  struct During
  {
    std::once_flag made;
    std::shared_ptr<const CurvilinearGrid> grid;
  };

  [[nodiscard]] const CurvilinearGrid* step(std::int32_t number) const;
  [[nodiscard]] CubicWeights cubic(std::int32_t interval) const;
  [[nodiscard]] WorldBox box_during(std::int32_t interval, const CubicWeights& cubic, std::int32_t leaf) const;
  [[nodiscard]] std::shared_ptr<const CurvilinearGrid> make(std::int32_t interval) const;

  std::vector<std::shared_ptr<const CurvilinearGrid>> steps_;
  std::vector<double> times_;
  TimeInterpolation interpolation_;
  std::shared_ptr<const CurvilinearGrid> any_;
  std::unique_ptr<During[]> intervals_;
};

} // namespace rivulet
