// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/ChangingMesh.h"

#include "Trace/Mesh/UnstructuredMesh.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

std::optional<WorldPosition> ChangingMesh::find(
    const Vec3& world, double share, std::int64_t before_now, std::int64_t before_later) const
{
  static thread_local CellWeights weights;
  const WorldPosition hints{ .point = world, .cell = before_now, .block = block_of(before_later) };
  WorldPosition found{ .point = world, .block = -1, .walk = kInterval + interval_ };
  for (std::size_t step = 0; step < cells_.size(); ++step)
  {
    if (cells_[step] == nullptr || !counts(step, share))
    {
      continue;
    }
    const std::int64_t cell = cells_[step]->find(world, known_cell(step, hints), weights);
    if (cell < 0)
    {
      return std::nullopt;
    }
    found.cell = step == kNow ? cell : found.cell;
    found.block = step == kLater ? block_of(cell) : found.block;
  }
  return found;
}

std::optional<Mesh::Place> ChangingMesh::enter(const Vec3& world, const Moment& moment) const
{
  const std::optional<WorldPosition> found = find(world, moment.share, -1, -1);
  return found ? std::optional(Place{ *found, 0 }) : std::nullopt;
}

std::int64_t ChangingMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  static thread_local CellWeights weights;
  const std::size_t step = moment.share == 1.0 ? kLater : kNow;
  const std::int64_t cell = cells_[step]->find(world, known_cell(step, at.as<WorldPosition>()), weights);
  return cell < 0 || centering == Centering::Cell ? cell : nearest_node(weights);
}

void ChangingMesh::interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
    const Moment&, double* values) const
{
  static thread_local CellWeights weights;
  const auto place = at.as<WorldPosition>();
  const auto about = static_cast<std::size_t>(step - interval_ + 1);
  const std::int64_t cell = cells_[about]->find(place.point, known_cell(about, place), weights);
  if (cell < 0)
  {
    std::fill_n(values, brick.components, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const auto* const own = dynamic_cast<const UnstructuredCells*>(cells_[about].get());
  if (own != nullptr && own->has(cell) && centering == Centering::Node)
  {
    interpolate_in(*own, 0.0, brick, { .point = place.point, .cell = cell }, values);
    return;
  }
  interpolate_in(brick, centering, cell, weights, values);
}

} // namespace rivulet
