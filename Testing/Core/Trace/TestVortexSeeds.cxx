// SPDX-License-Identifier: BSD-3-Clause
// Vorticity against closed forms on every kind of grid, the choice of cells, and what must not change it.
#include "FlowInMemory.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "Trace/VortexSeeds.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <set>

namespace rivulet::test
{
namespace
{

constexpr double kOmega = 1.5;
constexpr VortexSeedOptions kAll{ .minimum = 0.0, .maximum = 0.0, .count = 1 << 20 };

VortexSeeds find(const TraceField& field, const VortexSeedOptions& options = kAll, int threads = 1)
{
  Result<VortexSeeds> found = find_vortex_seeds(field, options, { threads, {} });
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().describe());
  return found ? std::move(*found) : VortexSeeds{};
}

void expect_vorticity(const VortexSeeds& found, std::int64_t cells, double expected, double tolerance)
{
  EXPECT_EQ(found.cells_in_range, cells);
  ASSERT_EQ(std::ssize(found.seeds), cells);
  for (const VortexSeed& seed : found.seeds)
  {
    ASSERT_NEAR(seed.vorticity, expected, tolerance) << "cell " << seed.cell;
  }
}

std::vector<std::int64_t> cells_of(const VortexSeeds& found)
{
  std::vector<std::int64_t> cells;
  for (const VortexSeed& seed : found.seeds)
  {
    cells.push_back(seed.cell);
  }
  return cells;
}

/// Node positions that are not evenly spaced, on [-1, 1].
std::vector<double> stretched(int n)
{
  std::vector<double> nodes;
  for (int i = 0; i < n; ++i)
  {
    const double t = -1.0 + 2.0 * i / (n - 1);
    nodes.push_back(t * (0.6 + 0.4 * t * t));
  }
  return nodes;
}

Grid rectilinear_grid()
{
  Grid grid;
  grid.kind = Grid::Kind::Rectilinear;
  grid.nodes = { 9, 11, 6 };
  grid.axes = { stretched(9), stretched(11), stretched(6) };
  return grid;
}

/// A grid whose axes are turned, mirrored and unevenly spaced.
Grid turned_grid()
{
  Grid grid = cube_grid(9, 1.0);
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  grid.direction = { c, -s, 0, s, c, 0, 0, 0, 1 };
  grid.spacing = { 0.25, -0.1, 0.3 };
  grid.first = { -4, 2, 7 };
  return grid;
}

/// Velocity that grows with the square of the distance from the axis: |curl| = 3 r.
Vec3 spinning_faster_outside(const Vec3& x)
{
  const double r = std::hypot(x[0], x[1]);
  return { -r * x[1], r * x[0], 0.0 };
}

/// Bricks of an analytic field as a field to search.
struct BrickedFlow
{
  explicit BrickedFlow(const Int3& brick_cells, Centering centering = Centering::Node)
    : grid(uniform_grid({ 40, 33, 25 }, { { -1, -1, -1 }, { 1, 1, 1 } }))
    , source(analytic_field("taylor-green"), grid, { .brick_cells = brick_cells, .centering = centering })
  {
    field.velocity = { &source, 0, 0 };
    field.grid = grid;
  }
  Grid grid;
  AnalyticBricks source;
  TraceField field;
};

void expect_same(const VortexSeeds& a, const VortexSeeds& b)
{
  EXPECT_EQ(a.cells_in_range, b.cells_in_range);
  ASSERT_EQ(cells_of(a), cells_of(b));
  for (std::size_t i = 0; i < a.seeds.size(); ++i)
  {
    ASSERT_EQ(a.seeds[i].vorticity, b.seeds[i].vorticity);
    ASSERT_EQ(a.seeds[i].position, b.seeds[i].position);
  }
}

TEST(VortexSeeds, SolidRotationHasTwiceItsAngularVelocityEverywhere)
{
  FlowInMemory flow(cube_grid(9, 1.0), rotation(kOmega));
  expect_vorticity(find(flow.field()), 512, 2 * kOmega, 1e-13);
}

TEST(VortexSeeds, SolidRotationFromCellValues)
{
  FlowInMemory flow(cube_grid(9, 1.0), rotation(kOmega), Centering::Cell);
  expect_vorticity(find(flow.field()), 512, 2 * kOmega, 1e-13);
}

TEST(VortexSeeds, DirectionAndNegativeSpacingAreTakenIntoAccount)
{
  FlowInMemory nodes(turned_grid(), rotation(kOmega));
  expect_vorticity(find(nodes.field()), 512, 2 * kOmega, 1e-12);
  FlowInMemory cells(turned_grid(), rotation(kOmega), Centering::Cell);
  expect_vorticity(find(cells.field()), 512, 2 * kOmega, 1e-12);
}

TEST(VortexSeeds, RectilinearSpacingIsTakenIntoAccount)
{
  FlowInMemory nodes(rectilinear_grid(), rotation(kOmega));
  expect_vorticity(find(nodes.field()), 8 * 10 * 5, 2 * kOmega, 1e-12);
  FlowInMemory cells(rectilinear_grid(), rotation(kOmega), Centering::Cell);
  expect_vorticity(find(cells.field()), 8 * 10 * 5, 2 * kOmega, 1e-12);
}

TEST(VortexSeeds, FlatGridsSpinInTheirPlane)
{
  Grid grid = cube_grid(9, 1.0);
  grid.nodes[2] = 1;
  grid.origin[2] = 0.25;
  FlowInMemory flow(grid, rotation(kOmega));
  const VortexSeeds found = find(flow.field());
  expect_vorticity(found, 64, 2 * kOmega, 1e-13);
  EXPECT_EQ(found.seeds[0].position[2], 0.25);
}

TEST(VortexSeeds, UniformFlowDoesNotSpin)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 2, 3 }));
  EXPECT_TRUE(find(flow.field(), { .minimum = 1e-9, .count = 100 }).seeds.empty());
}

