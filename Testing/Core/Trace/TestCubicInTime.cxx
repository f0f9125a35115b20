// SPDX-License-Identifier: BSD-3-Clause
// Pathlines with cubic interpolation in time against closed forms.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Trace/Contract/TimeInterpolation.h"
#include "Trace/FlowMap/FlowMap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rivulet::test
{
namespace
{

const std::vector<double> kUnevenTimes{ 0.0, 0.3, 0.35, 1.0, 1.6, 2.0 };

/// Value at a time between the steps of a function of time.
template <class Function>
double interpolated(const std::vector<double>& times, double time, const Function& of_time)
{
  const auto above = std::upper_bound(times.begin() + 1, times.end() - 1, time);
  const auto interval = static_cast<std::int32_t>(above - times.begin()) - 1;
  const auto i = static_cast<std::size_t>(interval);
  const std::array<double, 4> weights =
      CubicWeights::make(times, interval).at((time - times[i]) / (times[i + 1] - times[i]));
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k)
  {
    const bool there = i + k >= 1 && i + k - 1 < times.size();
    EXPECT_TRUE(there || weights[k] == 0.0);
    sum += there ? weights[k] * of_time(times[i + k - 1]) : 0.0;
  }
  return sum;
}

PathlineOptions cubic(PathlineOptions options)
{
  options.time_interpolation = TimeInterpolation::Cubic;
  return options;
}

std::vector<double> even_times(int intervals, double duration)
{
  std::vector<double> times;
  for (int i = 0; i <= intervals; ++i)
  {
    times.push_back(duration * i / intervals);
  }
  return times;
}

/// Intervals whose durations are as 1 to 2 to 3, again and again. Their number is a multiple of 3.
std::vector<double> uneven_times(int intervals, double duration)
{
  std::vector<double> times;
  for (int i = 0; i <= intervals; ++i)
  {
    const int parts = i / 3 * 6 + std::array{ 0, 1, 3 }.at(static_cast<std::size_t>(i % 3));
    times.push_back(duration * parts / (2 * intervals));
  }
  return times;
}

TEST(CubicInTime, WeightsAtTheStepsAreExactlyZeroAndOne)
{
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  for (int i = 0; i < 1000; ++i)
  {
    std::vector<double> times{ any(random) };
    for (int more = 0; more < 4; ++more)
    {
      times.push_back(times.back() + std::exp(any(random)));
    }
    for (std::int32_t interval = 0; interval < 4; ++interval)
    {
      const CubicWeights weights = CubicWeights::make(times, interval);
      EXPECT_EQ(weights.at(0.0), (std::array<double, 4>{ 0, 1, 0, 0 }));
      EXPECT_EQ(weights.at(1.0), (std::array<double, 4>{ 0, 0, 1, 0 }));
    }
  }
}

TEST(CubicInTime, SlopesAtTheStepsAreThoseOfTheParabolaThroughThreeOfThem)
{
  const auto wave = [](double t)
  {
    return std::sin(3 * t);
  };
  for (std::size_t i = 1; i + 1 < kUnevenTimes.size(); ++i)
  {
    const double before = kUnevenTimes[i] - kUnevenTimes[i - 1];
    const double after = kUnevenTimes[i + 1] - kUnevenTimes[i];
    const double here = wave(kUnevenTimes[i]);
    const double rise_before = (here - wave(kUnevenTimes[i - 1])) / before;
    const double rise_after = (wave(kUnevenTimes[i + 1]) - here) / after;
    const double slope = (after * rise_before + before * rise_after) / (before + after);
    constexpr double kStep = 1e-6;
    for (const double way : { -kStep, kStep })
    {
      EXPECT_NEAR((interpolated(kUnevenTimes, kUnevenTimes[i] + way, wave) - here) / way, slope, 1e-3);
    }
  }
}

/// Largest error of the values within some intervals of a wave.
double error_within(const std::vector<double>& times, std::size_t first, std::size_t last)
{
  const auto wave = [](double t)
  {
    return std::sin(3 * t);
  };
  double most = 0.0;
  const double from = times[first];
  const double to = times[last];
  for (int i = 0; i <= 1000; ++i)
  {
    const double t = from + (to - from) * i / 1000;
    most = std::max(most, std::fabs(interpolated(times, t, wave) - wave(t)));
  }
  return most;
}

TEST(CubicInTime, ValuesHaveTheThirdOrderInsideAndAtTheEnds)
{
  for (const auto& times_of : { even_times, uneven_times })
  {
    const std::vector<double> coarse = times_of(30, 2.0);
    const std::vector<double> fine = times_of(60, 2.0);
    EXPECT_NEAR(std::log2(error_within(coarse, 1, 29) / error_within(fine, 2, 58)), 3.0, 0.2);
    EXPECT_NEAR(std::log2(error_within(coarse, 0, 1) / error_within(fine, 0, 1)), 3.0, 0.2);
    EXPECT_NEAR(std::log2(error_within(coarse, 29, 30) / error_within(fine, 59, 60)), 3.0, 0.2);
  }
}

double quadratic(double t)
{
  return 0.4 - 1.1 * t + 0.8 * t * t;
}

/// Integral of quadratic() from 0.
double way(double t)
{
  return 0.4 * t - 0.55 * t * t + 0.8 / 3 * t * t * t;
}

// Each step of the classical Runge-Kutta method is Simpson's rule, which is exact, too.
TEST(CubicInTime, QuadraticVelocitiesAreExactAtUnevenSteps)
{
  const PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.11);
  std::vector<double> largest;
  for (const PathlineOptions& each : { options, cubic(options) })
  {
    FlowInTime flow(cube_grid(9, 4.0), kUnevenTimes, along_x(quadratic));
    flow.field().attributes = { { "velocity", { &flow.source(), 0, 0 } } };
    const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, each);
    ASSERT_GT(lines.time.size(), 15U);
    const auto* velocity = reinterpret_cast<const double*>(lines.attributes[0].values.data());
    largest.push_back(0.0);
    largest.push_back(0.0);
    for (std::size_t i = 0; i < lines.time.size(); ++i)
    {
      double* const errors = &largest[largest.size() - 2];
      errors[0] = std::max(errors[0], std::fabs(velocity[3 * i] - quadratic(lines.time[i])));
      errors[1] = std::max(errors[1], std::fabs(lines.points[3 * i] - way(lines.time[i])));
    }
  }
  EXPECT_GT(largest[0], 0.05); // linear
  EXPECT_GT(largest[1], 0.01);
  EXPECT_LT(largest[2], 2e-15); // cubic
  EXPECT_LT(largest[3], 1e-7);  // points are floats
}

