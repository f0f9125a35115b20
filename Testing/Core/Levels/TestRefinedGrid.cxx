// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Levels/LevelsInMemory.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

/// Whether a level has a cell, by looking at every box.
bool has_cell(const RefinedGrid& grid, int level, const Int3& cell)
{
  const std::vector<Box>& boxes = grid.level(level).boxes;
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return box.contains(cell); });
}

/// Whether the next finer level covers a cell; levels of these tests are nested and aligned.
bool is_covered(const RefinedGrid& grid, int level, const Int3& cell)
{
  if (level + 1 == grid.levels())
  {
    return false;
  }
  const Int3& ratio = grid.level(level + 1).ratio;
  return has_cell(grid, level + 1, { cell[0] * ratio[0], cell[1] * ratio[1], cell[2] * ratio[2] });
}

void expect_leaves_in_bricks(const RefinedGrid& grid)
{
  std::vector<std::int64_t> held(static_cast<std::size_t>(grid.bricks()), 0);
  for (int level = 0; level < grid.levels(); ++level)
  {
    const Int3 cells = grid.level(level).grid.cells();
    for (std::int64_t i = 0; i < volume(cells); ++i)
    {
      const Int3 cell = from_row_major(i, cells);
      const bool leaf = has_cell(grid, level, cell) && !is_covered(grid, level, cell);
      const std::int64_t brick = grid.brick_of(level, cell);
      ASSERT_EQ(brick >= 0, leaf) << "level " << level << " cell " << cell[0] << " " << cell[1] << " " << cell[2];
      ASSERT_EQ(grid.box_of(level, cell) >= 0, has_cell(grid, level, cell));
      if (leaf)
      {
        const LeafBrick& found = grid.brick(brick);
        ASSERT_EQ(found.level, level);
        ASSERT_TRUE(found.cells.contains(cell));
        ASSERT_EQ(found.box, grid.box_of(level, cell));
        ++held[static_cast<std::size_t>(brick)];
      }
    }
  }
  for (std::int64_t brick = 0; brick < grid.bricks(); ++brick)
  {
    EXPECT_EQ(grid.brick(brick).cells.count(), held[static_cast<std::size_t>(brick)]) << brick;
  }
}

TEST(RefinedGrid, EveryLeafIsInOneBrickAndNothingElseIs)
{
  expect_leaves_in_bricks(three_levels());
  expect_leaves_in_bricks(flat_levels());
}

TEST(RefinedGrid, FindsTheBoxesThatShareCells)
{
  const RefinedGrid grid = three_levels();
  EXPECT_THAT(grid.boxes_in(1, { { 0, 0, 0 }, { 40, 40, 40 } }), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(grid.boxes_in(1, { { 21, 20, 20 }, { 23, 21, 21 } }), testing::ElementsAre(0, 1));
  EXPECT_THAT(grid.boxes_in(1, { { 0, 0, 0 }, { 10, 40, 40 } }), testing::IsEmpty());
  EXPECT_THAT(grid.boxes_in(1, { { -5, -5, 35 }, { 60, 3, 90 } }), testing::ElementsAre(2));
}

TEST(RefinedGrid, CellsThatAreCoveredInPartStayLeaves)
{
  // The fine box begins and ends in the middle of coarse cells.
  const std::vector<RefinedLevel> levels = levels_of(
      4, { { 1, 1, 1 }, { 2, 2, 2 } }, { { { { 0, 0, 0 }, { 4, 4, 4 } } }, { { { 1, 2, 2 }, { 5, 6, 6 } } } });
  const RefinedGrid grid = *RefinedGrid::create(levels);
  EXPECT_GE(grid.brick_of(0, { 0, 1, 1 }), 0);
  EXPECT_EQ(grid.brick_of(0, { 1, 1, 1 }), -1);
  EXPECT_GE(grid.brick_of(0, { 2, 1, 1 }), 0);
  EXPECT_GE(grid.brick_of(1, { 1, 2, 2 }), 0);
}

std::string refusal(std::vector<RefinedLevel> levels)
{
  const Result<RefinedGrid> grid = RefinedGrid::create(std::move(levels));
  return grid ? "accepted" : grid.error().describe();
}

TEST(RefinedGrid, RefusesBoxesThatCannotBe)
{
  const Box all{ { 0, 0, 0 }, { 4, 4, 4 } };
  const std::vector<Int3> ratios{ { 1, 1, 1 }, { 2, 2, 2 } };
  EXPECT_THAT(refusal({}), testing::HasSubstr("no levels"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { {} })), testing::HasSubstr("no boxes on the coarsest"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { { all, { { 3, 3, 3 }, { 4, 4, 4 } } } })),
      testing::HasSubstr("box 1 of level 0 overlaps box 0"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { { all }, { { { 6, 6, 6 }, { 9, 8, 8 } } } })),
      testing::HasSubstr("box 0 of level 1 is empty or leaves the domain"));
  std::vector<RefinedLevel> uneven = levels_of(4, ratios, { { all }, { all } });
  uneven[1].grid.nodes[0] = 8;
  EXPECT_THAT(refusal(uneven), testing::HasSubstr("the grid of level 1 does not follow"));
}

} // namespace
} // namespace rivulet::test
