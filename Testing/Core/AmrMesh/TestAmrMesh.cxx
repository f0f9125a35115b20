// SPDX-License-Identifier: BSD-3-Clause
#include "Core/AmrMesh/AmrInMemory.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

/// Whether a level has a cell, by looking at every box.
bool has_cell(const AmrMesh& grid, int level, const Int3& cell)
{
  const std::vector<Box>& boxes = grid.level(level).boxes;
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return box.contains(cell); });
}

/// Whether the next finer level covers a cell; levels of these tests are nested and aligned.
bool is_covered(const AmrMesh& grid, int level, const Int3& cell)
{
  if (level + 1 == grid.levels())
  {
    return false;
  }
  const Int3& ratio = grid.level(level + 1).ratio;
  return has_cell(grid, level + 1, { cell[0] * ratio[0], cell[1] * ratio[1], cell[2] * ratio[2] });
}

void expect_leaves_in_bricks(const AmrMesh& grid)
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

TEST(AmrMesh, EveryLeafIsInOneBrickAndNothingElseIs)
{
  expect_leaves_in_bricks(three_levels());
  expect_leaves_in_bricks(flat_levels());
}

TEST(AmrMesh, FindsTheBoxesThatShareCells)
{
  const AmrMesh grid = three_levels();
  EXPECT_THAT(grid.boxes_in(1, { { 0, 0, 0 }, { 40, 40, 40 } }), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(grid.boxes_in(1, { { 21, 20, 20 }, { 23, 21, 21 } }), testing::ElementsAre(0, 1));
  EXPECT_THAT(grid.boxes_in(1, { { 0, 0, 0 }, { 10, 40, 40 } }), testing::IsEmpty());
  EXPECT_THAT(grid.boxes_in(1, { { -5, -5, 35 }, { 60, 3, 90 } }), testing::ElementsAre(2));
}

TEST(AmrMesh, CellsThatAreCoveredInPartStayLeaves)
{
  // The fine box begins and ends in the middle of coarse cells.
  const std::vector<AmrMeshLevel> levels = levels_of(
      4, { { 1, 1, 1 }, { 2, 2, 2 } }, { { { { 0, 0, 0 }, { 4, 4, 4 } } }, { { { 1, 2, 2 }, { 5, 6, 6 } } } });
  const AmrMesh grid = *AmrMesh::create(levels);
  EXPECT_GE(grid.brick_of(0, { 0, 1, 1 }), 0);
  EXPECT_EQ(grid.brick_of(0, { 1, 1, 1 }), -1);
  EXPECT_GE(grid.brick_of(0, { 2, 1, 1 }), 0);
  EXPECT_GE(grid.brick_of(1, { 1, 2, 2 }), 0);
}

std::string refusal(std::vector<AmrMeshLevel> levels)
{
  const Result<AmrMesh> grid = AmrMesh::create(std::move(levels));
  return grid ? "accepted" : grid.error().describe();
}

TEST(AmrMesh, RefusesBoxesThatCannotBe)
{
  const Box all{ { 0, 0, 0 }, { 4, 4, 4 } };
  const std::vector<Int3> ratios{ { 1, 1, 1 }, { 2, 2, 2 } };
  EXPECT_THAT(refusal({}), testing::HasSubstr("no levels"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { {} })), testing::HasSubstr("no boxes on the coarsest"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { { all, { { 3, 3, 3 }, { 4, 4, 4 } } } })),
      testing::HasSubstr("box 1 of level 0 overlaps box 0"));
  EXPECT_THAT(refusal(levels_of(4, ratios, { { all }, { { { 6, 6, 6 }, { 9, 8, 8 } } } })),
      testing::HasSubstr("box 0 of level 1 is empty or leaves the domain"));
  std::vector<AmrMeshLevel> uneven = levels_of(4, ratios, { { all }, { all } });
  uneven[1].grid.nodes[0] = 8;
  EXPECT_THAT(refusal(uneven), testing::HasSubstr("the grid of level 1 does not follow"));
}

/// One box of so many cells along each axis.
std::vector<AmrMeshLevel> one_box(std::int32_t cells)
{
  return levels_of(cells, { { 1, 1, 1 } }, { { { { 0, 0, 0 }, { cells, cells, cells } } } });
}

TEST(AmrMesh, TheNumberOfBricksIsBoundedWhateverTheBoxesSay)
{
  EXPECT_EQ(AmrMesh::create(one_box(100))->brick_cells(), AmrMesh::kBrickCells);
  const AmrMesh grid = *AmrMesh::create(one_box(10000)); // 1e12 cells
  EXPECT_EQ(grid.brick_cells(), 64);
  EXPECT_EQ(grid.bricks(), 157 * 157 * 157);
  for (const Int3& cell : { Int3{ 0, 0, 0 }, Int3{ 63, 64, 5000 }, Int3{ 9999, 9999, 9999 } })
  {
    const std::int64_t brick = grid.brick_of(0, cell);
    ASSERT_GE(brick, 0);
    EXPECT_TRUE(grid.brick(brick).cells.contains(cell));
    EXPECT_LE(grid.brick(brick).cells.count(), 64 * 64 * 64);
  }
  EXPECT_EQ(grid.brick_of(0, { 10000, 0, 0 }), -1);
  EXPECT_EQ(grid.brick_of(0, { 0, -1, 0 }), -1);
}

TEST(AmrMesh, LargeBricksHaveEveryLeafToo)
{
  // What makes bricks larger lies far away from what is looked at.
  constexpr std::int32_t far = 60000;
  std::vector<AmrMeshLevel> levels = levels_of(far, { { 1, 1, 1 }, { 2, 2, 2 } },
      { { { { 0, 0, 0 }, { 9, 20, 20 } }, { { 9, 0, 0 }, { 20, 20, 20 } },
            { { 1024, 1000, 1000 }, { 1056, far, far } } },
          { { { 10, 12, 8 }, { 22, 30, 35 } }, { { 22, 12, 8 }, { 36, 30, 34 } } } });
  const AmrMesh grid = *AmrMesh::create(levels);
  EXPECT_EQ(grid.brick_cells(), 32);
  for (int level = 0; level < 2; ++level)
  {
    const Int3 around{ 40, 40, 40 };
    for (std::int64_t i = 0; i < volume(around); ++i)
    {
      const Int3 cell = from_row_major(i, around);
      // The finer box ends in the middle of a coarse cell.
      const bool in_part = level == 0 && cell[2] == 17 && has_cell(grid, 1, { 2 * cell[0], 2 * cell[1], 34 });
      const bool leaf = has_cell(grid, level, cell) && (in_part || !is_covered(grid, level, cell));
      const std::int64_t brick = grid.brick_of(level, cell);
      ASSERT_EQ(brick >= 0, leaf) << level << ": " << cell[0] << " " << cell[1] << " " << cell[2];
      ASSERT_TRUE(brick < 0 || grid.brick(brick).cells.contains(cell));
    }
  }
}

TEST(AmrMesh, RefusesMoreCellsThanBricksCanHave)
{
  EXPECT_THAT(refusal(one_box(2000000)), testing::HasSubstr("more cells than can be cut"));
}

} // namespace
} // namespace rivulet::test
