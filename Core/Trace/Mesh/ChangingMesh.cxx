// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/ChangingMesh.h"

#include "Trace/Mesh/ForeignMesh.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

ChangingMesh::ChangingMesh(
    std::vector<std::shared_ptr<const ForeignCells>> steps, std::vector<double> times, TimeInterpolation interpolation)
  : steps_(std::move(steps))
  , times_(std::move(times))
  , interpolation_(interpolation)
{
}

bool ChangingMesh::holds(std::int32_t interval) const
{
  const StepRange needed = steps_for(interpolation_, { interval, interval }, steps_.size());
  bool all = true;
  for (std::int32_t number = needed.first; number <= needed.last; ++number)
  {
    all = all && steps_[static_cast<std::size_t>(number)] != nullptr;
  }
  return all;
}

ChangingMesh::About ChangingMesh::cells_about(std::int32_t interval) const
{
  const StepRange needed = steps_for(interpolation_, { interval, interval }, steps_.size());
  About about{};
  for (std::int32_t number = needed.first; number <= needed.last; ++number)
  {
    about[static_cast<std::size_t>(number - interval + 1)] = steps_[static_cast<std::size_t>(number)].get();
  }
  return about;
}

bool ChangingMesh::needs_doubles() const
{
  return std::any_of(
      steps_.begin(), steps_.end(), [](const auto& cells) { return cells != nullptr && cells->needs_doubles(); });
}

/// The cell of a position at a step that is held; -1: none.
std::int64_t ChangingMesh::cell_at(std::int32_t step, const WorldPosition& at, CellWeights& weights) const
{
  const std::int32_t interval = at.walk - 1;
  const std::int64_t before = step == interval ? at.cell : step == interval + 1 ? at.block : -1;
  return steps_[static_cast<std::size_t>(step)]->find(at.point, before, weights);
}

/// Gives a position the cells of an interval that is held. False, and no change, if it has none.
bool ChangingMesh::find(WorldPosition& at, const Moment& moment) const
{
  static thread_local CellWeights weights;
  const std::int32_t interval = moment.interval;
  const StepRange needed = steps_for(interpolation_, { interval, interval }, steps_.size());
  WorldPosition found{ .point = at.point, .block = -1, .walk = interval + 1 };
  for (std::int32_t step = needed.first; step <= needed.last; ++step)
  {
    if (!counts(static_cast<std::size_t>(step - interval + 1), moment.share))
    {
      continue;
    }
    const std::int64_t cell = cell_at(step, at, weights);
    if (cell < 0)
    {
      return false;
    }
    found.cell = step == interval ? cell : found.cell;
    found.block = step == interval + 1 ? block_of(cell) : found.block;
  }
  at = found;
  return true;
}

std::optional<Mesh::Place> ChangingMesh::enter(const Vec3& world, const Moment& moment) const
{
  WorldPosition at{ .point = world, .block = -1 };
  return !holds(moment.interval) || find(at, moment) ? std::optional(Place{ at, 0 }) : std::nullopt;
}

/// A particle comes from the interval before or after at the time of the step between them. The last point has no cells
/// in this interval: the sample's stand for them.
std::int64_t ChangingMesh::enter_brick(
    Position& sample, Position& last, std::span<double[3]>, std::int32_t interval) const
{
  auto at = sample.as<WorldPosition>();
  if (at.walk == interval + 1 || !holds(interval))
  {
    return 0;
  }
  const double share = at.walk > 0 && at.walk == interval ? 0.0
                       : at.walk == interval + 2          ? 1.0
                                                          : 0.5; // 0.5: any moment
  if (!find(at, { interval, share }))
  {
    return -1;
  }
  sample = at;
  at.point = last.as<WorldPosition>().point;
  last = at;
  return 0;
}

std::int64_t ChangingMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  static thread_local CellWeights weights;
  const std::int32_t step = moment.interval + (moment.share == 1.0 ? 1 : 0);
  if (steps_[static_cast<std::size_t>(step)] == nullptr)
  {
    return -1;
  }
  auto place = at.as<WorldPosition>();
  place.point = world;
  const std::int64_t cell = cell_at(step, place, weights);
  return cell < 0 || centering == Centering::Cell ? cell : nearest_node(weights);
}

void ChangingMesh::interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
    const Moment&, double* values) const
{
  static thread_local CellWeights weights;
  const std::int64_t cell = cell_at(step, at.as<WorldPosition>(), weights);
  if (cell < 0)
  {
    std::fill_n(values, brick.components, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  interpolate_in(brick, centering, cell, weights, values);
}

} // namespace rivulet
