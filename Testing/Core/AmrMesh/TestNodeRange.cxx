// SPDX-License-Identifier: BSD-3-Clause
// Values at nodes are means of the cells around: whatever the data, none leaves their range.
#include "AmrMesh/NodeValues.h"
#include "Core/AmrMesh/AmrInMemory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace rivulet::test
{
namespace
{

/// 0.01 to 99, another for each place.
std::vector<double> unruly(const Vec3& x)
{
  std::uint64_t mixed = 0;
  for (const double at : x)
  {
    mixed = (mixed ^ std::bit_cast<std::uint64_t>(at)) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29;
  }
  return { 0.01 + 98.99 * static_cast<double>(mixed >> 11) * 0x1p-53 };
}

struct Range
{
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  int coarsest = 1000; ///< level that had a say
};

/// Of the leaves that share a place with a box in the cells of level 0.
Range range_of_leaves(const AmrMesh& grid, const Vec3& begin, const Vec3& end)
{
  Range range;
  for (std::int64_t number = 0; number < grid.bricks(); ++number)
  {
    const LeafBrick& brick = grid.brick(number);
    const Grid& level = grid.level(brick.level).grid;
    Box part = brick.cells;
    for (std::size_t axis = 0; axis < 3 && !part.empty(); ++axis)
    {
      const double width = grid.flat(axis) ? 1.0 : level.spacing[axis];
      part.begin[axis] = std::max(part.begin[axis], static_cast<std::int32_t>(std::floor(begin[axis] / width + 1e-6)));
      part.end[axis] = std::min(part.end[axis], static_cast<std::int32_t>(std::ceil(end[axis] / width - 1e-6)));
    }
    for (std::int64_t i = 0; i < part.count(); ++i)
    {
      Int3 at = from_row_major(i, part.size());
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += part.begin[axis];
      }
      const double value = unruly(position_of(level, Centering::Cell, at))[0];
      range = { std::min(range.low, value), std::max(range.high, value), std::min(range.coarsest, brick.level) };
    }
  }
  return range;
}

/// Of the leaves less than a cell away, a cell of the coarsest of them.
Range range_around(const AmrMesh& grid, int level, const Int3& node)
{
  for (int width_of = level;;)
  {
    Vec3 begin{ 0, 0, 0 };
    Vec3 end{ 1, 1, 1 };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      if (!grid.flat(axis))
      {
        const double place = node[axis] * grid.level(level).grid.spacing[axis];
        const double width = grid.level(width_of).grid.spacing[axis];
        begin[axis] = place - width;
        end[axis] = place + width;
      }
    }
    const Range range = range_of_leaves(grid, begin, end);
    if (range.coarsest >= width_of)
    {
      return range;
    }
    width_of = range.coarsest;
  }
}

void expect_within(const AmrMesh& grid, unsigned int seed)
{
  FunctionPatches patches(grid, Centering::Cell, 1, unruly);
  NodeValues values(grid, patches);
  for (std::int64_t i = 0; i < grid.bricks(); ++i)
  {
    const LeafBrick& brick = grid.brick(i);
    const Box nodes = values.nodes_of(brick.cells);
    const LevelValues made = *values.nodes(brick.level, nodes);
    for (std::int64_t n = 0; n < nodes.count(); ++n)
    {
      Int3 at = from_row_major(n, nodes.size());
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += nodes.begin[axis];
      }
      const Range range = range_around(grid, brick.level, at);
      const double value = *made.at(at);
      ASSERT_TRUE(made.known(at));
      ASSERT_TRUE(value >= range.low * (1 - 1e-14) && value <= range.high * (1 + 1e-14))
          << value << " is not in " << range.low << " to " << range.high << ": seed " << seed << ", level "
          << brick.level << ", node " << at[0] << " " << at[1] << " " << at[2];
    }
  }
}

TEST(NodeRange, NoValueLeavesTheRangeOfTheCellsAround)
{
  for (unsigned int seed = 0; seed < 150; ++seed)
  {
    expect_within(random_levels(seed, 2), seed);
    if (HasFatalFailure())
    {
      return;
    }
  }
  for (unsigned int seed = 0; seed < 25; ++seed)
  {
    expect_within(random_levels(seed, 3), seed);
    if (HasFatalFailure())
    {
      return;
    }
  }
}

TEST(NodeRange, WhereAllCellsAgreeNodesDoToo)
{
  for (unsigned int seed = 200; seed < 260; ++seed)
  {
    const AmrMesh grid = random_levels(seed, 2 + static_cast<int>(seed % 2));
    FunctionPatches patches(grid, Centering::Cell, 1, [](const Vec3&) { return std::vector<double>{ 0.1 }; });
    NodeValues values(grid, patches);
    for (std::int64_t i = 0; i < grid.bricks(); ++i)
    {
      const LeafBrick& brick = grid.brick(i);
      const LevelValues made = *values.nodes(brick.level, values.nodes_of(brick.cells));
      for (const double value : made.values)
      {
        ASSERT_NEAR(value, 0.1, 1e-15) << seed;
      }
    }
  }
}

} // namespace
} // namespace rivulet::test
