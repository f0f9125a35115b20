// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/DistributedField.h"

#include <algorithm>
#include <optional>

namespace rivulet
{

namespace
{

std::string text_of(const Int3& at)
{
  return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

/// Two blocks that overlap, along a sweep through their beginnings.
std::optional<std::pair<SpreadBlock, SpreadBlock>> find_overlap(std::vector<SpreadBlock> blocks)
{
  std::sort(blocks.begin(), blocks.end(),
      [](const SpreadBlock& a, const SpreadBlock& b) { return a.points.begin < b.points.begin; });
  for (std::size_t i = 0; i < blocks.size(); ++i)
  {
    const Box& points = blocks[i].points;
    for (std::size_t j = i + 1; j < blocks.size() && blocks[j].points.begin[0] < points.end[0]; ++j)
    {
      if (!intersect(points, blocks[j].points).empty())
      {
        return std::pair(blocks[i], blocks[j]);
      }
    }
  }
  return {};
}

/// The first point that no block gives. Along each axis it begins where some block ends, or the lattice begins.
Int3 find_gap(const std::vector<SpreadBlock>& blocks, const Int3& lattice)
{
  std::array<std::vector<std::int32_t>, 3> places{ { { 0 }, { 0 }, { 0 } } };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (const SpreadBlock& block : blocks)
    {
      places[axis].push_back(block.points.end[axis]);
    }
    std::sort(places[axis].begin(), places[axis].end());
    places[axis].erase(std::unique(places[axis].begin(), places[axis].end()), places[axis].end());
  }
  const Box all{ { 0, 0, 0 }, lattice };
  for (const std::int32_t k : places[2])
  {
    for (const std::int32_t j : places[1])
    {
      for (const std::int32_t i : places[0])
      {
        const Int3 at{ i, j, k };
        if (all.contains(at) && std::none_of(blocks.begin(), blocks.end(),
                                    [&](const SpreadBlock& block) { return block.points.contains(at); }))
        {
          return at;
        }
      }
    }
  }
  return { 0, 0, 0 };
}

} // namespace

Result<void> check_cover(const std::vector<SpreadBlock>& blocks, const Int3& lattice)
{
  if (const auto both = find_overlap(blocks))
  {
    const Box region = intersect(both->first.points, both->second.points);
    return fail(ErrorCode::BadArgument,
        "blocks of ranks " + std::to_string(both->first.rank) + " and " + std::to_string(both->second.rank) +
            " overlap from " + text_of(region.begin) + " to " + text_of(region.end),
        "publish every cell once, and shared ones as ghosts");
  }
  std::int64_t covered = 0;
  for (const SpreadBlock& block : blocks)
  {
    covered += block.points.count();
  }
  if (covered != volume(lattice))
  {
    return fail(ErrorCode::BadArgument,
        "no rank publishes the cell " + text_of(find_gap(blocks, lattice)) + " and " +
            std::to_string(volume(lattice) - covered - 1) + " others of " + text_of(lattice),
        "publish all blocks of the domain");
  }
  return {};
}

} // namespace rivulet
