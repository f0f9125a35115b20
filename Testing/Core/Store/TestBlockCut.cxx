// SPDX-License-Identifier: BSD-3-Clause
// What holds of every cut of blocks into bricks, whatever the sizes.
#include "Store/Locate/BlockCut.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace rivulet::test
{

namespace
{

/// A lattice of blocks, of points or of cells.
struct Cut
{
  BlockVariable variable;
  Grid grid;
  BrickGrid bricks;

  Cut(const Int3& block, const Int3& blocks, Centering centering = Centering::Node, std::int32_t components = 1)
  {
    variable.variable = { "made up", ScalarType::Float32, components, centering };
    variable.block = block;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      variable.lattice[axis] = block[axis] * blocks[axis];
      grid.nodes[axis] = variable.lattice[axis] + (centering == Centering::Node ? 0 : 1);
    }
    bricks = cut_blocks(variable, grid);
  }
  [[nodiscard]] Box values(std::int64_t index) const
  {
    return brick_values(bricks, variable.variable.centering, index);
  }
};

/// Of many sizes, flat and single ones among them.
std::vector<Cut> random_cuts(unsigned seed, std::int32_t longest)
{
  std::mt19937 random(seed);
  const auto up_to = [&](std::int32_t most)
  {
    return 1 + static_cast<std::int32_t>(random() % static_cast<unsigned>(most));
  };
  std::vector<Cut> cuts;
  for (int i = 0; i < 40; ++i)
  {
    const Int3 block{ up_to(longest), up_to(longest / 2), up_to(3) == 1 ? 1 : up_to(longest / 2) };
    const Int3 blocks{ up_to(3), up_to(2), up_to(2) };
    cuts.emplace_back(block, blocks, i % 2 == 0 ? Centering::Node : Centering::Cell, up_to(3));
  }
  return cuts;
}

} // namespace

TEST(BlockCuts, HoldWhatEachCellNeeds)
{
  for (const Cut& cut : random_cuts(1, 60))
  {
    const Int3 cells = cut.grid.cells();
    const std::int32_t shared = cut.variable.variable.centering == Centering::Node ? 1 : 0;
    std::int64_t wrong = 0;
    for (std::int64_t n = 0; n < volume(cells); ++n)
    {
      const Int3 cell = from_row_major(n, cells);
      const Box values = cut.values(cut.bricks.index_of_cell(cell));
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const std::int32_t last = std::min(cell[axis] + shared, cut.variable.lattice[axis] - 1);
        wrong += values.begin[axis] <= cell[axis] && last < values.end[axis] ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(BlockCuts, HaveNoBrickWithoutCellsOfItsOwn)
{
  for (const Cut& cut : random_cuts(2, 90))
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int32_t cells = cut.grid.cells()[axis];
      EXPECT_LT((cut.bricks.count[axis] - 1) * cut.bricks.cells[axis], cells);
      EXPECT_GE(cut.bricks.count[axis] * cut.bricks.cells[axis], cells);
    }
  }
}

TEST(BlockCuts, KeepWithinTheLatticeAndTheLongestEdges)
{
  for (const Cut& cut : random_cuts(3, 200))
  {
    EXPECT_LE(cut.bricks.cells[0], 64);
    EXPECT_LE(cut.bricks.cells[1], 22);
    EXPECT_LE(cut.bricks.cells[2], 22);
    for (const std::int64_t index : { std::int64_t{ 0 }, cut.bricks.size() / 2, cut.bricks.size() - 1 })
    {
      const Box values = cut.values(index);
      EXPECT_FALSE(values.empty());
      EXPECT_EQ(intersect(values, { { 0, 0, 0 }, cut.variable.lattice }), values);
    }
  }
}

/// Then only the shared layer comes from another file.
TEST(BlockCuts, BeginNoBrickInOneBlockAndEndItInTheNextWhereABlockCanBeDivided)
{
  for (const Int3& block : { Int3{ 128, 44, 22 }, Int3{ 96, 30, 16 }, Int3{ 64, 22, 7 } })
  {
    const Cut cut(block, { 2, 3, 2 }, Centering::Cell);
    for (std::int64_t index = 0; index < cut.bricks.size(); ++index)
    {
      const Box values = cut.values(index);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_EQ(values.begin[axis] / block[axis], (values.end[axis] - 1) / block[axis]);
      }
    }
  }
}

TEST(BlockCuts, DoNotFallBelowAQuarterToDivideABlock)
{
  const Cut small(Int3{ 2 * 31, 22, 22 }, { 2, 1, 1 }); // divisors: 62
  EXPECT_EQ(small.bricks.cells[0], 62);
  const Cut prime(Int3{ 127, 22, 22 }, { 2, 1, 1 }); // none but 1
  EXPECT_GT(prime.bricks.cells[0], 16);
  EXPECT_LE(prime.bricks.cells[0], 64);
}

TEST(BlockCuts, CountTheBytesOfTheLargestBrick)
{
  for (const Cut& cut : random_cuts(4, 80))
  {
    std::int64_t largest = 0;
    for (std::int64_t index = 0; index < cut.bricks.size(); ++index)
    {
      largest = std::max(largest, cut.values(index).count());
    }
    const std::int64_t bytes = largest * static_cast<std::int64_t>(cut.variable.variable.tuple_bytes());
    EXPECT_EQ(brick_bytes(cut.bricks, cut.variable.variable), bytes);
  }
}

TEST(BlockOrder, IsTheOrderOfTheFirstValuesOnTheStorage)
{
  for (const Cut& cut : random_cuts(5, 50))
  {
    std::map<std::int64_t, std::int64_t> places;
    for (std::int64_t index = 0; index < cut.bricks.size(); ++index)
    {
      const Int3 first = cut.values(index).begin;
      std::int64_t block = 0;
      const Int3 blocks = cut.variable.blocks();
      while (!cut.variable.block_box(block).contains(first))
      {
        ASSERT_LT(++block, volume(blocks));
      }
      const Int3& origin = cut.variable.block_box(block).begin;
      const Int3 inside{ first[0] - origin[0], first[1] - origin[1], first[2] - origin[2] };
      const std::int64_t values_before = block * volume(cut.variable.block) + row_major(inside, cut.variable.block);
      EXPECT_EQ(block_order(cut.variable, cut.bricks, index), values_before);
      EXPECT_TRUE(places.try_emplace(values_before, index).second) << "two bricks in one place";
    }
  }
}

} // namespace rivulet::test
