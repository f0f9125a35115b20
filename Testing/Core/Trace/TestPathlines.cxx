// SPDX-License-Identifier: BSD-3-Clause
// Pathlines against closed forms.
#include "Core/Trace/FlowInTime.h"

#include <numbers>

namespace rivulet::test
{
namespace
{

const std::vector<double> kUnevenTimes{ 0.0, 0.3, 0.35, 1.0, 1.6, 2.0 };

/// Distance of the end from the true one after two units of time in a rotation that speeds up.
double turning_error(Integrator integrator, double step)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 2.0 }, turning(1.0, 0.7));
  const TracedLines lines = flow.trace({ { { 1, 0, 0 }, 0.0 } }, timed_steps(integrator, step));
  const Vec3 end = end_of(lines, 0);
  const double angle = 2.0 + 0.7 * 2.0;
  return std::hypot(end[0] - std::cos(angle), end[1] - std::sin(angle));
}

double observed_order(Integrator integrator, double step)
{
  return std::log2(turning_error(integrator, step) / turning_error(integrator, step / 2));
}

TEST(Pathlines, EachIntegratorHasTheOrderItPromises)
{
  EXPECT_NEAR(observed_order(Integrator::RungeKutta2, 0.05), 2.0, 0.15);
  EXPECT_NEAR(observed_order(Integrator::RungeKutta4, 0.2), 4.0, 0.3);
  EXPECT_GT(observed_order(Integrator::RungeKutta45, 0.5), 4.4);
}

TEST(Pathlines, ErrorControlReachesTheTrueEndWhateverTheTimesTheFieldWasSavedAt)
{
  FlowInTime flow(cube_grid(9, 2.0), kUnevenTimes, turning(1.0, 0.7));
  PathlineOptions options;
  options.maximum_error = 1e-9;
  const TracedLines lines = flow.trace({ { { 1, 0, 0.5 }, 0.0 } }, options);
  ASSERT_EQ(lines.lines.size(), 1U);
  const Vec3 end = end_of(lines, 0);
  EXPECT_NEAR(end[0], std::cos(3.4), 3e-7);
  EXPECT_NEAR(end[1], std::sin(3.4), 3e-7);
  EXPECT_NEAR(lines.seeds[0].length[0], 3.4, 1e-3); // trapezoids
  EXPECT_EQ(lines.seeds[0].time[0], 2.0);
}

// The velocity is linear between the levels: there even the midpoint rule is exact, if no step reaches over a level.
TEST(Pathlines, NoStepReachesOverATimeOfTheField)
{
  const auto speed = [](double t)
  {
    return 0.1 + t * t;
  };
  FlowInTime flow(cube_grid(5, 4.0), kUnevenTimes, along_x(speed));
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, timed_steps(Integrator::RungeKutta2, 0.125));
  double there = 0.0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < kUnevenTimes.size(); ++i)
  {
    if (i > 0)
    {
      const double dt = kUnevenTimes[i] - kUnevenTimes[i - 1];
      there += dt * (speed(kUnevenTimes[i - 1]) + speed(kUnevenTimes[i])) / 2;
    }
    for (std::size_t point = 0; point < lines.time.size(); ++point)
    {
      if (lines.time[point] == kUnevenTimes[i])
      {
        ++found;
        EXPECT_NEAR(lines.points[3 * point], there, 3e-7);
      }
    }
  }
  EXPECT_EQ(found, kUnevenTimes.size()); // each once
}

TEST(Pathlines, TimesIncreaseForwardAndDecreaseBackward)
{
  FlowInTime flow(cube_grid(9, 2.0), kUnevenTimes, turning(1.0, 0.7));
  PathlineOptions options;
  options.direction = TraceDirection::Both;
  const TracedLines lines = flow.trace({ { { 1, 0, 0 }, 0.7 } }, options);
  ASSERT_EQ(lines.lines.size(), 2U);
  for (const TracedLine& line : lines.lines)
  {
    const double* time = &lines.time[static_cast<std::size_t>(line.first_point)];
    EXPECT_EQ(time[0], 0.7);
    EXPECT_EQ(time[line.points - 1], line.backward ? 0.0 : 2.0);
    for (std::int64_t i = 1; i < line.points; ++i)
    {
      EXPECT_TRUE(line.backward ? time[i] < time[i - 1] : time[i] > time[i - 1]);
    }
  }
}

TEST(Pathlines, BackwardComesBackToTheSeed)
{
  FlowInTime flow(cube_grid(17, 2.0), kUnevenTimes, turning(1.0, -2.0));
  PathlineOptions options;
  options.maximum_error = 1e-9;
  const TracedLines forth = flow.trace({ { { 1, 0.2, 0.3 }, 0.1 } }, options);
  options.direction = TraceDirection::Backward;
  const TracedLines back = flow.trace({ { end_of(forth, 0), 2.0 } }, options);
  // The seed of the way back is exact to single precision; the levels before 0.1 are passed, too.
  ASSERT_EQ(back.lines.size(), 1U);
  bool met = false;
  for (std::size_t point = 1; point < back.time.size(); ++point)
  {
    if (back.time[point] <= 0.1 && back.time[point - 1] > 0.1)
    {
      const double share = (0.1 - back.time[point]) / (back.time[point - 1] - back.time[point]);
      const double x = back.points[3 * point] + share * (back.points[3 * point - 3] - back.points[3 * point]);
      EXPECT_NEAR(x, 1.0, 5e-3); // a chord
      met = true;
    }
  }
  EXPECT_TRUE(met);
  const double angle = -0.1 + 0.01; // from 0.1 to 0 backward: -(0.1 - 0.01)
  const Vec3 end = end_of(back, 0);
  EXPECT_NEAR(end[0], std::cos(angle) - 0.2 * std::sin(angle), 1e-6);
  EXPECT_NEAR(end[1], std::sin(angle) + 0.2 * std::cos(angle), 1e-6);
}

