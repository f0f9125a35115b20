// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/ExponentChunks.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int32_t kKeptLayers = 2;

std::size_t slowest_axis(const Grid& lattice)
{
  std::size_t axis = 2;
  while (axis > 0 && lattice.nodes[axis] == 1)
  {
    --axis;
  }
  return axis;
}

} // namespace

ExponentChunks::ExponentChunks(const Grid& lattice, const Box& nodes, std::int64_t most_nodes, bool keep_ends)
  : lattice_(lattice)
  , wanted_(nodes)
  , traced_(nodes)
  , axis_(slowest_axis(lattice))
{
  const auto count = static_cast<std::size_t>(wanted_.count());
  exponents_ = Buffer<double>(count);
  std::fill(exponents_.begin(), exponents_.end(), std::numeric_limits<double>::quiet_NaN());
  ends_.resize(keep_ends ? count : 0);
  if (count == 0)
  {
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    traced_.begin[axis] = std::max(0, wanted_.begin[axis] - 1);
    traced_.end[axis] = std::min(lattice.nodes[axis], wanted_.end[axis] + 1);
  }
  Box chunk = traced_;
  const std::int32_t layers = traced_.end[axis_] - traced_.begin[axis_];
  const std::int64_t of_layer = traced_.count() / layers;
  const auto at_a_time = static_cast<std::int32_t>(std::clamp<std::int64_t>(most_nodes / of_layer, 2, layers + 1));
  for (std::int32_t layer = traced_.begin[axis_]; layer < traced_.end[axis_]; layer += at_a_time)
  {
    chunk.begin[axis_] = layer;
    chunk.end[axis_] = std::min(traced_.end[axis_], layer + at_a_time);
    chunks_.push_back(chunk);
  }
  emitted_ = traced_.begin[axis_];
}

Grid ExponentChunks::part_of(const Box& nodes) const
{
  Grid part = lattice_;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    part.first[axis] += nodes.begin[axis];
    part.nodes[axis] = nodes.end[axis] - nodes.begin[axis];
  }
  return part;
}

void ExponentChunks::add(FlowMap&& map, int threads)
{
  Box box = chunks_[next_++];
  box.begin[axis_] -= kept_layers_;
  FlowMap window{ .lattice = part_of(box), .times = map.times };
  window.ends = std::move(kept_);
  window.ends.insert(window.ends.end(), map.ends.begin(), map.ends.end());
  map.ends = {};
  const bool last = next_ == chunks_.size();
  const std::int32_t end = box.end[axis_] - (last ? 0 : 1);
  emit(window, box, emitted_, end, threads);
  emitted_ = end;
  const auto of_layer = static_cast<std::ptrdiff_t>(box.count() / (box.end[axis_] - box.begin[axis_]));
  kept_layers_ = std::min(kKeptLayers, box.end[axis_] - box.begin[axis_]);
  kept_.assign(window.ends.end() - kept_layers_ * of_layer, window.ends.end());
}

/// Takes the results of the layers `first` to `last` - 1 out of a window of nodes.
void ExponentChunks::emit(const FlowMap& window, const Box& box, std::int32_t first, std::int32_t last, int threads)
{
  const Buffer<double> exponents = lyapunov_exponent(window, threads);
  Box out = wanted_;
  out.begin[axis_] = std::max(out.begin[axis_], first);
  out.end[axis_] = std::min(out.end[axis_], last);
  for (std::int32_t k = out.begin[2]; k < out.end[2]; ++k)
  {
    for (std::int32_t j = out.begin[1]; j < out.end[1]; ++j)
    {
      const Int3 node{ out.begin[0], j, k };
      const auto offset = [&node](const Box& of)
      {
        return static_cast<std::size_t>(
            row_major({ node[0] - of.begin[0], node[1] - of.begin[1], node[2] - of.begin[2] }, of.size()));
      };
      const auto count = static_cast<std::size_t>(std::max(0, out.end[0] - out.begin[0]));
      std::copy_n(exponents.data() + offset(box), count, exponents_.data() + offset(wanted_));
      if (!ends_.empty())
      {
        std::copy_n(window.ends.data() + offset(box), count, ends_.data() + offset(wanted_));
      }
    }
  }
}

} // namespace rivulet