TEST(VortexSeeds, SeedsLieAtCentresOfCellsInTheRange)
{
  FlowInMemory flow(cube_grid(41, 1.0), spinning_faster_outside);
  const VortexSeeds found = find(flow.field(), { .minimum = 1.0, .maximum = 2.0, .count = 1 << 20 });
  ASSERT_GT(found.seeds.size(), 1000U);
  for (const VortexSeed& seed : found.seeds)
  {
    ASSERT_GE(seed.vorticity, 1.0);
    ASSERT_LE(seed.vorticity, 2.0);
    const double r = std::hypot(seed.position[0], seed.position[1]);
    ASSERT_NEAR(3.0 * r, seed.vorticity, 0.08);
  }
}

TEST(VortexSeeds, ThinningKeepsTheNumberAskedForAndCountsTheRest)
{
  FlowInMemory flow(cube_grid(9, 1.0), rotation(kOmega));
  const VortexSeeds found = find(flow.field(), { .count = 37 });
  EXPECT_EQ(found.seeds.size(), 37U);
  EXPECT_EQ(found.cells_in_range, 512);
  const std::vector<std::int64_t> cells = cells_of(found);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
}

TEST(VortexSeeds, ThinningIsASubsetAndSpreadsOverTheGrid)
{
  FlowInMemory flow(cube_grid(33, 1.0), rotation(kOmega));
  const std::vector<std::int64_t> few = cells_of(find(flow.field(), { .count = 1000 }));
  const std::vector<std::int64_t> more = cells_of(find(flow.field(), { .count = 2000 }));
  EXPECT_TRUE(std::includes(more.begin(), more.end(), few.begin(), few.end()));
  std::array<int, 8> octants{};
  for (const std::int64_t cell : few)
  {
    const Int3 at = from_row_major(cell, { 32, 32, 32 });
    ++octants[static_cast<std::size_t>(at[0] / 16 + 2 * (at[1] / 16) + 4 * (at[2] / 16))];
  }
  EXPECT_THAT(octants, testing::Each(testing::AllOf(testing::Gt(80), testing::Lt(170)))); // 125 each, 4.3 sigma
}

TEST(VortexSeeds, AnotherRandomSeedChoosesOtherCells)
{
  FlowInMemory flow(cube_grid(17, 1.0), rotation(kOmega));
  const VortexSeeds one = find(flow.field(), { .count = 50, .random_seed = 1 });
  const VortexSeeds two = find(flow.field(), { .count = 50, .random_seed = 2 });
  EXPECT_NE(cells_of(one), cells_of(two));
}

TEST(VortexSeeds, HiddenCellsGiveNoSeeds)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(kOmega));
  std::vector<std::uint8_t> ghosts(64, 0);
  ghosts[5] = 32;
  flow.field().cell_ghosts = ghosts.data();
  const std::vector<std::int64_t> cells = cells_of(find(flow.field()));
  EXPECT_EQ(cells.size(), 63U);
  EXPECT_THAT(cells, testing::Not(testing::Contains(5)));
}

TEST(VortexSeeds, CellsThatTouchANotANumberGiveNoSeeds)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(kOmega));
  flow.values()[0] = std::nan("");
  EXPECT_EQ(cells_of(find(flow.field())).size(), 63U);
}

TEST(VortexSeeds, BricksAndThreadsChangeNothing)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    BrickedFlow whole({ 64, 64, 64 }, centering);
    const VortexSeedOptions options{ .minimum = 0.5, .maximum = 3.0, .count = 500 };
    const VortexSeeds expected = find(whole.field, options);
    ASSERT_EQ(expected.seeds.size(), 500U);
    for (const Int3& cells : { Int3{ 9, 9, 9 }, Int3{ 7, 64, 3 }, Int3{ 33, 5, 8 } })
    {
      BrickedFlow bricked(cells, centering);
      expect_same(find(bricked.field, options, 1), expected);
      expect_same(find(bricked.field, options, 3), expected);
    }
  }
}

