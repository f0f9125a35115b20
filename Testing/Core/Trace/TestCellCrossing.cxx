// SPDX-License-Identifier: BSD-3-Clause
// Steps measured along the cells that are crossed.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Core/Trace/FlowInTime.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{
namespace
{

constexpr std::array kIntegrators{ Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 };

/// Degrees and metres.
Grid unlike_axes(bool rectilinear)
{
  Grid grid;
  grid.nodes = { 61, 31, 11 };
  grid.origin = { 0, 0, -2000 };
  grid.spacing = { 1.0, 0.5, 200.0 };
  if (rectilinear)
  {
    grid.kind = Grid::Kind::Rectilinear;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (int i = 0; i < grid.nodes[axis]; ++i)
      {
        grid.axes[axis].push_back(grid.origin[axis] + i * grid.spacing[axis]);
      }
    }
  }
  return grid;
}

Vec3 current(const Vec3& x)
{
  return { 1e-6, 4e-7 * std::sin(x[0] / 5.0), 0.0 };
}

/// Largest distance between two points of a line, in cells.
double longest_step(const TracedLines& lines)
{
  double longest = 0.0;
  for (const TracedLine& line : lines.lines)
  {
    for (std::int64_t i = line.first_point; i + 1 < line.first_point + line.points; ++i)
    {
      const float* a = lines.points.data() + 3 * i;
      longest = std::max(longest, std::hypot(a[3] - a[0], (a[4] - a[1]) / 0.5, (a[5] - a[2]) / 200.0));
    }
  }
  return longest;
}

TEST(CellCrossing, FitsAxesOfUnlikeUnits)
{
  for (const bool rectilinear : { false, true })
  {
    for (const Integrator integrator : kIntegrators)
    {
      FlowInMemory steady(unlike_axes(rectilinear), current);
      StreamlineOptions options;
      options.integrator = integrator;
      options.direction = TraceDirection::Forward;
      options.maximum_length = 1e4;
      options.terminal_speed = 0.0;
      EXPECT_TRUE(steady.trace({ { 20, 7, -500 } }, options).lines.empty()); // the stock filter's rule
      options.step_unit = StepUnit::CellCrossing;
      const TracedLines lines = steady.trace({ { 20, 7, -500 } }, options);
      ASSERT_EQ(lines.lines.size(), 1U);
      EXPECT_GT(lines.lines[0].points, 40);
      EXPECT_LE(longest_step(lines), 0.51 * std::sqrt(3.0));

      FlowInTime flow(unlike_axes(rectilinear), { 0.0, 1e8 }, [](const Vec3& x, double) { return current(x); });
      PathlineOptions in_time;
      in_time.integrator = integrator;
      in_time.compute_vorticity = false;
      const TracedLines paths = flow.trace({ { { 20, 7, -500 }, 0.0 } }, in_time);
      ASSERT_EQ(paths.lines.size(), 1U);
      EXPECT_EQ(paths.lines[0].reason, Termination::OutOfDomain);
      EXPECT_LE(longest_step(paths), 0.51 * std::sqrt(3.0));
      EXPECT_NEAR(end_of(paths, 0)[0], 60.0, 1e-4);
    }
  }
}

TEST(CellCrossing, IsTheDiagonalWhereAllSidesAreEqual)
{
  for (const int depth : { 9, 1 })
  {
    Grid grid = cube_grid(9, 2.0);
    grid.nodes[2] = depth;
    grid.origin[2] = depth == 1 ? 0.0 : grid.origin[2];
    grid.spacing[2] = depth == 1 ? 7.0 : grid.spacing[2];
    FlowInTime flow(grid, { 0.0, 1.0, 2.0 }, turning(1.0, 0.5));
    for (const Integrator integrator : kIntegrators)
    {
      PathlineOptions options;
      options.integrator = integrator;
      const std::vector<PathSeed> seeds{ { { 1, 0.1, 0 }, 0.0 } };
      const TracedLines crossing = flow.trace(seeds, options);
      options.step_unit = StepUnit::CellLength;
      EXPECT_EQ(bytes_of(crossing), bytes_of(flow.trace(seeds, options)));
    }
  }
}

} // namespace
} // namespace rivulet::test
