// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Space.h"

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
  const Space space = *Space::create(grid);
  Location at;
  at.cell = { 2, 1, 1, 0 };
  at.fraction = { 0.25, 0.75, 0.5, 0 };
  const std::optional<Location> found = space.locate(space.world(at));
  ASSERT_TRUE(found.has_value());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    EXPECT_EQ(found->cell[axis], at.cell[axis]);
    EXPECT_NEAR(found->fraction[axis], at.fraction[axis], 1e-12);
  }
}

TEST(Space, WorldAndBackOnATiltedUniformGridWithNegativeSpacing)
{
  expect_round_trip(tilted_grid());
}

TEST(Space, WorldAndBackOnARectilinearGridWithAFallingAxis)
{
  expect_round_trip(stretched_grid());
}

TEST(Space, TheUpperBoundaryBelongsToTheLastCell)
{
  const Space space = *Space::create(stretched_grid());
  const std::optional<Location> corner = space.locate({ 7, -1, 0.2 });
  ASSERT_TRUE(corner.has_value());
  EXPECT_EQ(corner->cell[0], 2);
  EXPECT_DOUBLE_EQ(corner->fraction[0], 1.0);
  EXPECT_EQ(corner->cell[1], 1);
  EXPECT_DOUBLE_EQ(corner->fraction[1], 1.0);
}

TEST(Space, AMillionthOfACellOutsideStillCounts)
{
  Grid grid;
  grid.nodes = { 3, 3, 3 };
  const Space space = *Space::create(grid);
  EXPECT_TRUE(space.locate({ -0.9e-6, 1, 2 + 0.9e-6 }).has_value());
  EXPECT_FALSE(space.locate({ -1.1e-6, 1, 1 }).has_value());
  EXPECT_FALSE(space.locate({ 1, 1, 2 + 1.1e-6 }).has_value());
}

TEST(Space, NotANumberAndInfinityAreOutside)
{
  const Space space = *Space::create(stretched_grid());
  EXPECT_FALSE(space.locate({ std::nan(""), 3, 0.1 }).has_value());
  EXPECT_FALSE(space.locate({ 1, INFINITY, 0.1 }).has_value());
}

TEST(Space, AFlatAxisHoldsOnlyItsOwnPlane)
{
  Grid grid;
  grid.nodes = { 4, 4, 1 };
  const Space space = *Space::create(grid);
  EXPECT_TRUE(space.locate({ 1.5, 1.5, 0 }).has_value());
  EXPECT_FALSE(space.locate({ 1.5, 1.5, 0.01 }).has_value());
  EXPECT_DOUBLE_EQ(space.cell_length({ 0, 0, 0, 0 }), std::sqrt(2.0));
}

TEST(Space, MovingAcrossSeveralStretchedCells)
{
  const Space space = *Space::create(stretched_grid());
  const std::optional<Location> start = space.locate({ 0.5, 3, 0.05 });
  ASSERT_TRUE(start.has_value());
  const Location end = space.moved(*start, { 4.5, -2.5, 0.1, 0 });
  const Vec3 world = space.world(end);
  EXPECT_NEAR(world[0], 5.0, 1e-12);
  EXPECT_NEAR(world[1], 0.5, 1e-12);
  EXPECT_NEAR(world[2], 0.15, 1e-12);
}

TEST(Space, MovingOutOfTheGridSaysHowFar)
{
  const Space space = *Space::create(stretched_grid());
  Location end = space.moved(*space.locate({ 6, 3, 0.05 }), { 3, 0, 0, 0 });
  EXPECT_EQ(end.cell[0], 3);
  EXPECT_DOUBLE_EQ(end.fraction[0], 0.5); // the last cell is 4 wide
  EXPECT_FALSE(space.clamp_to_grid(end));
}

TEST(Space, AFaceIsOnePositionInTwoCells)
{
  Location below;
  below.cell = { 2, 1, 1, 0 };
  below.fraction = { 1.0, 0.5, 0.25, 0 };
  Location above = below;
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

TEST(Space, AStepTooSmallToMoveItLeavesALocationAsItIs)
{
  const Space space = *Space::create(stretched_grid());
  Location at;
  at.cell = { 2, 1, 1, 0 };
  at.fraction = { 0.1, 0.7, 0.3, 0 }; // which do not come back the same from world coordinates
  const Location same = space.end_of_step(at, { 1e-18, 0.0, -1e-20, 0 });
  EXPECT_EQ(same.cell, at.cell);
  EXPECT_EQ(same.fraction, at.fraction);
}

TEST(Space, RefusesGridsThatAreNone)
{
  Grid zero_spacing;
  zero_spacing.spacing[1] = 0;
  EXPECT_FALSE(Space::create(zero_spacing).has_value());
  Grid singular;
  singular.direction = { 1, 0, 0, 1, 0, 0, 0, 0, 1 };
  EXPECT_FALSE(Space::create(singular).has_value());
  Grid folded = stretched_grid();
  folded.axes[0] = { 0, 2, 1, 7 };
  EXPECT_FALSE(Space::create(folded).has_value());
}

} // namespace
} // namespace rivulet
