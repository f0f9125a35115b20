// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/GridGeometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet
{
namespace
{

Grid tilted_grid()
{
  Grid grid;
  grid.nodes = { 5, 6, 7 };
  grid.first = { 3, -2, 10 };
  grid.origin = { 1, 2, 3 };
  grid.spacing = { 0.5, -0.25, 2.0 };
  const double c = std::cos(0.4);
  const double s = std::sin(0.4);
  grid.direction = { c, -s, 0, s, c, 0, 0, 0, 1 };
  return grid;
}

Grid stretched_grid()
{
  Grid grid;
  grid.kind = Grid::Kind::Rectilinear;
  grid.nodes = { 4, 3, 3 };
  grid.axes = { { { 0, 1, 3, 7 }, { 5, 2, -1 }, { 0, 0.1, 0.2 } } };
  return grid;
}

void expect_round_trip(const Grid& grid)
{
  const GridGeometry space = *GridGeometry::create(grid);
  CellPosition at;
  at.cell = { 2, 1, 1 };
  at.fraction = { 0.25, 0.75, 0.5 };
  const std::optional<CellPosition> found = space.locate(space.world(at));
  ASSERT_TRUE(found.has_value());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    EXPECT_EQ(found->cell[axis], at.cell[axis]);
    EXPECT_NEAR(found->fraction[axis], at.fraction[axis], 1e-12);
  }
}

TEST(GridGeometry, WorldAndBackOnATiltedUniformGridWithNegativeSpacing)
{
  expect_round_trip(tilted_grid());
}

TEST(GridGeometry, WorldAndBackOnARectilinearGridWithAFallingAxis)
{
  expect_round_trip(stretched_grid());
}

TEST(GridGeometry, TheUpperBoundaryBelongsToTheLastCell)
{
  const GridGeometry space = *GridGeometry::create(stretched_grid());
  const std::optional<CellPosition> corner = space.locate({ 7, -1, 0.2 });
  ASSERT_TRUE(corner.has_value());
  EXPECT_EQ(corner->cell[0], 2);
  EXPECT_DOUBLE_EQ(corner->fraction[0], 1.0);
  EXPECT_EQ(corner->cell[1], 1);
  EXPECT_DOUBLE_EQ(corner->fraction[1], 1.0);
}

TEST(GridGeometry, AMillionthOfACellOutsideStillCounts)
{
  Grid grid;
  grid.nodes = { 3, 3, 3 };
  const GridGeometry space = *GridGeometry::create(grid);
  EXPECT_TRUE(space.locate({ -0.9e-6, 1, 2 + 0.9e-6 }).has_value());
  EXPECT_FALSE(space.locate({ -1.1e-6, 1, 1 }).has_value());
  EXPECT_FALSE(space.locate({ 1, 1, 2 + 1.1e-6 }).has_value());
}

TEST(GridGeometry, NotANumberAndInfinityAreOutside)
{
  const GridGeometry space = *GridGeometry::create(stretched_grid());
  EXPECT_FALSE(space.locate({ std::nan(""), 3, 0.1 }).has_value());
  EXPECT_FALSE(space.locate({ 1, INFINITY, 0.1 }).has_value());
}

TEST(GridGeometry, AFlatAxisHoldsOnlyItsOwnPlane)
{
  Grid grid;
  grid.nodes = { 4, 4, 1 };
  const GridGeometry space = *GridGeometry::create(grid);
  EXPECT_TRUE(space.locate({ 1.5, 1.5, 0 }).has_value());
  EXPECT_FALSE(space.locate({ 1.5, 1.5, 0.01 }).has_value());
  EXPECT_DOUBLE_EQ(space.cell_length({ 0, 0, 0 }), std::sqrt(2.0));
}

TEST(GridGeometry, MovingAcrossSeveralStretchedCells)
{
  const GridGeometry space = *GridGeometry::create(stretched_grid());
  const std::optional<CellPosition> start = space.locate({ 0.5, 3, 0.05 });
  ASSERT_TRUE(start.has_value());
  const CellPosition end = space.moved(*start, { 4.5, -2.5, 0.1 });
  const Vec3 world = space.world(end);
  EXPECT_NEAR(world[0], 5.0, 1e-12);
  EXPECT_NEAR(world[1], 0.5, 1e-12);
  EXPECT_NEAR(world[2], 0.15, 1e-12);
}

TEST(GridGeometry, MovingOutOfTheGridSaysHowFar)
{
  const GridGeometry space = *GridGeometry::create(stretched_grid());
  CellPosition end = space.moved(*space.locate({ 6, 3, 0.05 }), { 3, 0, 0 });
  EXPECT_EQ(end.cell[0], 3);
  EXPECT_DOUBLE_EQ(end.fraction[0], 0.5); // the last cell is 4 wide
  EXPECT_FALSE(space.clamp_to_grid(end));
}

TEST(GridGeometry, AFaceIsOnePositionInTwoCells)
{
  CellPosition below;
  below.cell = { 2, 1, 1 };
  below.fraction = { 1.0, 0.5, 0.25 };
  CellPosition above = below;
  above.cell[0] = 3;
  above.fraction[0] = 0.0;
  EXPECT_TRUE(same_position(below, above));
  EXPECT_TRUE(same_position(below, below));
  above.fraction[1] = 0.75;
  EXPECT_FALSE(same_position(below, above));
  above = below;
  above.cell[2] = 2;
  EXPECT_FALSE(same_position(below, above));
}

TEST(GridGeometry, AStepTooSmallToMoveItLeavesALocationAsItIs)
{
  const GridGeometry space = *GridGeometry::create(stretched_grid());
  CellPosition at;
  at.cell = { 2, 1, 1 };
  at.fraction = { 0.1, 0.7, 0.3 }; // which do not come back the same from world coordinates
  const CellPosition same = space.end_of_step(at, { 1e-18, 0.0, -1e-20 });
  EXPECT_EQ(same.cell, at.cell);
  EXPECT_EQ(same.fraction, at.fraction);
}

TEST(GridGeometry, RefusesGridsThatAreNone)
{
  Grid zero_spacing;
  zero_spacing.spacing[1] = 0;
  EXPECT_FALSE(GridGeometry::create(zero_spacing).has_value());
  Grid singular;
  singular.direction = { 1, 0, 0, 1, 0, 0, 0, 0, 1 };
  EXPECT_FALSE(GridGeometry::create(singular).has_value());
  Grid folded = stretched_grid();
  folded.axes[0] = { 0, 2, 1, 7 };
  EXPECT_FALSE(GridGeometry::create(folded).has_value());
}

} // namespace
} // namespace rivulet
