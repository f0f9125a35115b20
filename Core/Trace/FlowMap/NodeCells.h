// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cells around each node of a mesh of unstructured cells, and derivatives at nodes of values that are known there.
///
///     const NodeCells around(cells, share);
///     if (const std::optional<Mat3> f = around.gradient(node, value, is_known)) ...
///
/// The derivative at a node is the mean of the derivatives in its cells there, weighed by the volumes of the cells'
/// boxes. On a rectilinear grid that is the central difference, and at its border the one-sided one. Values that are
/// linear in space are exact. Cells with a corner of which the value is not known do not count.
///
/// Memory: 8 bytes for each node, and 4 for each corner of each cell. Immutable; any thread. Units: world.
#pragma once

#include "Trace/Mesh/UnstructuredCells.h"

#include <optional>
#include <vector>

namespace rivulet
{

class NodeCells
{
public:
  /// Of cells that have no others beside them. `share`: of the interval that has gone (UnstructuredCells::between()).
  /// Throws std::bad_alloc.
  NodeCells(std::shared_ptr<const UnstructuredCells> cells, double share);

  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(firsts_.size()) - 1; }
  [[nodiscard]] Vec3 place(std::int64_t node) const { return cells_->points().at(node, share_); }

  /// m[3 c + i] = d value_c / d x_i at a node. `value_of(node)`: of any node around it; nullptr: not known. Empty if no
  /// cell around the node has all values and a volume.
  template <class ValueOf>
  [[nodiscard]] std::optional<Mat3> gradient(std::int64_t node, const ValueOf& value_of) const
  {
    Mat3 sum{};
    double weight = 0.0;
    for (std::int64_t i = firsts_[static_cast<std::size_t>(node)]; i < firsts_[static_cast<std::size_t>(node) + 1]; ++i)
    {
      const std::int64_t cell = around_[static_cast<std::size_t>(i)];
      std::array<const Vec3*, kMostCorners> values{};
      bool known = true;
      const int count = cells_->table().type(cell).corners;
      for (int corner = 0; corner < count; ++corner)
      {
        const Vec3* const value = value_of(cells_->table().node(cell, corner));
        values[static_cast<std::size_t>(corner)] = value;
        known = known && value != nullptr;
      }
      if (known)
      {
        weight += add_gradient(cell, node, { values.data(), static_cast<std::size_t>(count) }, sum);
      }
    }
    for (double& each : sum)
    {
      each /= weight;
    }
    return weight > 0.0 ? std::optional(sum) : std::nullopt;
  }

private:
  double add_gradient(std::int64_t cell, std::int64_t node, std::span<const Vec3* const> values, Mat3& sum) const;

  std::shared_ptr<const UnstructuredCells> cells_;
  double share_;
  std::vector<std::int64_t> firsts_; ///< of each node in the next, and the end
  std::vector<std::int32_t> around_; ///< cells, in increasing order
};

} // namespace rivulet
