// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/MovingGrid.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace rivulet
{

namespace
{

/// The longest way along an axis from a place in one box to a place in the other.
double farthest(const WorldBox& a, const WorldBox& b, std::size_t axis)
{
  return std::max(b.upper[axis] - a.lower[axis], a.upper[axis] - b.lower[axis]);
}

} // namespace

BrickCorners PinnedPlaces::corners(double share) const
{
  const auto view_of = [this](std::size_t number)
  {
    return pins_[number] ? &pins_[number].view() : nullptr;
  };
  return BrickCorners({ view_of(1), view_of(2), view_of(0), view_of(3) }, cubic_).at(share);
}

MovingGrid::MovingGrid(std::vector<std::shared_ptr<const CurvilinearGrid>> steps, std::vector<double> times,
    TimeInterpolation interpolation)
  : steps_(std::move(steps))
  , times_(std::move(times))
  , interpolation_(interpolation)
  , intervals_(std::make_unique<During[]>(steps_.size()))
{
  const auto first = std::find_if(steps_.begin(), steps_.end(), [](const auto& grid) { return grid != nullptr; });
  any_ = first != steps_.end() ? *first : nullptr;
}

const CurvilinearGrid* MovingGrid::step(std::int32_t number) const
{
  const bool is = number >= 0 && static_cast<std::size_t>(number) < steps_.size();
  return is ? steps_[static_cast<std::size_t>(number)].get() : nullptr;
}

bool MovingGrid::holds(std::int32_t interval) const
{
  return holds_all_steps(interpolation_, interval, steps_);
}

CubicWeights MovingGrid::cubic(std::int32_t interval) const
{
  return interpolation_ == TimeInterpolation::Cubic ? CubicWeights::make(times_, interval) : CubicWeights{};
}

/// The parabolas' sum is s (1 - s) times a mean of both, so at most a quarter of the larger one.
WorldBox MovingGrid::box_during(std::int32_t interval, const CubicWeights& cubic, std::int32_t leaf) const
{
  const WorldBox now = step(interval)->box_of_leaf(leaf);
  const WorldBox later = step(interval + 1)->box_of_leaf(leaf);
  WorldBox box = now;
  box.add(later);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double between = farthest(now, later, axis);
    double most = 0.0;
    if (cubic.has_before)
    {
      const WorldBox before = step(interval - 1)->box_of_leaf(leaf);
      most = std::fabs(cubic.before[0]) * farthest(before, now, axis) + std::fabs(cubic.before[2]) * between;
    }
    if (cubic.has_after)
    {
      const WorldBox after = step(interval + 2)->box_of_leaf(leaf);
      most = std::max(
          most, std::fabs(cubic.after[0]) * between + std::fabs(cubic.after[2]) * farthest(after, later, axis));
    }
    box.lower[axis] -= 0.25 * most;
    box.upper[axis] += 0.25 * most;
  }
  return box;
}

std::shared_ptr<const CurvilinearGrid> MovingGrid::make(std::int32_t interval) const
{
  const CubicWeights weights = cubic(interval);
  std::vector<WorldBox> boxes;
  boxes.reserve(static_cast<std::size_t>(any_->leaves()));
  for (std::int32_t leaf = 0; leaf < any_->leaves(); ++leaf)
  {
    boxes.push_back(box_during(interval, weights, leaf));
  }
  return step(interval)->with_boxes(boxes);
}

const CurvilinearGrid& MovingGrid::during(std::int32_t interval) const
{
  During& during = intervals_[static_cast<std::size_t>(interval)];
  std::call_once(during.made, [&] { during.grid = make(interval); });
  return *during.grid;
}

PinnedPlaces MovingGrid::pin(std::int64_t brick, std::int32_t interval, std::shared_ptr<const Error>& error) const
{
  PinnedPlaces pinned;
  pinned.cubic_ = cubic(interval);
  const std::array<bool, kMostSteps> wanted{ pinned.cubic_.has_before, true, true, pinned.cubic_.has_after };
  for (std::int32_t i = 0; i < kMostSteps; ++i)
  {
    if (!wanted[static_cast<std::size_t>(i)])
    {
      continue;
    }
    BrickPin& pin = pinned.pins_[static_cast<std::size_t>(i)];
    const CurvilinearGrid* const grid = step(interval - 1 + i);
    pin = grid != nullptr ? grid->pin(brick, error) : BrickPin();
    if (!pin)
    {
      return {};
    }
  }
  return pinned;
}

std::shared_ptr<const Error> MovingGrid::seek(std::span<const Vec3> places, const Moment& moment,
    const CurvilinearGrid::Hidden& hidden, std::span<CurvilinearGrid::Found> found) const
{
  struct Visit
  {
    std::int64_t brick;
    std::int32_t leaf;
    std::size_t place;
  };
  if (!holds(moment.interval))
  {
    return nullptr;
  }
  const CurvilinearGrid& grid = during(moment.interval);
  std::vector<Visit> visits;
  for (std::size_t place = 0; place < places.size(); ++place)
  {
    grid.visit_leaves(places[place],
        [&](std::int32_t leaf) {
          visits.push_back({ grid.brick_of_leaf(leaf), leaf, place });
        });
  }
  std::sort(visits.begin(), visits.end(),
      [](const Visit& a, const Visit& b)
      { return std::tie(a.brick, a.leaf, a.place) < std::tie(b.brick, b.leaf, b.place); });
  std::shared_ptr<const Error> first_error;
  for (std::size_t first = 0; first < visits.size();)
  {
    const std::int64_t brick = visits[first].brick;
    std::shared_ptr<const Error> error;
    const PinnedPlaces pinned = pin(brick, moment.interval, error);
    first_error = first_error ? first_error : error;
    while (first < visits.size() && visits[first].brick == brick)
    {
      const std::int32_t leaf = visits[first].leaf;
      const std::optional<LeafParts> parts =
          pinned ? std::optional(grid.parts_of(leaf, pinned.corners(moment.share))) : std::nullopt;
      for (; first < visits.size() && visits[first].leaf == leaf; ++first)
      {
        const std::size_t place = visits[first].place;
        if (parts)
        {
          grid.seek_in_leaf(*parts, pinned.corners(moment.share), places[place], hidden, found[place]);
        }
      }
    }
  }
  return first_error;
}

} // namespace rivulet
