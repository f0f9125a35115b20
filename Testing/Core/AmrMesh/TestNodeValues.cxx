// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/NodeValues.h"
#include "Core/AmrMesh/AmrInMemory.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace rivulet::test
{
namespace
{

std::vector<double> linear(const Vec3& x)
{
  return { 0.5 + 2.0 * x[0] - 3.0 * x[1] + 0.25 * x[2], x[0] + x[1] + x[2] };
}

std::vector<double> wavy(const Vec3& x)
{
  return { std::sin(7.0 * x[0]) * std::cos(5.0 * x[1]) + std::sin(9.0 * x[2] + x[0]) };
}

/// How far a place is from the domain's boundary, in cells of the coarsest level.
double inside(const AmrMesh& grid, const Vec3& place)
{
  const Grid& coarse = grid.level(0).grid;
  double least = HUGE_VAL;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double index = (place[axis] - coarse.origin[axis]) / coarse.spacing[axis] - coarse.first[axis];
    least = grid.flat(axis) ? least : std::min({ least, index, coarse.nodes[axis] - 1 - index });
  }
  return least;
}

/// Values of cells: at nodes that have as many cells on each side.
void expect_exact(const AmrMesh& grid, Centering centering)
{
  FunctionPatches patches(grid, centering, 2, linear);
  NodeValues values(grid, patches);
  const double least = centering == Centering::Cell ? 0.999 : 0.0;
  for (std::int64_t i = 0; i < grid.bricks(); ++i)
  {
    const LeafBrick& brick = grid.brick(i);
    const Box nodes = values.nodes_of(brick.cells);
    const Result<LevelValues> made = values.nodes(brick.level, nodes);
    ASSERT_TRUE(made);
    for (std::int64_t n = 0; n < nodes.count(); ++n)
    {
      Int3 at = from_row_major(n, nodes.size());
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += nodes.begin[axis];
      }
      const Vec3 place = position_of(grid.level(brick.level).grid, Centering::Node, at);
      if (inside(grid, place) >= least)
      {
        ASSERT_NEAR(made->at(at)[0], linear(place)[0], 1e-12) << "brick " << i << " of level " << brick.level;
        ASSERT_NEAR(made->at(at)[1], linear(place)[1], 1e-12);
      }
    }
  }
}

TEST(NodeValues, LinearDataIsExactAtEveryNodeWithinTheDomain)
{
  for (const Centering centering : { Centering::Cell, Centering::Node })
  {
    expect_exact(three_levels(), centering);
    expect_exact(flat_levels(), centering);
  }
}

TEST(NodeValues, OnTheBoundaryValuesAreThoseHalfACellInside)
{
  const AmrMesh grid = three_levels();
  FunctionPatches patches(grid, Centering::Cell, 2, linear);
  NodeValues values(grid, patches);
  const auto expect = [&](int level, const Int3& node, const Vec3& inwards)
  {
    const Grid& of = grid.level(level).grid;
    Vec3 place = position_of(of, Centering::Node, node);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      place[axis] += 0.5 * inwards[axis] * of.spacing[axis];
    }
    const LevelValues made = *values.nodes(level, { node, { node[0] + 1, node[1] + 1, node[2] + 1 } });
    EXPECT_NEAR(made.at(node)[0], linear(place)[0], 1e-12);
    EXPECT_NEAR(made.at(node)[1], linear(place)[1], 1e-12);
  };
  expect(0, { 0, 3, 4 }, { 1, 0, 0 });     // a face
  expect(0, { 20, 0, 4 }, { -1, 1, 0 });   // an edge
  expect(0, { 0, 20, 20 }, { 1, -1, -1 }); // a corner
  expect(1, { 40, 3, 35 }, { -1, 0, 0 });  // of a finer patch
  expect(1, { 40, 0, 40 }, { -1, 1, -1 });
}

/// What the field is in a cell of a level, a fraction of the way through it.
double value_in(NodeValues& values, int level, const Int3& cell, const Vec3& fraction)
{
  const Box nodes = values.nodes_of({ cell, { cell[0] + 1, cell[1] + 1, cell[2] + 1 } });
  const LevelValues made = *values.nodes(level, nodes);
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    double share = 1.0;
    Int3 at = cell;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const int upper = corner >> axis & 1;
      share *= upper != 0 ? fraction[axis] : 1.0 - fraction[axis];
      at[axis] += upper;
    }
    sum += share == 0.0 ? 0.0 : share * *made.at(at);
  }
  return sum;
}

