// SPDX-License-Identifier: BSD-3-Clause
// Pathlines at times that are large in comparison to the intervals between steps.
#include "Core/Trace/MarchInSteps.h"
#include "Trace/Contract/TimeInterpolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{
namespace
{

constexpr double kSince1970 = 1.7e9;
constexpr double kInterval = 0x1p-10; // 0.98 ms, so that sums with the above are exact
constexpr std::array kIntegrators{ Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 };

std::vector<double> times_from(double begin, int steps)
{
  std::vector<double> times;
  for (int i = 0; i < steps; ++i)
  {
    times.push_back(begin + i * kInterval);
  }
  return times;
}

/// A field whose velocities are those of the time since its first step.
FlowInTime swinging_from(double begin)
{
  return { cube_grid(9, 2.0), times_from(begin, 5),
    [begin](const Vec3& x, double t)
    {
      const double s = (t - begin) / kInterval;
      return Vec3{ (-x[1] + 0.1 * s) / kInterval, (x[0] - 0.05 * s * x[1]) / kInterval, 0.1 / kInterval };
    } };
}

TEST(TimesFarFromZero, ChangeNoPath)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    for (const Integrator integrator : kIntegrators)
    {
      for (const double far : { kSince1970, -kSince1970, 1e12 })
      {
        PathlineOptions options;
        options.integrator = integrator;
        options.time_interpolation = rule;
        options.direction = TraceDirection::Both;
        FlowInTime near_flow = swinging_from(0.0);
        FlowInTime far_flow = swinging_from(far);
        const double middle = 1.25 * kInterval;
        const TracedLines near = near_flow.trace({ { { 0.5, 0.3, 0 }, middle } }, options);
        const TracedLines other = far_flow.trace({ { { 0.5, 0.3, 0 }, far + middle } }, options);
        ASSERT_EQ(near.time.size(), other.time.size());
        const double rounding = std::nextafter(std::fabs(far), INFINITY) - std::fabs(far);
        for (std::size_t i = 0; i < near.time.size(); ++i)
        {
          EXPECT_NEAR(other.time[i] - far, near.time[i], rounding);
          for (std::size_t c = 0; c < 3; ++c)
          {
            EXPECT_NEAR(other.points[3 * i + c], near.points[3 * i + c], 1e-6);
          }
          EXPECT_NEAR(other.rotation[i], near.rotation[i], 1e-6);
        }
        EXPECT_GT(near.time.size(), 10U);
      }
    }
  }
}

TEST(TimesFarFromZero, ChangeNoPathOfManySmallSteps)
{
  FlowInTime flow(cube_grid(9, 2.0), times_from(1e12, 5), along_x([](double) { return 0.5 / kInterval; }));
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, kInterval / 1000.0);
  const TracedLines lines = flow.trace({ { { -1, 0, 0 }, 1e12 } }, options);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_NEAR(end_of(lines, 0)[0], 1.0, 1e-6);
  EXPECT_EQ(lines.lines[0].points, 4001);
}

TEST(TimesFarFromZero, GoThroughFramesInAnyOrder)
{
  std::vector<double> of_frames;
  FlowInTime flow = swinging_from(kSince1970);
  PathlineOptions options;
  std::vector<PathSeed> seeds{ { { 0.5, 0.3, 0 }, kSince1970 }, { { 0.2, 0.3, 0 }, kSince1970 + 1.5 * kInterval } };
  const std::vector<double> times = times_from(kSince1970, 5);
  for (const double time : { times[2], times[4], times[3] + 0.25 * kInterval })
  {
    PathlineOptions until = options;
    until.last_time = time;
    const TracedLines whole = flow.trace(seeds, until);
    PathlineMarch march(seeds, times, false);
    const auto context = [&](const IntervalRange& range, double last)
    {
      AdvectionContext made = *AdvectionContext::unsteady(flow.field(), times, { times.front(), last }, options);
      made.set_intervals(range.first, range.last);
      return made;
    };
    PathlineMarch::Plan plan = march.plan(time);
    for (std::int32_t i = 0; plan.march && i <= plan.march->last; ++i)
    {
      ASSERT_TRUE(march.go_on(context({ i, i }, times.back()), { 1, {} }).has_value());
    }
    const Result<PathlineFrame> frame =
        plan.ahead ? march.frame_ahead(time, context(*plan.ahead, time), { 1, {} }) : march.frame(time);
    ASSERT_TRUE(frame.has_value());
    ASSERT_EQ(frame->lines.time.size(), whole.time.size());
    EXPECT_TRUE(std::equal(whole.time.begin(), whole.time.end(), frame->lines.time.begin()));
    EXPECT_TRUE(std::equal(whole.points.begin(), whole.points.end(), frame->lines.points.begin()));
  }
}

TEST(TimesFarFromZero, KeepTheirBitsUpToThousandsOfIntervals)
{
  EXPECT_EQ(clock_origin(0.0, 1.0), 0.0);
  EXPECT_EQ(clock_origin(9999.0, 10000.0), 0.0);
  EXPECT_EQ(clock_origin(-10000.0, -9999.0), 0.0);
  EXPECT_EQ(clock_origin(1.7e9, 1.7e9 + 0.01), 1.7e9);
}

} // namespace
} // namespace rivulet::test
