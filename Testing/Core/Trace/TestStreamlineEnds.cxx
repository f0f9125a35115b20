// SPDX-License-Identifier: BSD-3-Clause
// Why lines end.
#include "Core/Trace/FlowInMemory.h"

#include <cmath>

namespace rivulet::test
{
namespace
{

Termination forward_end(FlowInMemory& flow, const Vec3& seed, const StreamlineOptions& options)
{
  return flow.trace({ seed }, options).seeds[0].reason[0];
}

TEST(StreamlineEnds, LeavingTheGridEndsALineInsideIt)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 0, 0 }));
  const TracedLines lines = flow.trace({ { 0, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.3, 10.0));
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_FLOAT_EQ(static_cast<float>(end_of(lines, 0)[0]), 0.9F);
}

TEST(StreamlineEnds, ALineMayEndExactlyOnTheBoundary)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 0, 0 }));
  const TracedLines lines = flow.trace({ { 0, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.25, 10.0));
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_FLOAT_EQ(static_cast<float>(end_of(lines, 0)[0]), 1.0F);
}

TEST(StreamlineEnds, LengthIsReachedExactly)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 0, 0 }));
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    const TracedLines lines = flow.trace({ { -0.9, 0, 0 } }, fixed_steps(integrator, 0.07, 1.0));
    EXPECT_EQ(lines.lines[0].reason, Termination::OutOfLength);
    EXPECT_FLOAT_EQ(static_cast<float>(end_of(lines, 0)[0]), 0.1F);
  }
}

TEST(StreamlineEnds, StepsAreCounted)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 100.0);
  options.maximum_steps = 20;
  const TracedLines lines = flow.trace({ { 0.5, 0, 0 } }, options);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfSteps);
  EXPECT_EQ(lines.lines[0].points, 22); // the seed, and one step more than the maximum, as vtkStreamTracer
  EXPECT_EQ(lines.statistics.integration_steps, 21);
}

TEST(StreamlineEnds, TimeIsReachedExactly)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 4, 0, 0 }));
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.07, 100.0);
  options.maximum_time = 0.25;
  options.direction = TraceDirection::Both;
  const TracedLines lines = flow.trace({ { 0, 0, 0 } }, options);
  for (std::size_t way = 0; way < 2; ++way)
  {
    EXPECT_EQ(lines.seeds[0].reason[way], Termination::OutOfTime);
    EXPECT_NEAR(std::fabs(lines.seeds[0].time[way]), 0.25, 1e-15);
    EXPECT_NEAR(lines.seeds[0].length[way], 1.0, 1e-14);
  }
}

TEST(StreamlineEnds, StagnationAtTheSeedLeavesNoLine)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  const TracedLines lines = flow.trace({ { 0, 0, 0.5 } }, fixed_steps(Integrator::RungeKutta4, 0.1, 1.0));
  EXPECT_TRUE(lines.lines.empty());
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::Stagnation);
}

TEST(StreamlineEnds, TerminalSpeedStopsASlowingFlow)
{
  FlowInMemory flow(cube_grid(41, 1.0), [](const Vec3& x) { return Vec3{ 1.0 - x[0], 0, 0 }; });
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 100.0);
  options.terminal_speed = 0.25;
  const TracedLines lines = flow.trace({ { 0, 0, 0 } }, options);
  EXPECT_EQ(lines.lines[0].reason, Termination::Stagnation);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.75, 0.011);
}

// The sample half a step on is that of resting fluid: the step leads back to where it began.
TEST(StreamlineEnds, ALineThatStandsStillHasStagnated)
{
  Grid uneven = cube_grid(5, 1.0);
  uneven.kind = Grid::Kind::Rectilinear;
  uneven.axes = { { { -1, -0.7, -0.1, 0.2, 1 }, { -1, -0.7, -0.1, 0.2, 1 }, { -1, -0.7, -0.1, 0.2, 1 } } };
  for (const Grid& grid : { cube_grid(5, 1.0), uneven })
  {
    FlowInMemory flow(grid, [](const Vec3& x) { return Vec3{ x[0] > -0.2 ? 0.0 : 1.0, 0, 0 }; });
    const double wall = grid.kind == Grid::Kind::Uniform ? 0.0 : -0.1;
    // Enough lines for the lanes, and one alone.
    for (const std::size_t count : { std::size_t{ 9 }, std::size_t{ 1 } })
    {
      const std::vector<Vec3> seeds(count, Vec3{ wall - 0.45, 0.33, 0.47 });
      const TracedLines lines = flow.trace(seeds, fixed_steps(Integrator::RungeKutta2, 0.2, 10));
      for (std::size_t i = 0; i < count; ++i)
      {
        EXPECT_EQ(lines.seeds[i].reason[0], Termination::Stagnation);
        EXPECT_LE(end_of(lines, i)[0], wall);
        EXPECT_LT(lines.lines[i].points, 20);
      }
    }
  }
}

