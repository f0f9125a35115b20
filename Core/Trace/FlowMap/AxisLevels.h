// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Nodes of one axis of a lattice on levels, each of which halves the distances of the one before, and interpolation
/// between the nodes of a level.
///
/// Level `finest` has all nodes. Level l has every node whose index is a multiple of 2^(finest - l), and the last node
/// of the axis. So nodes of a level are nodes of all finer ones, and the levels depend on the axis alone. Levels below
/// 0 are coarser ones. Indices count from the first node of the axis.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace rivulet
{

/// Inclusive range of indices.
struct NodeRange
{
  std::int32_t first = 0;
  std::int32_t last = 0;
};

/// Nodes of a level around an index, and their weights in the cubic polynomial through them (Lagrange's form; fewer
/// nodes where the level has fewer, the node alone where the index is one of the level).
struct AxisStencil
{
  int count = 0;
  std::array<std::int32_t, 4> nodes{};
  std::array<double, 4> weights{};
};

class AxisLevels
{
public:
  AxisLevels() = default;
  AxisLevels(std::int32_t nodes, int finest)
    : nodes_(nodes)
    , finest_(finest)
  {
  }

  [[nodiscard]] std::int32_t stride(int level) const { return std::int32_t{ 1 } << (finest_ - level); }
  /// Number of nodes of a level.
  [[nodiscard]] std::int32_t count(int level) const
  {
    const std::int32_t cells = nodes_ - 1;
    return cells / stride(level) + (cells % stride(level) == 0 ? 1 : 2);
  }
  /// Index of the i-th node of a level.
  [[nodiscard]] std::int32_t node(int level, std::int32_t i) const
  {
    return static_cast<std::int32_t>(std::min<std::int64_t>(std::int64_t{ i } * stride(level), nodes_ - 1));
  }
  /// Whether an index is that of a node of the level.
  [[nodiscard]] bool has(int level, std::int32_t at) const { return at % stride(level) == 0 || at == nodes_ - 1; }
  /// Number of the last node of a level whose index is at most `at`.
  [[nodiscard]] std::int32_t below(int level, std::int32_t at) const
  {
    return at == nodes_ - 1 ? count(level) - 1 : at / stride(level);
  }
  /// Whether the cell of a level that contains an index was made at this level, by halving a cell of the level before.
  [[nodiscard]] bool halved(int level, std::int32_t at) const
  {
    const std::int32_t i = below(level, at);
    return !has(level - 1, node(level, i)) || !has(level - 1, node(level, i + 1));
  }

  /// Numbers of the nodes of a level next to an index: the ends of its cell, or the node itself and its neighbours.
  [[nodiscard]] NodeRange beside(int level, std::int32_t at) const
  {
    const std::int32_t i = below(level, at);
    return { has(level, at) ? std::max(0, i - 1) : i, std::min(count(level) - 1, i + 1) };
  }
  [[nodiscard]] AxisStencil stencil(int level, std::int32_t at) const;

  /// Indices from the first to the last node of a level that decisions about indices of the next one depend on: nodes
  /// within two neighbour steps of the stencil.
  [[nodiscard]] NodeRange reach(int level, const NodeRange& range) const;

private:
  std::int32_t nodes_ = 1;
  int finest_ = 0;
};

} // namespace rivulet