TEST(CubicInTime, BackwardFromTheLastStepToo)
{
  FlowInTime flow(cube_grid(9, 4.0), kUnevenTimes, along_x(quadratic));
  PathlineOptions options = cubic(timed_steps(Integrator::RungeKutta4, 0.11));
  options.direction = TraceDirection::Backward;
  const TracedLines lines = flow.trace({ { { way(2.0), 0, 0 }, 2.0 } }, options);
  EXPECT_EQ(lines.time.end()[-1], 0.0);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.0, 2e-7);
}

TEST(CubicInTime, RotationsAtAQuadraticRateReachTheTrueEnd)
{
  const auto rotation = [](const Vec3& x, double t)
  {
    return Vec3{ -quadratic(t) * x[1], quadratic(t) * x[0], 0.5 };
  };
  PathlineOptions options;
  options.maximum_error = 1e-10;
  std::vector<double> errors;
  for (const PathlineOptions& each : { options, cubic(options) })
  {
    FlowInTime flow(cube_grid(9, 2.0), kUnevenTimes, rotation);
    const TracedLines lines = flow.trace({ { { 1, 0, -0.5 }, 0.0 } }, each);
    const Vec3 end = end_of(lines, 0);
    errors.push_back(std::hypot(end[0] - std::cos(way(2.0)), end[1] - std::sin(way(2.0))));
    if (each.time_interpolation == TimeInterpolation::Cubic)
    {
      for (std::size_t i = 0; i < lines.time.size(); ++i)
      {
        EXPECT_NEAR(lines.vorticity[3 * i + 2], 2 * quadratic(lines.time[i]), 1e-12);
      }
    }
  }
  EXPECT_GT(errors[0], 0.01);
  EXPECT_LT(errors[1], 3e-7);
}

/// Largest distance of ends from the true ones in a rotation whose rate swings, from one time to another.
double end_error(std::vector<double> times, double start, double end, TimeInterpolation rule)
{
  const auto rate = [](double t)
  {
    return 1.0 + std::sin(3 * t);
  };
  FlowInTime flow(cube_grid(9, 2.0), std::move(times),
      [&](const Vec3& x, double t) {
        return Vec3{ -rate(t) * x[1], rate(t) * x[0], 0.0 };
      });
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.004);
  options.time_interpolation = rule;
  Grid lattice;
  lattice.nodes = { 2, 2, 1 };
  lattice.origin = { 0.3, 0.2, 0.1 };
  lattice.spacing = { 0.5, 0.4, 1.0 };
  const FlowMap map = *flow_map(flow.field(), {}, lattice, { start, end }, options, { 1, {} });
  const double angle = end - start - (std::cos(3 * end) - std::cos(3 * start)) / 3;
  double most = 0.0;
  for (std::int64_t i = 0; i < 4; ++i)
  {
    const Vec3 from{ 0.3 + 0.5 * static_cast<double>(i % 2), 0.2 + 0.4 * static_cast<double>(i / 2), 0.1 };
    const Vec3& to = map.ends[static_cast<std::size_t>(i)].point;
    most = std::max(most, std::hypot(to[0] - (std::cos(angle) * from[0] - std::sin(angle) * from[1]),
                              to[1] - (std::sin(angle) * from[0] + std::cos(angle) * from[1])));
  }
  return most;
}

