// SPDX-License-Identifier: BSD-3-Clause
// Lines that end exactly where they leave the domain.
#include "Core/Trace/FlowInMemory.h"
#include "Core/Trace/MarchInSteps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rivulet::test
{
namespace
{

constexpr std::array kIntegrators{ Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 };

/// The grid of cube_grid() as a rectilinear one, whose cells have other sizes.
Grid uneven_cube(int n, double half)
{
  Grid grid = cube_grid(n, half);
  grid.kind = Grid::Kind::Rectilinear;
  for (std::vector<double>& axis : grid.axes)
  {
    for (int i = 0; i < n; ++i)
    {
      const double share = static_cast<double>(i) / (n - 1);
      axis.push_back(half * (2.0 * share - 1.0 + 0.1 * std::sin(2.0 * std::numbers::pi * share)));
    }
  }
  return grid;
}

PathlineOptions steps_in_time(Integrator integrator)
{
  PathlineOptions options;
  options.integrator = integrator;
  options.compute_vorticity = false;
  return options;
}

/// Time of the last point of a line.
double last_time(const TracedLines& lines, std::size_t line)
{
  return lines.time[static_cast<std::size_t>(lines.lines[line].first_point + lines.lines[line].points - 1)];
}

TEST(ExactEnds, OfUniformFlowAreOnTheBorderInTime)
{
  for (const Grid& grid : { cube_grid(9, 2.0), uneven_cube(9, 2.0) })
  {
    for (const Integrator integrator : kIntegrators)
    {
      FlowInTime flow(grid, { 0.0, 3.0, 9.0 }, [](const Vec3&, double t) { return Vec3{ 1.0 + t, -0.25, 0.0 }; });
      const TracedLines lines =
          flow.trace({ { { -1.3, 1.1, 0.1 }, 0.0 }, { { 1.9, 0, 0 }, 4.0 } }, steps_in_time(integrator));
      ASSERT_EQ(lines.lines.size(), 2U);
      EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
      EXPECT_EQ(end_of(lines, 0)[0], 2.0);
      // x grows by t + t^2 / 2.
      EXPECT_NEAR(last_time(lines, 0), std::sqrt(1.0 + 2.0 * 3.3) - 1.0, 1e-7);
      EXPECT_NEAR(end_of(lines, 0)[1], 1.1 - 0.25 * last_time(lines, 0), 1e-6);
      EXPECT_EQ(end_of(lines, 1)[0], 2.0); // although its first step leaves the grid
      EXPECT_NEAR(last_time(lines, 1), std::sqrt(25.0 + 0.2) - 1.0, 1e-7);
    }
  }
}

TEST(ExactEnds, OfACircleAreWhereItMeetsTheBorder)
{
  for (const Grid& grid : { cube_grid(17, 1.0), uneven_cube(17, 1.0) })
  {
    for (const double sign : { 1.0, -1.0 })
    {
      FlowInTime flow(grid, { 0.0, 4.0, 8.0 },
          [](const Vec3& x, double) {
            return Vec3{ -(x[1] + 0.7), x[0] + 0.4, 0.1 };
          },
          { 4, 4, 4 });
      PathlineOptions options = steps_in_time(Integrator::RungeKutta45);
      options.maximum_error = 1e-8;
      options.direction = sign > 0.0 ? TraceDirection::Forward : TraceDirection::Backward;
      std::vector<PathSeed> seeds;
      for (int i = 0; i < 40; ++i)
      {
        seeds.push_back({ { -0.9 + 0.045 * i, 0.3 - 0.01 * i, -0.4 }, 4.0 });
      }
      const TracedLines lines = flow.trace(seeds, options);
      std::size_t left = 0;
      for (std::size_t i = 0; i < lines.lines.size(); ++i)
      {
        const std::size_t seed = static_cast<std::size_t>(lines.lines[i].seed);
        const Vec3& from = seeds[seed].point;
        const Vec3 end = end_of(lines, i);
        if (lines.lines[i].reason != Termination::OutOfDomain)
        {
          continue;
        }
        ++left;
        EXPECT_NEAR(std::max(std::fabs(end[0]), std::fabs(end[1])), 1.0, 1e-7) << seed;
        const double turned = sign > 0.0 ? lines.seeds[seed].time[0] - 4.0 : lines.seeds[seed].time[1] - 4.0;
        const Vec3 about{ from[0] + 0.4, from[1] + 0.7, 0.0 };
        EXPECT_NEAR(end[0], about[0] * std::cos(turned) - about[1] * std::sin(turned) - 0.4, 1e-6) << seed;
        EXPECT_NEAR(end[1], about[0] * std::sin(turned) + about[1] * std::cos(turned) - 0.7, 1e-6) << seed;
        EXPECT_NEAR(end[2], -0.4 + 0.1 * turned, 1e-6) << seed;
      }
      EXPECT_GT(left, 20U);
    }
  }
}

TEST(ExactEnds, AtHiddenCellsAreOnTheirFaces)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 8.0 }, [](const Vec3&, double) { return Vec3{ 1.0, 0.3, 0.0 }; });
  std::vector<std::uint8_t> cells(512, 0);
  for (std::size_t i = 0; i < cells.size(); ++i)
  {
    cells[i] = i % 8 == 6 ? 32 : 0; // x from 1 to 1.5
  }
  flow.field().cell_ghosts = cells.data();
  for (const Integrator integrator : kIntegrators)
  {
    const TracedLines lines = flow.trace({ { { -1.3, -1.1, 0.1 }, 0.0 } }, steps_in_time(integrator));
    ASSERT_EQ(lines.lines.size(), 1U);
    EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
    EXPECT_NEAR(end_of(lines, 0)[0], 1.0, 1e-6);
    EXPECT_NEAR(last_time(lines, 0), 2.3, 1e-9);
  }
}

