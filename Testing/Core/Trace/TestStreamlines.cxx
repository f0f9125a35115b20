// SPDX-License-Identifier: BSD-3-Clause
// Lines against closed forms.
#include "Core/Trace/FlowInMemory.h"
#include "Core/Trace/Listener.h"

#include <cmath>
#include <numbers>

namespace rivulet::test
{
namespace
{

/// Distance of a line's end from the true one after an arc of `length` on the circle of radius 1.
double circle_error(Integrator integrator, double step, double length)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(3.0));
  const TracedLines lines = flow.trace({ { 1, 0, 0 } }, fixed_steps(integrator, step, length));
  // Points are kept in single precision; the time is not, and it is the angle over omega.
  const Vec3 end = end_of(lines, 0);
  return std::hypot(end[0] - std::cos(length), end[1] - std::sin(length));
}

/// log2 of the error's fall when the step is halved.
double observed_order(Integrator integrator, double step)
{
  return std::log2(circle_error(integrator, step, 1.6) / circle_error(integrator, step / 2, 1.6));
}

TEST(Streamlines, EachIntegratorHasTheOrderItPromises)
{
  EXPECT_NEAR(observed_order(Integrator::RungeKutta2, 0.1), 2.0, 0.15);
  EXPECT_NEAR(observed_order(Integrator::RungeKutta4, 0.4), 4.0, 0.25);
  EXPECT_GT(observed_order(Integrator::RungeKutta45, 0.8), 4.6);
}

TEST(Streamlines, ErrorControlKeepsALineOnItsCircle)
{
  FlowInMemory flow(cube_grid(33, 2.0), rotation(1.0));
  StreamlineOptions options;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 2 * std::numbers::pi;
  options.maximum_error = 1e-8;
  const TracedLines lines = flow.trace({ { 1, 0, 0.5 } }, options);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfLength);
  const Vec3 end = end_of(lines, 0);
  EXPECT_NEAR(end[0], 1.0, 1e-6);
  EXPECT_NEAR(end[1], 0.0, 1e-6);
  EXPECT_NEAR(lines.seeds[0].length[0], 2 * std::numbers::pi, 1e-12);
}

TEST(Streamlines, TimeIsLengthOverSpeedAndNegativeBackward)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(4.0));
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 1.0);
  options.direction = TraceDirection::Both;
  const TracedLines lines = flow.trace({ { 0.5, 0, 0 } }, options);
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_FALSE(lines.lines[0].backward);
  EXPECT_TRUE(lines.lines[1].backward);
  EXPECT_NEAR(lines.seeds[0].time[0], 0.5, 1e-7); // speed is 2
  EXPECT_NEAR(lines.seeds[0].time[1], -0.5, 1e-7);
  EXPECT_DOUBLE_EQ(lines.time[0], 0.0);
  EXPECT_NEAR(end_of(lines, 1)[1], 0.5 * std::sin(-2.0), 1e-6);
}

TEST(Streamlines, VorticityRotationAndAngularVelocityOfASwirlingJet)
{
  // Solid rotation with an axial jet: vorticity (0, 0, 2 omega), helicity density over speed is constant on a line.
  const double omega = 1.5;
  FlowInMemory flow(cube_grid(9, 2.0), [&](const Vec3& x) { return Vec3{ -omega * x[1], omega * x[0], 1.0 }; });
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.02, 1.0);
  options.compute_vorticity = true;
  const TracedLines lines = flow.trace({ { 0.5, 0, -1 } }, options);
  const double speed = std::hypot(omega * 0.5, 1.0);
  const double expected = 2 * omega / speed;
  for (std::size_t i = 0; i < lines.rotation.size(); ++i)
  {
    EXPECT_NEAR(lines.vorticity[3 * i], 0.0, 1e-12);
    EXPECT_NEAR(lines.vorticity[3 * i + 2], 2 * omega, 1e-12);
    EXPECT_NEAR(lines.angular_velocity[i], expected, 1e-6);
    EXPECT_NEAR(lines.rotation[i], expected * lines.time[i], 1e-6);
  }
}

TEST(Streamlines, ARotatedGridGivesTheSameLine)
{
  Grid tilted = cube_grid(21, 2.0);
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  tilted.direction = { c, -s, 0, s, c, 0, 0, 0, 1 };
  tilted.origin = { -2 * c + 2 * s, -2 * s - 2 * c, -2 };
  FlowInMemory flow(tilted, rotation(1.0));
  const TracedLines lines = flow.trace({ { 1, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.01, 1.0));
  EXPECT_NEAR(end_of(lines, 0)[0], std::cos(1.0), 1e-6);
  EXPECT_NEAR(end_of(lines, 0)[1], std::sin(1.0), 1e-6);
}

TEST(Streamlines, ARectilinearGridGivesTheSameLineAndVorticity)
{
  Grid grid;
  grid.kind = Grid::Kind::Rectilinear;
  grid.nodes = { 7, 6, 3 };
  grid.axes = { { { -2, -1.5, -0.3, 0, 0.2, 1.1, 2 }, { 2, 1, 0.4, 0, -1.7, -2 }, { -1, 0, 2 } } };
  FlowInMemory flow(grid, rotation(2.0));
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 1.0);
  options.compute_vorticity = true;
  const TracedLines lines = flow.trace({ { 1, 0, 0 } }, options);
  EXPECT_NEAR(end_of(lines, 0)[0], std::cos(1.0), 1e-6);
  EXPECT_NEAR(end_of(lines, 0)[1], std::sin(1.0), 1e-6);
  EXPECT_NEAR(lines.vorticity[3 * 50 + 2], 4.0, 1e-10);
}