TEST(VortexSeeds, PartsJoinToTheWhole)
{
  BrickedFlow flow({ 4, 4, 4 });
  const VortexSeeds expected = find(flow.field, { .minimum = 0.5, .count = 300 });
  std::vector<VortexSeed> joined;
  std::int64_t cells = 0;
  for (std::int32_t part = 0; part < 3; ++part)
  {
    const VortexSeeds found = find(flow.field, { .minimum = 0.5, .count = 300, .part = part, .parts = 3 });
    joined.insert(joined.end(), found.seeds.begin(), found.seeds.end());
    cells += found.cells_in_range;
  }
  EXPECT_EQ(cells, expected.cells_in_range);
  VortexSeeds thinned;
  thinned.seeds = thin(joined, 300);
  EXPECT_EQ(cells_of(thinned), cells_of(expected));
}

TEST(VortexSeeds, EachBrickIsPinnedAloneAndReadOnce)
{
  BrickedFlow flow({ 8, 8, 8 });
  (void)find(flow.field, kAll, 1);
  EXPECT_EQ(flow.source.most_pinned(), 1);
  EXPECT_EQ(flow.source.statistics().bricks_read, flow.source.bricks(0).size());
}

TEST(VortexSeeds, BricksThatCannotSpinFastEnoughAreNotRead)
{
  BrickedFlow flow({ 8, 8, 8 });
  std::vector<std::array<float, 2>> speeds(static_cast<std::size_t>(flow.source.bricks(0).size()), { 0.0F, 1e-6F });
  speeds[3] = { 0.0F, 1.0F };
  const VortexSeeds found = find(flow.field, { .minimum = 0.5, .count = 100, .speed_ranges = speeds });
  EXPECT_EQ(flow.source.statistics().bricks_read, 1);
  EXPECT_GT(found.cells_culled, 0);
}

TEST(VortexSeeds, CullingLosesNothing)
{
  BrickedFlow flow({ 8, 8, 8 });
  const VortexSeedOptions options{ .minimum = 2.0, .count = 1 << 20 };
  VortexSeedOptions culling = options;
  const VortexSeeds expected = find(flow.field, options);
  // The largest speed of a Taylor-Green flow is 1.
  const std::vector<std::array<float, 2>> speeds(static_cast<std::size_t>(flow.source.bricks(0).size()), { 0, 1 });
  culling.speed_ranges = speeds;
  expect_same(find(flow.field, culling), expected);
}

TEST(VortexSeeds, BricksThatComeLateChangeNothing)
{
  BrickedFlow flow({ 9, 9, 9 });
  const VortexSeeds expected = find(flow.field, { .minimum = 0.5, .count = 200 });
  FaultyBricks slow(flow.source, { .answer = FaultyBricks::Answer::LaterInRandomOrder, .hits = 1 });
  flow.field.velocity.source = &slow;
  expect_same(find(flow.field, { .minimum = 0.5, .count = 200 }, 3), expected);
}

TEST(VortexSeeds, ABrickThatCannotBeReadGivesNoSeedsAndOneError)
{
  BrickedFlow flow({ 9, 9, 9 });
  const std::int64_t all = find(flow.field).cells_in_range;
  FaultyBricks faulty(flow.source, {});
  faulty.fail({ 0, 0, 0 });
  flow.field.velocity.source = &faulty;
  const VortexSeeds found = find(flow.field);
  EXPECT_EQ(found.cells_in_range, all - 729);
  EXPECT_TRUE(found.data_error);
}

TEST(VortexSeeds, StopsOnRequest)
{
  BrickedFlow flow({ 4, 4, 4 });
  FaultyBricks held_back(flow.source, { .answer = FaultyBricks::Answer::OnCommand });
  flow.field.velocity.source = &held_back;
  const auto stop = [&](double)
  {
    while (!held_back.waiting().empty())
    {
      held_back.deliver(0);
    }
    return false;
  };
  const Result<VortexSeeds> found = find_vortex_seeds(flow.field, kAll, { 1, stop });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->cancelled);
  EXPECT_LT(found->cells_in_range, volume(flow.grid.cells()));
}

TEST(VortexSeeds, BadArgumentsAreNamed)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(kOmega));
  for (const VortexSeedOptions& options : { VortexSeedOptions{ .count = 0 }, VortexSeedOptions{ .minimum = -1 },
           VortexSeedOptions{ .minimum = 2, .maximum = 1 } })
  {
    const Result<VortexSeeds> found = find_vortex_seeds(flow.field(), options, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::BadArgument);
  }
}

} // namespace
} // namespace rivulet::test
