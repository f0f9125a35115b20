// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/AdaptiveMap.h"

#include "Base/Vector.h"
#include "Parallel/Team.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

namespace rivulet
{

namespace
{

constexpr std::int64_t kBytesOfNode = sizeof(EndState) + 1;
constexpr std::int64_t kBytesOfChosen = sizeof(EndState) + sizeof(std::int64_t);

/// Nodes of a level along one axis of a box.
struct NodesAlong
{
  std::vector<std::int32_t> at;
  std::vector<AxisStencil> stencils;  ///< on the level before
  std::vector<NodeRange> beside;      ///< on the level before
  std::vector<std::uint8_t> untested; ///< whether the cell of the level before was not halved there
};

NodesAlong nodes_along(const AxisLevels& axis, int level, const NodeRange& range)
{
  NodesAlong nodes;
  for (std::int32_t i = axis.below(level, range.first); i <= axis.below(level, range.last); ++i)
  {
    const std::int32_t at = axis.node(level, i);
    if (at >= range.first)
    {
      nodes.at.push_back(at);
      nodes.stencils.push_back(axis.stencil(level - 1, at));
      nodes.beside.push_back(axis.beside(level - 1, at));
      nodes.untested.push_back(!axis.has(level - 1, at) && !axis.halved(level - 1, at) ? 1 : 0);
    }
  }
  return nodes;
}

Vec3 plus(const Vec3& a, double weight, const Vec3& b)
{
  return { a[0] + weight * b[0], a[1] + weight * b[1], a[2] + weight * b[2] };
}

} // namespace

/// Work on the nodes of one level in a box.
class AdaptiveMap::Pass
{
public:
  Pass(AdaptiveMap& map, int level, const Box& box)
    : map_(map)
    , level_(level)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      along_[a] = nodes_along(map.axes_[a], level, { box.begin[a], box.end[a] - 1 });
    }
  }

  /// Calls `work` with the numbers along the axes of each node, from several threads.
  template <class Work>
  void for_each(int threads, const Work& work) const
  {
    const auto rows = static_cast<std::int64_t>(along_[1].at.size() * along_[2].at.size());
    std::atomic<std::int64_t> next{ 0 };
    const bool small = rows * static_cast<std::int64_t>(along_[0].at.size()) < kFewNodes;
    run_team(small ? 1 : threads,
        [&](int)
        {
          for (std::int64_t row = next.fetch_add(1); row < rows; row = next.fetch_add(1))
          {
            const auto in_layer = static_cast<std::int64_t>(along_[1].at.size());
            for (std::size_t i = 0; i < along_[0].at.size(); ++i)
            {
              work({ i, static_cast<std::size_t>(row % in_layer), static_cast<std::size_t>(row / in_layer) });
            }
          }
        });
  }

  /// Finds the nodes that were not where the level before foretold them.
  void test(int threads) const
  {
    for_each(threads, [this](const Numbers& at) { map_.unsure_[map_.number_of(node(at))] = foretold(at) ? 0 : 1; });
  }

  /// Interpolates nodes that are new and need not be traced.
  void interpolate(int threads) const
  {
    for_each(threads,
        [this](const Numbers& at)
        {
          if (EndState& end = map_.map_.ends[map_.number_of(node(at))]; end.reason == Termination::None && sure(at))
          {
            if (const std::optional<Vec3> point = interpolated(at))
            {
              end = { .point = *point,
                .time = map_.map_.times.end,
                .length = std::numeric_limits<double>::quiet_NaN(),
                .reason = Termination::OutOfTime,
                .estimated = true };
            }
          }
        });
  }

  /// Nodes whose ends are not known, block by block.
  [[nodiscard]] std::vector<std::int64_t> unknown() const
  {
    std::vector<std::int64_t> nodes;
    Int3 blocks;
    for (std::size_t a = 0; a < 3; ++a)
    {
      blocks[a] = static_cast<std::int32_t>((along_[a].at.size() + kBlockNodes - 1) / kBlockNodes);
    }
    for (std::int64_t block = 0; block < volume(blocks); ++block)
    {
      add_unknown_of(from_row_major(block, blocks), nodes);
    }
    return nodes;
  }

