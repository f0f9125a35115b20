// SPDX-License-Identifier: BSD-3-Clause
// Time in regions against closed forms, and against paths that are sampled densely.
#include "Core/Trace/FlowInTime.h"
#include "Trace/ResidenceTimes.h"

#include <gmock/gmock.h>

#include <numbers>

namespace rivulet::test
{
namespace
{

constexpr double kPi = std::numbers::pi;

using testing::DoubleNear;
using testing::IsNan;

/// x below a limit.
Region below(double limit)
{
  return *function_region([=](const Vec3& x) { return x[0] - limit; });
}

Region slab(double low, double high)
{
  return *box_region({ { low, -10, -10 }, { high, 10, 10 } });
}

PathlineOptions exact()
{
  PathlineOptions options;
  options.maximum_error = 1e-10;
  return options;
}

/// `calls`: whether each interval is a call of its own.
ResidenceTimes residence(FlowInTime& flow, const std::vector<Vec3>& seeds, const ResidenceQuery& query,
    const PathlineOptions& options, bool calls = false, int threads = 1)
{
  AdvectionContext context = *residence_context(flow.field(), {}, query, options);
  ResidenceMarch march(seeds, query);
  const auto intervals = static_cast<std::int32_t>(context.times().size()) - 1;
  const bool back = query.end < query.start;
  for (std::int32_t i = 0; i < (calls ? intervals : 1); ++i)
  {
    const std::int32_t interval = back ? intervals - 1 - i : i;
    context.set_intervals(calls ? interval : 0, calls ? interval : intervals - 1);
    const Result<void> gone = march.go_on(context, { threads, {} });
    EXPECT_TRUE(gone) << (gone ? "" : gone.error().describe());
  }
  return march.take();
}

TEST(ResidenceTimes, OfACircleAreThoseOfItsAngles)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 3, 7, 10 }, turning(1.0, 0.0));
  const ResidenceQuery query{
    .regions = { *function_region([](const Vec3& x) { return -x[0]; }), below(0.0) }, .start = 0.0, .end = 10.0
  };
  for (const bool calls : { false, true })
  {
    const ResidenceTimes found = residence(flow, { { 1, 0, 0 }, { 0, 1.5, 0.5 }, { 5, 0, 0 } }, query, exact(), calls);
    const Stay& right = found.stay(0, 0); // angles -pi/2 to pi/2, from 0 on
    EXPECT_DOUBLE_EQ(right.first_entry, 0.0);
    EXPECT_NEAR(right.first_exit, 0.5 * kPi, 1e-8);
    EXPECT_NEAR(right.residence, 0.5 * kPi, 1e-8);
    EXPECT_NEAR(right.exposure, 0.5 * kPi + kPi, 1e-8);
    EXPECT_EQ(right.entries, 1);
    EXPECT_EQ(right.exits, 2);
    EXPECT_FALSE(right.inside_at_end);
    const Stay& left = found.stay(0, 1);
    EXPECT_NEAR(left.first_entry, 0.5 * kPi, 1e-8);
    EXPECT_NEAR(left.residence, kPi, 1e-8);
    EXPECT_NEAR(left.exposure, kPi + (10.0 - 2.5 * kPi), 1e-8);
    EXPECT_EQ(left.entries, 2);
    EXPECT_EQ(left.exits, 1);
    EXPECT_TRUE(left.inside_at_end);
    EXPECT_NEAR(found.stay(1, 0).exposure + found.stay(1, 1).exposure, 10.0, 1e-8);
    EXPECT_EQ(found.ends[2].reason, Termination::SeedOutside);
    EXPECT_EQ(found.stay(2, 0).exposure, 0.0);
    EXPECT_THAT(found.stay(2, 1).first_entry, IsNan());
    EXPECT_FALSE(found.stay(2, 1).inside_at_end);
    EXPECT_EQ(found.visits.size(), 13U) << "three of each in each, and one that begins on the border of both";
  }
}

TEST(ResidenceTimes, EndWithTheParticleThatLeavesTheDomain)
{
  FlowInTime flow(cube_grid(9, 1.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  const ResidenceQuery query{
    .regions = { slab(-0.25, 0.5), slab(0.5, 3.0), slab(2.0, 3.0) }, .start = 0.0, .end = 4.0
  };
  const ResidenceTimes found = residence(flow, { { -1, 0, 0 } }, query, exact());
  EXPECT_EQ(found.ends[0].reason, Termination::OutOfDomain);
  EXPECT_THAT(found.stay(0, 0).residence, DoubleNear(0.75, 1e-12));
  EXPECT_THAT(found.stay(0, 0).first_entry, DoubleNear(0.75, 1e-12));
  EXPECT_THAT(found.stay(0, 1).exposure, DoubleNear(0.5, 1e-12)) << "up to the border of the grid";
  EXPECT_TRUE(found.stay(0, 1).inside_at_end);
  EXPECT_THAT(found.stay(0, 1).first_exit, IsNan());
  EXPECT_EQ(found.stay(0, 2).exposure, 0.0);
}

TEST(ResidenceTimes, BackwardAreAgesInTheRegion)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 2, 4 }, turning(1.0, 0.0));
  const ResidenceQuery query{ .regions = { below(0.0) }, .start = 4.0, .end = 0.0 };
  for (const bool calls : { false, true })
  {
    const ResidenceTimes found = residence(flow, { { -1, 0, 0 } }, query, exact(), calls);
    EXPECT_DOUBLE_EQ(found.stay(0, 0).first_entry, 4.0);
    EXPECT_NEAR(found.stay(0, 0).first_exit, 4.0 - 0.5 * kPi, 1e-8);
    EXPECT_NEAR(found.stay(0, 0).residence, 0.5 * kPi, 1e-8);
    EXPECT_NEAR(found.stay(0, 0).exposure, 0.5 * kPi, 1e-8);
  }
}

