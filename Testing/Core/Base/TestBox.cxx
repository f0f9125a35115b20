// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Brick.h"
#include "Base/Field.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

TEST(Box, CountsWhatItHolds)
{
  EXPECT_EQ((Box{ { 1, 2, 3 }, { 4, 4, 4 } }.count()), 6);
  EXPECT_EQ((Box{ { 1, 2, 3 }, { 4, 2, 4 } }.count()), 0);
  EXPECT_EQ(volume({ 65536, 65536, 65536 }), std::int64_t{ 1 } << 48);
}

TEST(Box, ContainsItsBeginAndNotItsEnd)
{
  const Box box{ { 1, 2, 3 }, { 4, 4, 4 } };
  EXPECT_TRUE(box.contains({ 1, 2, 3 }));
  EXPECT_TRUE(box.contains({ 3, 3, 3 }));
  EXPECT_FALSE(box.contains({ 4, 3, 3 }));
  EXPECT_FALSE(box.contains({ 1, 1, 3 }));
}

TEST(Box, IntersectsToNothingWhereTheOtherIsNot)
{
  const Box box{ { 0, 0, 0 }, { 4, 4, 4 } };
  EXPECT_EQ(intersect(box, { { 2, -1, 3 }, { 9, 2, 9 } }), (Box{ { 2, 0, 3 }, { 4, 2, 4 } }));
  EXPECT_TRUE(intersect(box, { { 4, 0, 0 }, { 5, 4, 4 } }).empty());
}

TEST(RowMajor, GoesThereAndBack)
{
  const Int3 dims{ 5, 3, 7 };
  for (std::int64_t index = 0; index < volume(dims); ++index)
  {
    EXPECT_EQ(row_major(from_row_major(index, dims), dims), index);
  }
  EXPECT_EQ(row_major({ 1, 1, 1 }, dims), 21);
}

TEST(BrickGrid, FindsTheBrickOfACell)
{
  const BrickGrid grid{ .cells = { 9, 9, 9 }, .count = { 3, 2, 2 }, .lattice = { 20, 12, 12 } };
  EXPECT_EQ(grid.size(), 12);
  EXPECT_EQ(grid.brick_of_cell({ 8, 9, 10 }), (Int3{ 0, 1, 1 }));
  EXPECT_EQ(grid.index_of_cell({ 18, 9, 0 }), 5);
}

TEST(Grid, HasAFlatCellAlongAnAxisOfOneNode)
{
  Grid grid;
  grid.nodes = { 5, 1, 3 };
  EXPECT_EQ(grid.cells(), (Int3{ 4, 1, 2 }));
  EXPECT_EQ(grid.lattice(Centering::Node), (Int3{ 5, 1, 3 }));
  EXPECT_EQ(grid.lattice(Centering::Cell), (Int3{ 4, 1, 2 }));
}

} // namespace rivulet::test