private:
  using Numbers = std::array<std::size_t, 3>;
  static constexpr std::int64_t kFewNodes = 4096; ///< not worth the start of a thread
  static constexpr std::size_t kBlockNodes = 8;

  [[nodiscard]] Int3 node(const Numbers& at) const
  {
    return { along_[0].at[at[0]], along_[1].at[at[1]], along_[2].at[at[2]] };
  }
  [[nodiscard]] const EndState& end_of(const Int3& node) const { return map_.map_.ends[map_.number_of(node)]; }
  [[nodiscard]] bool arrived(const Int3& node) const { return end_of(node).reason == Termination::OutOfTime; }

  void add_unknown_of(const Int3& block, std::vector<std::int64_t>& nodes) const
  {
    Numbers begin;
    Numbers end;
    for (std::size_t a = 0; a < 3; ++a)
    {
      begin[a] = static_cast<std::size_t>(block[a]) * kBlockNodes;
      end[a] = std::min(along_[a].at.size(), begin[a] + kBlockNodes);
    }
    for (std::size_t k = begin[2]; k < end[2]; ++k)
    {
      for (std::size_t j = begin[1]; j < end[1]; ++j)
      {
        for (std::size_t i = begin[0]; i < end[0]; ++i)
        {
          const std::size_t number = map_.number_of(node({ i, j, k }));
          if (map_.map_.ends[number].reason == Termination::None)
          {
            nodes.push_back(static_cast<std::int64_t>(number));
          }
        }
      }
    }
  }

  /// The end of a node by interpolation on the level before; empty where a particle of the polynomial did not arrive.
  [[nodiscard]] std::optional<Vec3> interpolated(const Numbers& at) const
  {
    const AxisStencil& x = along_[0].stencils[at[0]];
    const AxisStencil& y = along_[1].stencils[at[1]];
    const AxisStencil& z = along_[2].stencils[at[2]];
    Vec3 point{ 0, 0, 0 };
    for (std::size_t k = 0; k < static_cast<std::size_t>(z.count); ++k)
    {
      for (std::size_t j = 0; j < static_cast<std::size_t>(y.count); ++j)
      {
        const double weight = z.weights[k] * y.weights[j];
        for (std::size_t i = 0; i < static_cast<std::size_t>(x.count); ++i)
        {
          const EndState& end = end_of({ x.nodes[i], y.nodes[j], z.nodes[k] });
          if (end.reason != Termination::OutOfTime)
          {
            return {};
          }
          point = plus(point, weight * x.weights[i], end.point);
        }
      }
    }
    return point;
  }

  /// Whether the end of a node is where the level before foretold it, or there was nothing to foretell.
  [[nodiscard]] bool foretold(const Numbers& at) const
  {
    const Int3 here = node(at);
    const EndState& end = end_of(here);
    if (end.reason != Termination::OutOfTime)
    {
      return false;
    }
    const bool older = along_[0].stencils[at[0]].count == 1 && along_[1].stencils[at[1]].count == 1 &&
                       along_[2].stencils[at[2]].count == 1;
    if (end.estimated || older)
    {
      return true;
    }
    const std::optional<Vec3> point = interpolated(at);
    return point && distance(*point, end.point) <= map_.sampling_.tolerance * parting(here);
  }

  /// Distance between the ends of neighbours, as SamplingRule::tolerance says.
  [[nodiscard]] double parting(const Int3& here) const
  {
    double most = 0.0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < 3; ++a)
    {
      if (map_.whole_.nodes[a] == 1)
      {
        continue;
      }
      const AxisLevels& axis = map_.axes_[a];
      const NodeRange beside = axis.beside(level_, here[a]);
      Int3 low = here;
      Int3 high = here;
      low[a] = std::max(axis.node(level_, beside.first), map_.window().begin[a]);
      high[a] = std::min(axis.node(level_, beside.last), map_.window().end[a] - 1);
      smallest = std::min(smallest, map_.spacing_between(low, high, a));
      low = arrived(low) ? low : here;
      high = arrived(high) ? high : here;
      if (high[a] > low[a])
      {
        const double apart = (high[a] - low[a]) * map_.spacing_between(low, high, a);
        most = std::max(most, distance(end_of(high).point, end_of(low).point) / apart);
      }
    }
    return smallest * most;
  }

  /// Whether nodes beside a new node were where the level before theirs foretold them.
  [[nodiscard]] bool sure(const Numbers& at) const
  {
    std::array<NodeRange, 3> beside;
    for (std::size_t a = 0; a < 3; ++a)
    {
      if (along_[a].untested[at[a]] != 0)
      {
        return false;
      }
      beside[a] = along_[a].beside[at[a]];
    }
    const int before = level_ - 1;
    for (std::int32_t k = beside[2].first; k <= beside[2].last; ++k)
    {
      for (std::int32_t j = beside[1].first; j <= beside[1].last; ++j)
      {
        for (std::int32_t i = beside[0].first; i <= beside[0].last; ++i)
        {
          if (map_.unsure_[map_.number_of({ map_.axes_[0].node(before, i), map_.axes_[1].node(before, j),
                  map_.axes_[2].node(before, k) })] != 0)
          {
            return false;
          }
        }
      }
    }
    return true;
  }

  AdaptiveMap& map_;
  int level_;
  std::array<NodesAlong, 3> along_;
};

