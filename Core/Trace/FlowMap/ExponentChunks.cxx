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
  const auto at_a_time =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(most_nodes / of_layer, kKeptLayers + 1, layers + kKeptLayers));
  chunk.end[axis_] = chunk.begin[axis_];
  while (chunk.end[axis_] < traced_.end[axis_])
  {
    const std::int32_t more = at_a_time - (chunks_.empty() ? 0 : kKeptLayers);
    chunk.begin[axis_] = chunk.end[axis_];
    chunk.end[axis_] = std::min(traced_.end[axis_], chunk.begin[axis_] + more);
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

/// The next chunk with the layers kept.
Box ExponentChunks::window() const
{
  Box box = chunks_[next_];
  box.begin[axis_] -= kept_layers_;
  return box;
}

FlowMapMarch ExponentChunks::march(const FlowMapTimes& when)
{
  const Box box = window();
  Box traced{ {}, box.size() };
  traced.begin[axis_] = kept_layers_;
  return { part_of(lattice_, box), when, traced, std::move(kept_) };
}

void ExponentChunks::add(FlowMap&& map, int threads)
{
  if (tiles_.empty())
  {
    add_layers(std::move(map), threads);
  }
  else
  {
    emit(map, chunks_[next_], tiles_[next_], threads);
  }
  ++next_;
}

void ExponentChunks::add_layers(FlowMap&& map, int threads)
{
  const Box box = window();
  const bool last = next_ + 1 == chunks_.size();
  const std::int32_t end = box.end[axis_] - (last ? 0 : 1);
  Box out = wanted_;
  out.begin[axis_] = std::max(out.begin[axis_], emitted_);
  out.end[axis_] = std::min(out.end[axis_], end);
  emit(map, box, out, threads);
  emitted_ = end;
  const std::int32_t layers = box.end[axis_] - box.begin[axis_];
  kept_layers_ = std::min(kKeptLayers, layers);
  if (!last)
  {
    kept_ = std::move(map.ends);
    kept_.erase(kept_.begin(), kept_.end() - kept_layers_ * (box.count() / layers));
  }
}

/// Takes the results of the nodes `out` out of a window of nodes.
void ExponentChunks::emit(const FlowMap& window, const Box& box, const Box& out, int threads)
{
  Box of_window;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    of_window.begin[axis] = out.begin[axis] - box.begin[axis];
    of_window.end[axis] = out.end[axis] - box.begin[axis];
  }
  take_exponents(window, of_window, threads,
      [&](const Int3& first, std::span<const double> exponents)
      {
        const Int3 node{ first[0] + box.begin[0], first[1] + box.begin[1], first[2] + box.begin[2] };
        std::copy(exponents.begin(), exponents.end(), exponents_.data() + offset(node, wanted_));
        emit_row(window, box, node, exponents.size());
      });
}

/// The results of a row beside the exponents.
void ExponentChunks::emit_row(const FlowMap& window, const Box& box, const Int3& first, std::size_t count)
{
  const EndState* ends = window.ends.data() + offset(first, box);
  outside_ +=
      std::count_if(ends, ends + count, [](const EndState& end) { return end.reason == Termination::SeedOutside; });
  if (!ends_.empty())
  {
    std::copy_n(ends, count, ends_.data() + offset(first, wanted_));
  }
  for (std::size_t i = 0; i < count && !traced_of_.empty(); ++i)
  {
    const Int3 at{ first[0] + static_cast<std::int32_t>(i), first[1], first[2] };
    traced_of_[offset(at, wanted_)] = ends[i].estimated ? 0 : 1;
    estimated_[offset(at, wanted_)] = is_estimated(window, box, at) ? 1 : 0;
  }
}

} // namespace rivulet