TEST(Streamlines, AFlatGridKeepsItsLinesInThePlane)
{
  Grid grid = cube_grid(9, 2.0);
  grid.nodes[2] = 1;
  grid.origin[2] = 0;
  FlowInMemory flow(grid, rotation(1.0));
  const TracedLines lines = flow.trace({ { 1, 0, 0 } }, fixed_steps(Integrator::RungeKutta4, 0.01, 1.0));
  EXPECT_NEAR(end_of(lines, 0)[0], std::cos(1.0), 1e-6);
  EXPECT_EQ(end_of(lines, 0)[2], 0.0);
}

TEST(Streamlines, CellCentredVelocityIsConstantInEachCell)
{
  FlowInMemory flow(
      cube_grid(5, 2.0),
      [](const Vec3& x) {
        return x[0] < 0 ? Vec3{ 1, 0, 0 } : Vec3{ 0, 2, 0 };
      },
      Centering::Cell);
  const TracedLines lines = flow.trace({ { -1.5, -1, 0 } }, fixed_steps(Integrator::RungeKutta2, 0.125, 2.0));
  EXPECT_NEAR(end_of(lines, 0)[0], 0.0, 0.13);
  EXPECT_NEAR(end_of(lines, 0)[1], -0.5, 0.13);
  ASSERT_EQ(lines.cell_velocity.size(), lines.points.size());
  EXPECT_DOUBLE_EQ(lines.cell_velocity[0], 1.0);
}

TEST(Streamlines, ArraysAreInterpolatedAtThePoints)
{
  const Grid grid = cube_grid(9, 2.0);
  FlowInMemory flow(grid, rotation(1.0));
  FlowInMemory other(grid, [](const Vec3& x) { return Vec3{ x[0] + 2 * x[1], x[2], 7.0 }; });
  flow.field().attributes = { { "linear", other.field().velocity }, { "velocity", flow.field().velocity } };
  const TracedLines lines = flow.trace({ { 1, 0, 0.25 } }, fixed_steps(Integrator::RungeKutta4, 0.1, 1.0));
  const auto* linear = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  const auto* velocity = reinterpret_cast<const double*>(lines.attributes[1].values.data());
  for (std::size_t i = 0; i < lines.points.size(); i += 3)
  {
    EXPECT_NEAR(linear[i], lines.points[i] + 2 * lines.points[i + 1], 1e-6);
    EXPECT_NEAR(linear[i + 1], lines.points[i + 2], 1e-6);
    EXPECT_DOUBLE_EQ(linear[i + 2], 7.0);
    EXPECT_NEAR(velocity[i + 1], lines.points[i], 1e-6);
  }
}

TEST(Streamlines, ManySeedsComeOutInSeedOrderForwardFirst)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(1.0));
  std::vector<Vec3> seeds;
  for (int i = 0; i < 40; ++i)
  {
    seeds.push_back({ 0.1 + 0.04 * i, 0, -1 + 0.05 * i });
  }
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.05, 1.0);
  options.direction = TraceDirection::Both;
  const TracedLines lines = flow.trace(seeds, options, 3);
  ASSERT_EQ(lines.lines.size(), 80U);
  for (std::size_t i = 0; i < 80; ++i)
  {
    EXPECT_EQ(lines.lines[i].seed, static_cast<int>(i % 40));
    EXPECT_EQ(lines.lines[i].backward, i >= 40);
    EXPECT_FLOAT_EQ(
        lines.points[static_cast<std::size_t>(3 * lines.lines[i].first_point)], static_cast<float>(seeds[i % 40][0]));
  }
}

TEST(Streamlines, NoMoreParticlesAtATimeThanAreAllowedMakeTheSameLines)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(1.0));
  Listener listener(*flow.field().velocity.source);
  flow.field().velocity.source = &listener;
  std::vector<Vec3> seeds;
  for (int i = 0; i < 100; ++i)
  {
    seeds.push_back({ 0.1 + 0.01 * i, 0, -1 + 0.02 * i });
  }
  const StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.05, 3.0);
  std::vector<float> points;
  for (const auto& [most, expected] : { std::pair{ 0, 100 }, std::pair{ 8, 8 }, std::pair{ 7, 6 }, std::pair{ 1, 2 } })
  {
    const RunOptions run{
      .threads = 2, .progress = {}, .most_particles = most
    }; // of which each thread has one at least
    const Result<TracedLines> lines = trace_streamlines(flow.field(), seeds, options, run);
    ASSERT_TRUE(lines);
    EXPECT_EQ(listener.told().at_once, expected) << most;
    points = points.empty() ? std::vector<float>(lines->points.begin(), lines->points.end()) : points;
    EXPECT_TRUE(std::equal(points.begin(), points.end(), lines->points.begin(), lines->points.end())) << most;
  }
}

} // namespace
} // namespace rivulet::test