TEST(Pathlines, VorticityAndRotationFollowTheTime)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 1.0, 2.0 },
      [](const Vec3& x, double t)
      {
        const double rate = 1.0 + t;
        return Vec3{ -rate * x[1], rate * x[0], 0.5 };
      });
  PathlineOptions options;
  const TracedLines lines = flow.trace({ { { 0.1, 0, -1 }, 0.0 } }, options);
  ASSERT_GT(lines.time.size(), 5U);
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    const double rate = 1.0 + lines.time[i];
    EXPECT_NEAR(lines.vorticity[3 * i + 2], 2 * rate, 1e-12);
    EXPECT_NEAR(lines.vorticity[3 * i], 0.0, 1e-12);
    const double speed = std::hypot(0.1 * rate, 0.5);
    EXPECT_NEAR(lines.angular_velocity[i], 2 * rate * 0.5 / speed, 1e-3 * lines.angular_velocity[i]);
  }
}

TEST(Pathlines, ArraysAreInterpolatedInTime)
{
  FlowInTime flow(cube_grid(9, 4.0), kUnevenTimes, along_x([](double t) { return 0.5 + t; }));
  flow.field().attributes = { { "speed", { &flow.source(), 1, 0 } }, { "velocity", { &flow.source(), 0, 0 } } };
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, timed_steps(Integrator::RungeKutta4, 0.1));
  ASSERT_EQ(lines.attributes.size(), 2U);
  const auto* speed = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  const auto* velocity = reinterpret_cast<const double*>(lines.attributes[1].values.data());
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    EXPECT_NEAR(speed[i], 0.5 + lines.time[i], 1e-14);
    EXPECT_NEAR(velocity[3 * i], 0.5 + lines.time[i], 1e-14);
  }
}

TEST(Pathlines, InSteadyFlowTheyAreStreamlines)
{
  const Grid grid = cube_grid(17, 2.0);
  const Velocity steady = [](const Vec3& x)
  {
    return Vec3{ 1.0 - 0.5 * x[1] * x[1], 0.3 * x[0], 0.1 };
  };
  FlowInTime flow(grid, { 0.0, 0.4, 0.8 }, [&](const Vec3& x, double) { return steady(x); });
  FlowInMemory snapshot(grid, steady);
  PathlineOptions options;
  options.maximum_error = 1e-10;
  StreamlineOptions along;
  along.direction = TraceDirection::Forward;
  along.maximum_error = 1e-10;
  along.maximum_time = 0.8;
  along.maximum_length = 100;
  const Vec3 path_end = end_of(flow.trace({ { { -1, 0.5, 0 }, 0.0 } }, options), 0);
  const Vec3 line_end = end_of(snapshot.trace({ { -1, 0.5, 0 } }, along), 0);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // The time of a streamline is summed from steps over speeds, to first order.
    EXPECT_NEAR(path_end[axis], line_end[axis], 2e-3);
  }
}

TEST(Pathlines, TimesOfTheDatasetReplaceThoseOfTheFile)
{
  FlowInTime flow(cube_grid(5, 4.0), { 0.0, 1.0 }, along_x([](double) { return 1.0; }));
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.25);
  EXPECT_NEAR(end_of(flow.trace({ { { 0, 0, 0 }, 0.0 } }, options), 0)[0], 1.0, 1e-6);
  EXPECT_NEAR(end_of(flow.trace({ { { 0, 0, 0 }, 10.0 } }, options, { 10.0, 13.0 }), 0)[0], 3.0, 1e-6);
}

TEST(Pathlines, StepsInCellsAreShorterInTimeWhereTheFlowIsFaster)
{
  FlowInTime slow(cube_grid(9, 4.0), { 0.0, 4.0 }, along_x([](double) { return 0.5; }));
  FlowInTime fast(cube_grid(9, 4.0), { 0.0, 4.0 }, along_x([](double) { return 0.8; }));
  PathlineOptions options;
  options.integrator = Integrator::RungeKutta4;
  options.initial_step = 0.1; // of a diagonal of sqrt(3)
  const TracedLines of_slow = slow.trace({ { { 0, 0, 0 }, 0.0 } }, options);
  const TracedLines of_fast = fast.trace({ { { 0, 0, 0 }, 0.0 } }, options);
  EXPECT_NEAR(of_slow.time[1], 0.1 * std::numbers::sqrt3 / 0.5, 1e-12);
  EXPECT_NEAR(of_fast.time[1], 0.1 * std::numbers::sqrt3 / 0.8, 1e-12);
}

} // namespace
} // namespace rivulet::test
