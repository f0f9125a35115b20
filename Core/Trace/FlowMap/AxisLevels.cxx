// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/AxisLevels.h"

namespace rivulet
{

AxisStencil AxisLevels::stencil(int level, std::int32_t at) const
{
  const std::int32_t i = below(level, at);
  if (has(level, at))
  {
    return { .count = 1, .nodes = { node(level, i) }, .weights = { 1.0 } };
  }
  AxisStencil stencil;
  stencil.count = std::min(4, count(level));
  const std::int32_t first = std::clamp(i - 1, 0, count(level) - stencil.count);
  const auto size = static_cast<std::size_t>(stencil.count);
  for (std::size_t a = 0; a < size; ++a)
  {
    stencil.nodes[a] = node(level, first + static_cast<std::int32_t>(a));
  }
  for (std::size_t a = 0; a < size; ++a)
  {
    double above = 1.0;
    double below = 1.0;
    for (std::size_t b = 0; b < size; ++b)
    {
      above *= b == a ? 1.0 : at - stencil.nodes[b];
      below *= b == a ? 1.0 : stencil.nodes[a] - stencil.nodes[b];
    }
    stencil.weights[a] = above / below;
  }
  return stencil;
}

NodeRange AxisLevels::reach(int level, const NodeRange& range) const
{
  const AxisStencil low = stencil(level, range.first);
  const AxisStencil high = stencil(level, range.last);
  const std::int32_t before = node(level, std::max(0, beside(level, range.first).first - 1));
  const std::int32_t after = node(level, std::min(count(level) - 1, beside(level, range.last).last + 1));
  return { std::min(low.nodes[0], before), std::max(high.nodes[static_cast<std::size_t>(high.count - 1)], after) };
}

} // namespace rivulet