VelocityInTime stirred()
{
  return [](const Vec3& x, double t)
  {
    return Vec3{ std::sin(2 * x[1] + t), std::cos(2 * x[0]), 0.5 * std::sin(x[0] + x[1]) };
  };
}

std::vector<Vec3> many_seeds()
{
  std::vector<Vec3> seeds;
  for (int i = 0; i < 60; ++i)
  {
    seeds.push_back({ -1.5 + 0.05 * i, 1.2 * std::sin(1.0 * i), 0.3 * std::cos(2.0 * i) });
  }
  return seeds;
}

TEST(ResidenceTimes, AreThoseOfPathsThatAreSampledDensely)
{
  FlowInTime flow(cube_grid(33, 2.0), { 0, 1, 2, 3, 4, 5, 6 }, stirred());
  const double radius = 0.8;
  const auto side = [=](const Vec3& x)
  {
    return std::hypot(x[0] - 0.3, x[1], x[2]) - radius;
  };
  const ResidenceQuery query{ .regions = { *function_region(side) }, .start = 0.0, .end = 6.0 };
  const ResidenceTimes found = residence(flow, many_seeds(), query, exact());
  PathlineOptions dense = timed_steps(Integrator::RungeKutta4, 0.002);
  std::int64_t visits = 0;
  for (std::size_t seed = 0; seed < many_seeds().size(); ++seed)
  {
    const TracedLines lines = flow.trace({ { many_seeds()[seed], 0.0 } }, dense);
    double exposure = 0.0;
    const auto points = lines.points.size() / 3;
    for (std::size_t i = 1; i < points; ++i)
    {
      const float* const p = lines.points.data() + 3 * i;
      const bool in = side({ p[0], p[1], p[2] }) <= 0.0;
      const bool before = side({ p[-3], p[-2], p[-1] }) <= 0.0;
      const double step = lines.time[i] - lines.time[i - 1];
      exposure += step * ((in ? 0.5 : 0.0) + (before ? 0.5 : 0.0));
    }
    const Stay& stay = found.stay(static_cast<std::int64_t>(seed), 0);
    EXPECT_NEAR(stay.exposure, exposure, 0.001 * static_cast<double>(stay.entries + stay.exits) + 1e-4) << seed;
    EXPECT_LE(std::abs(stay.entries - stay.exits), 1);
    EXPECT_GE(stay.exposure, stay.residence);
    visits += stay.entries + stay.exits;
  }
  EXPECT_GT(visits, 20);
}

TEST(ResidenceTimes, HaveTheSameBytesForAnyThreadsBricksAndCalls)
{
  const ResidenceQuery query{ .regions = { slab(-0.2, 0.4), slab(0.4, 0.9), below(-0.2) }, .start = 0.0, .end = 6.0 };
  std::optional<ResidenceTimes> expected;
  for (const Int3& bricks : { Int3{ 32, 32, 32 }, Int3{ 5, 7, 3 } })
  {
    for (const bool calls : { false, true })
    {
      for (const int threads : { 1, 3 })
      {
        FlowInTime flow(cube_grid(33, 2.0), { 0, 1, 2, 3, 4, 5, 6 }, stirred(), bricks);
        ResidenceTimes found = residence(flow, many_seeds(), query, {}, calls, threads);
        if (!expected)
        {
          expected = std::move(found);
          continue;
        }
        ASSERT_EQ(found.stays.size(), expected->stays.size());
        for (std::size_t i = 0; i < found.stays.size(); ++i)
        {
          EXPECT_EQ(found.stays[i].residence, expected->stays[i].residence) << i;
          EXPECT_EQ(found.stays[i].exposure, expected->stays[i].exposure) << i;
          EXPECT_EQ(found.stays[i].entries, expected->stays[i].entries) << i;
        }
        EXPECT_EQ(found.visits.size(), expected->visits.size());
      }
    }
  }
}

TEST(ResidenceTimes, RefuseQueriesWithoutRegionsOrTime)
{
  FlowInTime flow(cube_grid(5, 1.0), { 0, 4 }, turning(1.0, 0.0));
  const auto refused = [&](const ResidenceQuery& query)
  {
    const auto context = residence_context(flow.field(), {}, query, {});
    return context ? "" : context.error().describe();
  };
  EXPECT_THAT(refused({ .regions = {}, .start = 0, .end = 1 }), testing::HasSubstr("0 regions"));
  EXPECT_THAT(
      refused({ .regions = std::vector<Region>(65, below(0)), .start = 0, .end = 1 }), testing::HasSubstr("65"));
  EXPECT_THAT(refused({ .regions = { below(0) }, .start = 1, .end = 1 }), testing::HasSubstr("two different times"));
  EXPECT_THAT(refused({ .regions = { below(0) }, .start = 0, .end = 5 }), testing::HasSubstr("lie outside"));
}

} // namespace
} // namespace rivulet::test