/// From rest, the first step would last an interval, and lead far outside.
TEST(ExactEnds, OfAFlowThatStartsFromRest)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 10.0 }, along_x([](double t) { return t; }));
  for (const Integrator integrator : kIntegrators)
  {
    const TracedLines lines = flow.trace({ { { 0.0, 0.1, 0.1 }, 0.0 } }, steps_in_time(integrator));
    ASSERT_EQ(lines.lines.size(), 1U);
    EXPECT_EQ(end_of(lines, 0)[0], 2.0);
    EXPECT_NEAR(last_time(lines, 0), 2.0, 1e-6);
  }
}

/// A particle that turns round just before the border does not end there, although its tangent leads out.
TEST(ExactEnds, AreNotWhereTheFlowTurnsBack)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 1.0, 2.0 }, along_x([](double t) { return 4.0 - 4.0 * t; }));
  const TracedLines lines =
      flow.trace({ { { -1e-5, 0, 0 }, 0.0 }, { { 1e-5, 0, 0 }, 0.0 } }, steps_in_time(Integrator::RungeKutta45));
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfTime);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.0, 1e-4);
  EXPECT_EQ(lines.lines[1].reason, Termination::OutOfDomain);
  EXPECT_NEAR(last_time(lines, 1), 1.0 - std::sqrt(1e-5 / 2.0), 1e-4);
}

TEST(ExactEnds, AreTheSameForFramesInAnyOrder)
{
  FlowInTime flow(cube_grid(9, 1.0), kTimes,
      [](const Vec3& x, double t) {
        return Vec3{ -(x[1] + 0.4), (1.0 + 0.3 * t) * (x[0] + 0.9), 0.2 };
      },
      { 3, 3, 3 });
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 30; ++i)
  {
    seeds.push_back({ { -0.9 + 0.06 * i, 0.2, 0.01 * i }, 0.05 * i });
  }
  PathlineOptions options;
  const std::vector<double> frames{ 2.0, 0.4, 1.1, 1.3, 0.7, 1.9 };
  for (const double time : frames)
  {
    March at_once(flow.source(), seeds, options, 1, false);
    March by_steps(flow.source(), seeds, options, 2, true);
    (void)by_steps.at(0.4);
    (void)by_steps.at(1.7);
    EXPECT_EQ(bytes_of(at_once.at(time).lines), bytes_of(by_steps.at(time).lines)) << time;
  }
}

TEST(ExactEnds, OfStreamlinesAreAskedFor)
{
  FlowInMemory flow(cube_grid(9, 1.0), rotation(1.0));
  for (const Integrator integrator : kIntegrators)
  {
    StreamlineOptions options;
    options.integrator = integrator;
    options.direction = TraceDirection::Forward;
    options.maximum_length = 10.0;
    const Vec3 seed{ 0.9, 0.8, 0.1 };
    const TracedLines early = flow.trace({ seed }, options);
    options.exact_ends = true;
    const TracedLines exact = flow.trace({ seed }, options);
    ASSERT_EQ(exact.lines.size(), 1U);
    EXPECT_EQ(exact.lines[0].reason, Termination::OutOfDomain);
    EXPECT_NEAR(end_of(exact, 0)[1], 1.0, 1e-7);
    EXPECT_NEAR(end_of(exact, 0)[0], std::sqrt(0.81 + 0.64 - 1.0), 1e-3);
    EXPECT_TRUE(early.lines.empty() || end_of(early, 0)[1] < 0.999);
  }
}

} // namespace
} // namespace rivulet::test