AdaptiveMap::AdaptiveMap(const Grid& lattice, const Box& nodes, const FlowMapTimes& when, const SamplingRule& sampling)
  : sampling_(sampling)
  , whole_(lattice)
  , boxes_(static_cast<std::size_t>(sampling.levels) + 2, nodes)
{
  for (std::size_t a = 0; a < 3; ++a)
  {
    axes_[a] = AxisLevels(lattice.nodes[a], sampling.levels);
    for (int level = sampling.levels - 1; level >= -1; --level)
    {
      const Box& finer = box(level + 1);
      const NodeRange range = axes_[a].reach(level, { finer.begin[a], finer.end[a] - 1 });
      Box& here = boxes_[static_cast<std::size_t>(level + 1)];
      here.begin[a] = range.first;
      here.end[a] = range.last + 1;
    }
  }
  map_ = { .lattice = part_of(lattice, window()), .times = when };
  map_.ends.resize(static_cast<std::size_t>(window().count()));
  unsure_.resize(map_.ends.size());
}

std::size_t AdaptiveMap::number_of(const Int3& node) const
{
  const Int3& begin = window().begin;
  return static_cast<std::size_t>(
      row_major({ node[0] - begin[0], node[1] - begin[1], node[2] - begin[2] }, map_.lattice.nodes));
}

/// Mean distance of neighbours from a node to another one along an axis.
double AdaptiveMap::spacing_between(const Int3& low, const Int3& high, std::size_t axis) const
{
  return map_.places != nullptr
             ? distance((*map_.places)[number_of(low)], (*map_.places)[number_of(high)]) / (high[axis] - low[axis])
             : std::fabs(whole_.spacing[axis]);
}

std::vector<std::int64_t> AdaptiveMap::choose(int threads)
{
  const int level = pass_++;
  if (level == 0)
  {
    return Pass(*this, 0, window()).unknown();
  }
  Box tested = box(level);
  for (std::size_t a = 0; a < 3; ++a)
  {
    const AxisLevels& axis = axes_[a];
    tested.begin[a] = axis.node(level - 1, axis.beside(level - 1, box(level).begin[a]).first);
    tested.end[a] = axis.node(level - 1, axis.beside(level - 1, box(level).end[a] - 1).last) + 1;
  }
  Pass(*this, level - 1, tested).test(threads);
  const Pass pass(*this, level, box(level));
  pass.interpolate(threads);
  return pass.unknown();
}

void AdaptiveMap::add(std::span<const std::int64_t> nodes, std::span<const EndState> ends)
{
  for (std::size_t i = 0; i < nodes.size(); ++i)
  {
    map_.ends[static_cast<std::size_t>(nodes[i])] = ends[i];
  }
}

FlowMap AdaptiveMap::take()
{
  const Box& wanted = boxes_.back();
  FlowMap part{ .lattice = part_of(whole_, wanted), .times = map_.times };
  part.ends.reserve(static_cast<std::size_t>(wanted.count()));
  std::vector<Vec3> places;
  for (std::int32_t k = wanted.begin[2]; k < wanted.end[2]; ++k)
  {
    for (std::int32_t j = wanted.begin[1]; j < wanted.end[1]; ++j)
    {
      const auto row = map_.ends.begin() + static_cast<std::ptrdiff_t>(number_of({ wanted.begin[0], j, k }));
      part.ends.insert(part.ends.end(), row, row + wanted.size()[0]);
      if (map_.places != nullptr)
      {
        const auto of_row = map_.places->begin() + (row - map_.ends.begin());
        places.insert(places.end(), of_row, of_row + wanted.size()[0]);
      }
    }
  }
  if (map_.places != nullptr)
  {
    part.places = std::make_shared<const std::vector<Vec3>>(std::move(places));
  }
  return part;
}

std::vector<Box> adaptive_tiles(
    const Grid& lattice, const Box& nodes, const SamplingRule& sampling, std::int64_t bytes, std::int64_t per_particle)
{
  const Int3 size = nodes.size();
  Int3 parts{ 1, 1, 1 };
  const auto length = [&](std::size_t a)
  {
    return (size[a] + parts[a] - 1) / parts[a];
  };
  const auto takes = [&]
  {
    Int3 window;
    Int3 traced;
    for (std::size_t a = 0; a < 3; ++a)
    {
      traced[a] = std::min(lattice.nodes[a], length(a) + 2);
      window[a] = std::min(lattice.nodes[a], traced[a] + 2 * sampling.halo());
    }
    return volume(window) * kBytesOfNode + volume(traced) * (kBytesOfChosen + per_particle);
  };
  while (takes() > bytes)
  {
    std::size_t longest = 0;
    for (std::size_t a = 1; a < 3; ++a)
    {
      longest = length(a) > length(longest) ? a : longest;
    }
    if (length(longest) <= (std::int32_t{ 2 } << sampling.levels))
    {
      return {};
    }
    ++parts[longest];
  }
  std::vector<Box> tiles;
  for (std::int64_t i = 0; i < volume(parts); ++i)
  {
    const Int3 at = from_row_major(i, parts);
    Box tile;
    for (std::size_t a = 0; a < 3; ++a)
    {
      tile.begin[a] = nodes.begin[a] + at[a] * length(a);
      tile.end[a] = std::min(nodes.end[a], tile.begin[a] + length(a));
    }
    if (!tile.empty())
    {
      tiles.push_back(tile);
    }
  }
  return tiles;
}

} // namespace rivulet