/// Values on both sides of faces between leaves, of one level and of two; how many were of two.
int expect_continuous(const AmrMesh& grid, Centering centering, int axes, int most_tries)
{
  FunctionPatches patches(grid, centering, 1, wavy);
  NodeValues values(grid, patches);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  int between_levels = 0;
  for (int tries = 0; tries < most_tries && !testing::Test::HasFailure(); ++tries)
  {
    const int level = 1 + tries % 2;
    const Int3 cells = grid.level(level).grid.cells();
    Int3 cell;
    Vec3 fraction;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const bool flat = static_cast<int>(axis) >= axes;
      cell[axis] = static_cast<std::int32_t>(share(random) * cells[axis]);
      fraction[axis] = flat ? 0.0 : share(random);
    }
    // A face between this cell and its lower neighbour along an axis.
    const auto across = static_cast<std::size_t>(tries / 2 % axes);
    fraction[across] = 0.0;
    Int3 below = cell;
    --below[across];
    if (grid.brick_of(level, cell) < 0 || below[across] < 0)
    {
      continue;
    }
    Vec3 from_below = fraction;
    from_below[across] = 1.0;
    int other = level;
    while (other > 0 && grid.box_of(other, below) < 0)
    {
      const Int3& ratio = grid.level(other--).ratio;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        from_below[axis] = (below[axis] % ratio[axis] + from_below[axis]) / ratio[axis];
        below[axis] /= ratio[axis];
      }
    }
    if (grid.brick_of(other, below) < 0)
    {
      continue;
    }
    between_levels += other != level ? 1 : 0;
    EXPECT_NEAR(value_in(values, level, cell, fraction), value_in(values, other, below, from_below), 1e-12)
        << "level " << level << " and " << other << ", cell " << cell[0] << " " << cell[1] << " " << cell[2]
        << ", axis " << across;
  }
  return between_levels;
}

TEST(NodeValues, TheFieldIsContinuousAcrossBoxesAndLevels)
{
  for (const Centering centering : { Centering::Cell, Centering::Node })
  {
    EXPECT_GT(expect_continuous(three_levels(), centering, 3, 6000), 20);
    EXPECT_GT(expect_continuous(flat_levels(), centering, 2, 6000), 20);
  }
}

TEST(NodeValues, TheFieldIsContinuousWhateverTheBoxes)
{
  for (const Centering centering : { Centering::Cell, Centering::Node })
  {
    int between_levels = 0;
    for (unsigned int seed = 0; seed < 60; ++seed)
    {
      const int axes = 2 + static_cast<int>(seed % 2);
      between_levels += expect_continuous(random_levels(seed, axes), centering, axes, 400);
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(between_levels, 500);
  }
}

TEST(NodeValues, ANodeHasOneValueWhateverBoxItIsAskedForWith)
{
  const AmrMesh grid = three_levels();
  for (const Centering centering : { Centering::Cell, Centering::Node })
  {
    FunctionPatches patches(grid, centering, 1, wavy);
    NodeValues values(grid, patches);
    for (const std::int64_t number : { std::int64_t{ 3 }, grid.bricks() / 2, grid.bricks() - 1 })
    {
      const LeafBrick& brick = grid.brick(number);
      const Box nodes = values.nodes_of(brick.cells);
      const LevelValues all = *values.nodes(brick.level, nodes);
      for (std::int64_t n = 0; n < nodes.count(); n += 7)
      {
        Int3 at = from_row_major(n, nodes.size());
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          at[axis] += nodes.begin[axis];
        }
        const LevelValues one = *values.nodes(brick.level, { at, { at[0] + 1, at[1] + 1, at[2] + 1 } });
        ASSERT_EQ(*one.at(at), *all.at(at)) << "brick " << number;
      }
    }
  }
}

TEST(NodeValues, NodesAtAHoleInTheDomainTakeTheCellsThatAreThere)
{
  // An L of cells in the plane: the upper right quarter is missing.
  std::vector<AmrMeshLevel> levels =
      levels_of(4, { { 1, 1, 1 } }, { { { { 0, 0, 0 }, { 4, 2, 1 } }, { { 0, 2, 0 }, { 2, 4, 1 } } } });
  levels[0].grid.nodes[2] = 1;
  const AmrMesh grid = *AmrMesh::create(levels);
  FunctionPatches patches(grid, Centering::Cell, 1, [](const Vec3&) { return std::vector<double>{ 4.0 }; });
  NodeValues values(grid, patches);
  const LevelValues made = *values.nodes(0, { { 2, 2, 0 }, { 4, 4, 1 } });
  EXPECT_EQ(*made.at({ 2, 2, 0 }), 4.0);
  EXPECT_EQ(*made.at({ 2, 3, 0 }), 4.0);
  EXPECT_EQ(*made.at({ 3, 2, 0 }), 4.0);
  EXPECT_FALSE(made.known({ 3, 3, 0 }));
}

TEST(NodeValues, ABoxThatCannotBeReadIsAnError)
{
  const AmrMesh grid = three_levels();
  FunctionPatches patches(grid, Centering::Cell, 1, wavy);
  patches.break_box(2, 0);
  NodeValues values(grid, patches);
  // The coarser level's cells around the fine box need it, too.
  const Result<LevelValues> made = values.nodes(1, { { 10, 12, 8 }, { 23, 31, 25 } });
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().describe(), testing::HasSubstr("broken"));
}

} // namespace
} // namespace rivulet::test