// Errors of the values within an interval cancel where the steps are even.
TEST(CubicInTime, PathsHaveTheFourthOrderAtEvenStepsAndTheThirdAtUneven)
{
  const auto order = [](const auto& times_of, double start, double end, TimeInterpolation rule)
  {
    return std::log2(end_error(times_of(30, 2.0), start, end, rule) / end_error(times_of(60, 2.0), start, end, rule));
  };
  EXPECT_NEAR(order(even_times, 0.4, 1.6, TimeInterpolation::Linear), 2.0, 0.2);
  EXPECT_NEAR(order(even_times, 0.4, 1.6, TimeInterpolation::Cubic), 4.0, 0.3); // inside
  EXPECT_GT(order(even_times, 0.0, 2.0, TimeInterpolation::Cubic), 3.7);        // with both ends
  EXPECT_NEAR(order(uneven_times, 0.4, 1.6, TimeInterpolation::Cubic), 3.0, 0.4);
  EXPECT_LT(end_error(even_times(30, 2.0), 0.4, 1.6, TimeInterpolation::Cubic),
      0.05 * end_error(even_times(30, 2.0), 0.4, 1.6, TimeInterpolation::Linear));
}

TEST(CubicInTime, FieldsOfTwoStepsAreLinear)
{
  std::array<std::string, 2> bytes;
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    FlowInTime flow(cube_grid(9, 2.0), { 0.0, 2.0 }, turning(1.0, 0.7));
    flow.field().attributes = { { "speed", { &flow.source(), 1, 0 } } };
    PathlineOptions options;
    options.time_interpolation = rule;
    bytes.at(static_cast<std::size_t>(rule)) = bytes_of(flow.trace({ { { 1, 0, 0 }, 0.1 } }, options));
    EXPECT_LE(flow.source().most_pinned(), 2);
  }
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(CubicInTime, FieldsOfThreeStepsFollowTheOneParabola)
{
  FlowInTime flow(cube_grid(9, 4.0), { 0.0, 0.5, 2.0 }, along_x([](double t) { return t * t * t; }));
  flow.field().attributes = { { "velocity", { &flow.source(), 0, 0 } } };
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, cubic(timed_steps(Integrator::RungeKutta4, 0.1)));
  const auto* velocity = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    const double t = lines.time[i];
    EXPECT_NEAR(velocity[3 * i], t * t * t - t * (t - 0.5) * (t - 2.0), 1e-14);
  }
  EXPECT_LE(flow.source().most_pinned(), 3);
}

TEST(CubicInTime, ArraysFollowTheSameRule)
{
  FlowInTime flow(cube_grid(9, 4.0), kUnevenTimes, along_x([](double t) { return 0.5 + t * t; }));
  flow.field().attributes = { { "speed", { &flow.source(), 1, 0 } } };
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, cubic(timed_steps(Integrator::RungeKutta4, 0.1)));
  const auto* speed = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  ASSERT_GT(lines.time.size(), 15U);
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    EXPECT_NEAR(speed[i], 0.5 + lines.time[i] * lines.time[i], 2e-15);
  }
}

TEST(CubicInTime, ArraysAtTheStepsHaveTheirValues)
{
  const auto speed_at = [](double t)
  {
    return 0.1 + std::sin(7 * t);
  };
  FlowInTime flow(cube_grid(5, 4.0), kUnevenTimes, along_x(speed_at));
  flow.field().attributes = { { "speed", { &flow.source(), 1, 0 } } };
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, cubic(timed_steps(Integrator::RungeKutta4, 0.13)));
  const auto* speed = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  std::size_t found = 0;
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    if (std::find(kUnevenTimes.begin(), kUnevenTimes.end(), lines.time[i]) != kUnevenTimes.end())
    {
      ++found;
      EXPECT_EQ(speed[i], std::fabs(speed_at(lines.time[i])));
    }
  }
  EXPECT_EQ(found, kUnevenTimes.size());
}

// The sample at a time step is taken in the interval after it, where a weight of 0 hides no value that is not a number.
TEST(CubicInTime, AStepWithoutNumbersEndsParticlesOneIntervalEarlier)
{
  const std::vector<double> times{ 0, 1, 2, 3, 4, 5, 6, 7, 8 };
  FlowInTime flow(cube_grid(5, 9.0), times, along_x([](double t) { return t == 4.0 ? std::nan("") : 1.0; }));
  const auto last_time = [&](const PathlineOptions& options, double from)
  {
    const TracedLines lines = flow.trace({ { { 0, 0, 0 }, from } }, options);
    EXPECT_EQ(lines.lines.size(), 1U);
    EXPECT_EQ(lines.lines[0].reason, Termination::UnexpectedValue);
    return lines.time.end()[-1];
  };
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.25);
  EXPECT_EQ(last_time(options, 0.5), 2.75);
  EXPECT_EQ(last_time(cubic(options), 0.5), 1.75);
  options.direction = TraceDirection::Backward;
  EXPECT_EQ(last_time(options, 7.5), 5.25);
  EXPECT_EQ(last_time(cubic(options), 7.5), 6.25);
}

} // namespace
} // namespace rivulet::test
