// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/NodeCells.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

/// By a counting sort.
NodeCells::NodeCells(std::shared_ptr<const UnstructuredCells> cells, double share)
  : cells_(std::move(cells))
  , share_(share)
  , firsts_(static_cast<std::size_t>(cells_->nodes()) + 1, 0)
{
  const CellNodes& table = cells_->table();
  const auto for_corners = [&](const auto& work)
  {
    for (std::int64_t cell = 0; cell < cells_->cells(); ++cell)
    {
      for (int corner = 0; cells_->has(cell) && corner < table.type(cell).corners; ++corner)
      {
        work(cell, static_cast<std::size_t>(table.node(cell, corner)));
      }
    }
  };
  for_corners([this](std::int64_t, std::size_t node) { ++firsts_[node + 1]; });
  for (std::size_t node = 1; node < firsts_.size(); ++node)
  {
    firsts_[node] += firsts_[node - 1];
  }
  around_.resize(static_cast<std::size_t>(firsts_.back()));
  for_corners([this](std::int64_t cell, std::size_t node)
      { around_[static_cast<std::size_t>(firsts_[node]++)] = static_cast<std::int32_t>(cell); });
  std::rotate(firsts_.begin(), firsts_.end() - 1, firsts_.end()); // each is the end of its node's now
  firsts_.front() = 0;
}

/// Adds the derivative of values at the corners of a cell, at one of them, with its weight; returns that. 0: the cell
/// has no volume there.
double NodeCells::add_gradient(
    std::int64_t cell, std::int64_t node, std::span<const Vec3* const> values, Mat3& sum) const
{
  const CellNodes& table = cells_->table();
  const CellShape shape = table.type(cell).shape;
  int at = 0;
  while (table.node(cell, at) != node)
  {
    ++at;
  }
  const std::array<Vec3, kMostCorners> slopes =
      gradients_of_weights(shape, cells_->corners(cell, share_), corner_at(shape, at));
  const Vec3 sides = cells_->cell_sides_at(share_, cell);
  double weight = 1.0;
  for (const double side : sides)
  {
    weight *= side > 0.0 ? side : 1.0; // planar cells
  }
  Mat3 gradient{};
  for (std::size_t corner = 0; corner < values.size(); ++corner)
  {
    for (std::size_t c = 0; c < 3; ++c)
    {
      for (std::size_t i = 0; i < 3; ++i)
      {
        gradient[3 * c + i] += weight * (*values[corner])[c] * slopes[corner][i];
      }
    }
  }
  if (!std::all_of(gradient.begin(), gradient.end(), [](double x) { return std::isfinite(x); }))
  {
    return 0.0;
  }
  std::transform(sum.begin(), sum.end(), gradient.begin(), sum.begin(), std::plus<>());
  return weight;
}

} // namespace rivulet
