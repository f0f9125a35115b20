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

/// A box with the nodes next to it.
Box with_neighbours(const Grid& lattice, const Box& nodes)
{
  Box larger;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    larger.begin[axis] = std::max(0, nodes.begin[axis] - 1);
    larger.end[axis] = std::min(lattice.nodes[axis], nodes.end[axis] + 1);
  }
  return larger;
}

std::size_t offset(const Int3& node, const Box& of)
{
  return static_cast<std::size_t>(
      row_major({ node[0] - of.begin[0], node[1] - of.begin[1], node[2] - of.begin[2] }, of.size()));
}

/// Whether the exponent of a node is made of an interpolated end. A particle that was lost has none for certain.
bool is_estimated(const FlowMap& window, const Box& box, const Int3& node)
{
  const EndState& here = window.ends[offset(node, box)];
  if (here.estimated || here.reason != Termination::OutOfTime)
  {
    return here.estimated;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (const std::int32_t by : { -1, 1 })
    {
      Int3 beside = node;
      beside[axis] += by;
      if (box.contains(beside) && window.ends[offset(beside, box)].estimated)
      {
        return true;
      }
    }
  }
  return false;
}

} // namespace

ExponentChunks::ExponentChunks(const Grid& lattice, const Box& nodes, std::int64_t most_nodes, const KeptOfNodes& kept)
  : lattice_(lattice)
  , wanted_(nodes)
  , traced_(nodes)
  , axis_(slowest_axis(lattice))
{
  make_results(kept);
  if (wanted_.empty())
  {
    return;
  }
  traced_ = with_neighbours(lattice, wanted_);
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

ExponentChunks::ExponentChunks(
    const Grid& lattice, const Box& nodes, const std::vector<Box>& tiles, const KeptOfNodes& kept)
  : lattice_(lattice)
  , wanted_(nodes)
  , tiles_(tiles)
{
  make_results(kept);
  for (const Box& tile : tiles)
  {
    chunks_.push_back(with_neighbours(lattice, tile));
  }
}

void ExponentChunks::make_results(const KeptOfNodes& kept)
{
  const auto count = static_cast<std::size_t>(wanted_.count());
  exponents_ = Buffer<double>(count);
  std::fill(exponents_.begin(), exponents_.end(), std::numeric_limits<double>::quiet_NaN());
  ends_.resize(kept.ends ? count : 0);
  traced_of_ = Buffer<unsigned char>(kept.estimates ? count : 0);
  std::fill(traced_of_.begin(), traced_of_.end(), 0);
  estimated_ = Buffer<unsigned char>(kept.estimates ? count : 0);
  std::fill(estimated_.begin(), estimated_.end(), 0);
}

void ExponentChunks::add(FlowMap&& map, int threads)
{
  const std::size_t chunk = next_++;
  if (tiles_.empty())
  {
    add_layers(std::move(map), chunks_[chunk], threads);
  }
  else
  {
    emit(map, chunks_[chunk], tiles_[chunk], threads);
  }
}

void ExponentChunks::add_layers(FlowMap&& map, const Box& chunk, int threads)
{
  Box box = chunk;
  box.begin[axis_] -= kept_layers_;
  FlowMap window{ .lattice = part_of(lattice_, box), .times = map.times };
  window.ends = std::move(kept_);
  window.ends.insert(window.ends.end(), map.ends.begin(), map.ends.end());
  map.ends = {};
  const bool last = next_ == chunks_.size();
  const std::int32_t end = box.end[axis_] - (last ? 0 : 1);
  Box out = wanted_;
  out.begin[axis_] = std::max(out.begin[axis_], emitted_);
  out.end[axis_] = std::min(out.end[axis_], end);
  emit(window, box, out, threads);
  emitted_ = end;
  const auto of_layer = static_cast<std::ptrdiff_t>(box.count() / (box.end[axis_] - box.begin[axis_]));
  kept_layers_ = std::min(kKeptLayers, box.end[axis_] - box.begin[axis_]);
  kept_.assign(window.ends.end() - kept_layers_ * of_layer, window.ends.end());
}

/// Takes the results of the nodes `out` out of a window of nodes.
void ExponentChunks::emit(const FlowMap& window, const Box& box, const Box& out, int threads)
{
  const Buffer<double> exponents = lyapunov_exponent(window, threads);
  for (std::int32_t k = out.begin[2]; k < out.end[2]; ++k)
  {
    for (std::int32_t j = out.begin[1]; j < out.end[1]; ++j)
    {
      const Int3 node{ out.begin[0], j, k };
      const auto count = static_cast<std::size_t>(std::max(0, out.end[0] - out.begin[0]));
      const EndState* ends = window.ends.data() + offset(node, box);
      std::copy_n(exponents.data() + offset(node, box), count, exponents_.data() + offset(node, wanted_));
      outside_ +=
          std::count_if(ends, ends + count, [](const EndState& end) { return end.reason == Termination::SeedOutside; });
      if (!ends_.empty())
      {
        std::copy_n(ends, count, ends_.data() + offset(node, wanted_));
      }
      for (std::size_t i = 0; i < count && !traced_of_.empty(); ++i)
      {
        const Int3 at{ node[0] + static_cast<std::int32_t>(i), j, k };
        traced_of_[offset(at, wanted_)] = ends[i].estimated ? 0 : 1;
        estimated_[offset(at, wanted_)] = is_estimated(window, box, at) ? 1 : 0;
      }
    }
  }
}

} // namespace rivulet
