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

/// Walls across x, 0.02 thick and 0.02 apart: the cells are 25 times as long.
constexpr int kWalls = 5;
constexpr double kThick = 0.02;

WorldBox wall(int number)
{
  const double low = 0.1 + 2.0 * kThick * number;
  return { { low, -3, -3 }, { low + kThick, 3, 3 } };
}

/// The walls as one closed surface.
Region walls_of_triangles()
{
  std::vector<Vec3> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (int i = 0; i < kWalls; ++i)
  {
    const auto first = static_cast<std::int32_t>(points.size());
    const WorldBox box = wall(i);
    for (int corner = 0; corner < 8; ++corner)
    {
      points.push_back({ (corner & 1) != 0 ? box.upper[0] : box.lower[0],
          (corner & 2) != 0 ? box.upper[1] : box.lower[1], (corner & 4) != 0 ? box.upper[2] : box.lower[2] });
    }
    for (const std::array<std::int32_t, 4>& f : { std::array{ 0, 2, 6, 4 }, std::array{ 1, 5, 7, 3 },
             std::array{ 0, 4, 5, 1 }, std::array{ 2, 3, 7, 6 }, std::array{ 0, 1, 3, 2 }, std::array{ 4, 6, 7, 5 } })
    {
      triangles.push_back({ first + f[0], first + f[1], first + f[2] });
      triangles.push_back({ first + f[0], first + f[2], first + f[3] });
    }
  }
  return *surface_region(points, triangles);
}

/// Particles on circles cross each wall twice: upward and downward.
TEST(ResidenceTimes, HaveTheVisitsToWallsMuchThinnerThanAStep)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 3, 2.0 * kPi }, turning(1.0, 0.0));
  std::vector<Vec3> seeds;
  for (int i = 0; i < 100; ++i)
  {
    const double angle = kPi + 0.004 * i;
    const double radius = 0.7 + 0.012 * i;
    seeds.push_back({ radius * std::cos(angle), radius * std::sin(angle), 0.01 * i });
  }
  const auto time_between = [](double low, double high, double radius)
  {
    return 2.0 * (std::acos(low / radius) - std::acos(high / radius));
  };
  ResidenceQuery query{ .regions = { walls_of_triangles() }, .start = 0.0, .end = 2.0 * kPi };
  for (int i = 0; i < kWalls; ++i)
  {
    query.regions.push_back(*box_region(wall(i)));
  }
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    PathlineOptions options = exact();
    options.integrator = integrator;
    const ResidenceTimes found = residence(flow, seeds, query, options);
    for (std::size_t seed = 0; seed < seeds.size(); ++seed)
    {
      const double radius = std::hypot(seeds[seed][0], seeds[seed][1]);
      double together = 0.0;
      for (int i = 0; i < kWalls; ++i)
      {
        const Stay& stay = found.stay(static_cast<std::int64_t>(seed), 1 + i);
        const double expected = time_between(wall(i).lower[0], wall(i).upper[0], radius);
        ASSERT_EQ(stay.entries, 2) << seed << ' ' << i;
        ASSERT_EQ(stay.exits, 2) << seed << ' ' << i;
        ASSERT_NEAR(stay.exposure, expected, 1e-4) << seed << ' ' << i;
        together += expected;
      }
      const Stay& all = found.stay(static_cast<std::int64_t>(seed), 0);
      ASSERT_EQ(all.entries, 2 * kWalls) << seed;
      ASSERT_EQ(all.exits, 2 * kWalls) << seed;
      ASSERT_NEAR(all.exposure, together, 1e-3) << seed;
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