TEST(StreamlineEnds, SeedsOutsideAreCountedAndNotDroppedInSilence)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  const TracedLines lines =
      flow.trace({ { 5, 0, 0 }, { 0.5, 0, 0 }, { NAN, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.1, 1.0));
  EXPECT_EQ(lines.statistics.seeds_outside, 2);
  ASSERT_EQ(lines.seeds.size(), 3U);
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::SeedOutside);
  EXPECT_EQ(lines.seeds[0].reason[1], Termination::None);
  EXPECT_EQ(lines.seeds[2].reason[0], Termination::SeedOutside);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].seed, 1);
}

TEST(StreamlineEnds, NoSeedsGiveNoLines)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  const TracedLines lines = flow.trace({}, fixed_steps(Integrator::RungeKutta4, 0.1, 1.0), 2);
  EXPECT_TRUE(lines.lines.empty());
  EXPECT_TRUE(lines.seeds.empty());
}

TEST(StreamlineEnds, AVelocityThatIsNotFiniteEndsALine)
{
  FlowInMemory flow(cube_grid(5, 1.0), [](const Vec3& x) { return Vec3{ 1.0, x[0] > 0.6 ? NAN : 0.0, 0 }; });
  EXPECT_EQ(
      forward_end(flow, { -0.9, 0, 0 }, fixed_steps(Integrator::RungeKutta4, 0.1, 10)), Termination::UnexpectedValue);
}

TEST(StreamlineEnds, HiddenCellsAreOutside)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 0, 0 }));
  std::vector<std::uint8_t> cells(64, 0);
  for (std::size_t i = 3; i < 64; i += 4)
  {
    cells[i] = 32;
  }
  flow.field().cell_ghosts = cells.data();
  const TracedLines lines =
      flow.trace({ { -0.9, 0, 0 }, { 0.8, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.1, 10));
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfDomain);
  EXPECT_LE(end_of(lines, 0)[0], 0.5);
  EXPECT_EQ(lines.seeds[1].reason[0], Termination::SeedOutside);
}

TEST(StreamlineEnds, CellsThatUseAHiddenPointAreOutsideButDuplicatesAreNot)
{
  FlowInMemory flow(cube_grid(5, 1.0), uniform_flow({ 1, 0, 0 }));
  std::vector<std::uint8_t> points(125, 1); // duplicates everywhere
  points[static_cast<std::size_t>(row_major({ 3, 2, 2 }, { 5, 5, 5 }))] = 2;
  flow.field().point_ghosts = points.data();
  const TracedLines lines = flow.trace({ { -0.9, 0.1, 0.1 } }, fixed_steps(Integrator::RungeKutta4, 0.1, 10));
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfDomain);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.0, 1e-6);
}

TEST(StreamlineEnds, AStoppedRunKeepsWhatItHas)
{
  FlowInMemory flow(cube_grid(9, 1.0), rotation(1.0));
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 1e-7, 1e9);
  options.maximum_steps = std::int64_t{ 1 } << 40;
  const std::vector<Vec3> seeds(8, Vec3{ 0.5, 0, 0 });
  Result<TracedLines> lines = trace_streamlines(flow.field(), seeds, options,
      { 2, [](double)
          {
            return false;
          } });
  ASSERT_TRUE(lines.has_value());
  EXPECT_TRUE(lines->cancelled);
  for (const SeedFate& fate : lines->seeds)
  {
    EXPECT_EQ(fate.reason[0], Termination::Cancelled);
  }
}

TEST(StreamlineEnds, BadArgumentsAreRefusedByName)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  StreamlineOptions options;
  options.initial_step = 0;
  EXPECT_FALSE(trace_streamlines(flow.field(), {}, options, {}).has_value());
  options = {};
  options.maximum_length = NAN;
  EXPECT_FALSE(trace_streamlines(flow.field(), {}, options, {}).has_value());
  flow.field().grid.nodes = { 9, 9, 9 };
  const Result<TracedLines> outside = trace_streamlines(flow.field(), {}, {}, {});
  ASSERT_FALSE(outside.has_value());
  EXPECT_NE(outside.error().what.find("velocity"), std::string::npos);
}

} // namespace
} // namespace rivulet::test
