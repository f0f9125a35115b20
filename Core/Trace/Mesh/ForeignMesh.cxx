// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/ForeignMesh.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

std::optional<Mesh::Place> ForeignMesh::enter(const Vec3& world, const Moment&) const
{
  CellWeights weights;
  const std::int64_t cell = cells_->find(world, -1, weights);
  return cell >= 0 ? std::optional(Place{ WorldPosition{ .point = world, .cell = cell }, 0 }) : std::nullopt;
}

std::int64_t ForeignMesh::label_number(const Vec3& world, const Position& at, const Moment&, Centering centering) const
{
  const std::int64_t cell = at.as<WorldPosition>().cell;
  if (cell < 0 || centering == Centering::Cell)
  {
    return cell;
  }
  CellWeights weights;
  cells_->weigh(cell, world, false, weights);
  return nearest_node(weights);
}

std::int64_t nearest_node(const CellWeights& weights)
{
  const auto largest = std::max_element(weights.weights.begin(), weights.weights.end());
  return weights.nodes[static_cast<std::size_t>(largest - weights.weights.begin())];
}

void ForeignMesh::interpolate(
    const BrickView& brick, std::int32_t, Centering centering, const Position& at, const Moment&, double* values) const
{
  const auto place = at.as<WorldPosition>();
  static thread_local CellWeights weights;
  if (centering == Centering::Node)
  {
    cells_->weigh(place.cell, place.point, false, weights);
  }
  interpolate_in(brick, centering, place.cell, weights, values);
}

void interpolate_in(
    const BrickView& brick, Centering centering, std::int64_t cell, const CellWeights& weights, double* values)
{
  for (std::int32_t component = 0; component < brick.components; ++component)
  {
    double sum = 0.0;
    for (std::size_t i = 0; centering == Centering::Node && i < weights.nodes.size(); ++i)
    {
      sum = std::fma(weights.weights[i], value_of(brick, weights.nodes[i], component), sum);
    }
    values[component] = centering == Centering::Node ? sum : value_of(brick, cell, component);
  }
}

} // namespace rivulet
