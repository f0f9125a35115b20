// SPDX-License-Identifier: BSD-3-Clause
// Error control of pathlines: the estimate of each step that is taken, computed anew.
#include "Core/Trace/FlowInTime.h"
#include "Trace/Kernel/Tableau.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{
namespace
{

/// Linear in place and time within each interval, so that fields on grids are exact; a kink at each step.
Vec3 shaken(const Vec3& x, double t)
{
  static constexpr std::array kRates{ 1.0, -2.0, 3.0, 0.5, -1.0 };
  const auto interval = static_cast<std::size_t>(std::min(t, 3.0));
  const double share = t - static_cast<double>(interval);
  const double rate = kRates.at(interval) * (1.0 - share) + kRates.at(interval + 1) * share;
  return { -rate * x[1], rate * x[0], 0.05 };
}

double estimate(const Vec3& from, double time, double duration)
{
  double slopes[kMaxSlopes][3] = {};
  Vec3 error{ 0, 0, 0 };
  for (int s = 0; s < kCashKarp.slopes; ++s)
  {
    Vec3 at = from;
    for (int j = 0; j < s; ++j)
    {
      for (std::size_t c = 0; c < 3; ++c)
      {
        at[c] += duration * kCashKarp.at[s][j] * slopes[j][c];
      }
    }
    // The last sample may be at the kink, which belongs to this interval.
    const double when = std::min(time + kCashKarp.node[s] * duration, std::floor(time + 1e-12) + 1.0 - 1e-13);
    const Vec3 velocity = shaken(at, when);
    for (std::size_t c = 0; c < 3; ++c)
    {
      slopes[s][c] = velocity[c];
      error[c] += duration * kCashKarp.error[s] * velocity[c];
    }
  }
  return std::hypot(error[0], error[1], error[2]);
}

TEST(ErrorInTime, NoStepIsTakenWithALargerEstimateThanAllowed)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0.0, 1.0, 2.0, 3.0, 4.0 }, shaken, { 4, 4, 4 });
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 20; ++i)
  {
    seeds.push_back({ { 0.08 * i, 0.3, -1.0 }, 0.1 * i });
  }
  for (const double allowed : { 1e-4, 1e-6, 1e-8 })
  {
    for (const double longest : { 0.5, 5.0 })
    {
      PathlineOptions options;
      options.maximum_error = allowed;
      options.maximum_step = longest;
      options.compute_vorticity = false;
      const TracedLines lines = flow.trace(seeds, options);
      std::int64_t cut = 0;
      for (const TracedLine& line : lines.lines)
      {
        for (std::int64_t i = line.first_point; i + 1 < line.first_point + line.points; ++i)
        {
          const auto at = static_cast<std::size_t>(i);
          const Vec3 from{ lines.points[3 * at], lines.points[3 * at + 1], lines.points[3 * at + 2] };
          const double duration = lines.time[at + 1] - lines.time[at];
          EXPECT_LE(estimate(from, lines.time[at], duration), 1.01 * allowed) << allowed << " at " << lines.time[at];
          cut += lines.time[at + 1] == std::round(lines.time[at + 1]) ? 1 : 0;
        }
      }
      EXPECT_GE(cut, 40);
    }
  }
}

/// Near a point of rest a step of a given length takes long.
TEST(ErrorInTime, HoldsNearPointsOfRest)
{
  const auto saddle = [](const Vec3& x, double)
  {
    return Vec3{ x[0], -x[1], 0.0 };
  };
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 6.0, 12.0 }, saddle);
  PathlineOptions options;
  options.compute_vorticity = false;
  const TracedLines lines = flow.trace({ { { 1e-4, 1.5, 0 }, 0.0 } }, options);
  ASSERT_EQ(lines.lines.size(), 1U);
  for (std::int64_t i = 0; i < lines.lines[0].points; ++i)
  {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(lines.points[3 * at], 1e-4 * std::exp(lines.time[at]), 2e-4 * std::exp(lines.time[at]) * 0.1);
    EXPECT_NEAR(lines.points[3 * at + 1], 1.5 * std::exp(-lines.time[at]), 1e-4);
  }
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
}

TEST(ErrorInTime, ATideThatTurnsDoesNotEndALine)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 1.0, 2.0, 3.0 }, along_x([](double t) { return t - 1.0; }));
  for (const double least : { 0.0, 1e-12, 1e-3 })
  {
    PathlineOptions options;
    options.terminal_speed = least;
    const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.0 } }, options);
    ASSERT_EQ(lines.lines.size(), 1U);
    EXPECT_EQ(lines.lines[0].reason, Termination::OutOfTime);
    EXPECT_NEAR(lines.seeds[0].time[0], 3.0, 0.0);
  }
}

} // namespace
} // namespace rivulet::test
