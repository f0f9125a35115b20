// SPDX-License-Identifier: BSD-3-Clause
// Visits of regions that begin and end within one step.
#include "Core/Trace/FlowInTime.h"
#include "Trace/SourceDestination.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace rivulet::test
{
namespace
{

Region ball_of(const Vec3& centre, double radius)
{
  return *function_region(
      [=](const Vec3& x)
      {
        const Vec3 d{ x[0] - centre[0], x[1] - centre[1], x[2] - centre[2] };
        return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - radius * radius; // as an implicit function, no distance
      });
}

/// Arrival times of particles from some places, by their number.
std::map<std::int64_t, double> arrivals(FlowInTime& flow, const std::vector<Vec3>& places, const Region& destination,
    double end, const PathlineOptions& options)
{
  const SourceDestinationQuery query{ .sources = { *box_region({}) },
    .destinations = { destination },
    .seeds = { { .places = places } },
    .release_times = { 0.0 },
    .end = end };
  const Result<SourceDestinationResult> result = find_hits(flow.field(), {}, query, options, { 2, {} });
  EXPECT_TRUE(result.has_value());
  std::map<std::int64_t, double> times;
  for (const Hit& hit : result->hits)
  {
    times[hit.seed] = hit.arrival_time;
  }
  return times;
}

TEST(CornerCuts, OfBoxesByStraightPathsAreFound)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 8.0 }, [](const Vec3&, double) { return Vec3{ 1.0, 1.0, 0.0 }; });
  std::vector<Vec3> places;
  std::vector<double> depths;
  for (int i = 0; i < 600; ++i)
  {
    const double depth = std::pow(10.0, -5.0 + 4.0 * (i / 2) / 299.0) * (i % 2 == 0 ? 1.0 : -1.0);
    depths.push_back(depth);
    places.push_back({ -1.3 + 0.0007 * i, -1.3 + 0.0007 * i + 0.3 - depth, 0.1 }); // y - x = 0.3 - depth
  }
  // At the corner (0.2, 0.5) y - x is 0.3.
  const Region region = *box_region({ { 0.2, -2.0, -1.0 }, { 2.0, 0.5, 1.0 } });
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    PathlineOptions options;
    options.integrator = integrator;
    const std::map<std::int64_t, double> found = arrivals(flow, places, region, 8.0, options);
    for (std::size_t i = 0; i < places.size(); ++i)
    {
      const bool hits = depths[i] > 0.0;
      ASSERT_EQ(found.count(static_cast<std::int64_t>(i)), hits ? 1U : 0U) << depths[i];
      if (hits)
      {
        ASSERT_NEAR(found.at(static_cast<std::int64_t>(i)), 0.2 - places[i][0], 1e-9) << depths[i];
      }
    }
  }
}

TEST(CornerCuts, OfBallsByCirclesAreFound)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0.0, 8.0 }, turning(1.0, 0.0), { 4, 4, 4 });
  std::vector<Vec3> places;
  std::vector<double> depths;
  for (int i = 0; i < 600; ++i)
  {
    const double depth = std::pow(10.0, -4.5 + 3.5 * (i / 2) / 299.0) * (i % 2 == 0 ? 1.0 : -1.0);
    depths.push_back(depth);
    const double angle = -1.0 - 0.0013 * i;
    const double radius = 1.0 + depth; // the ball begins at 1 from the axis
    places.push_back({ radius * std::cos(angle), radius * std::sin(angle), 0.0 });
  }
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    PathlineOptions options;
    options.integrator = integrator;
    options.initial_step = integrator == Integrator::RungeKutta4 ? 0.4 : 0.2;
    const std::map<std::int64_t, double> found = arrivals(flow, places, ball_of({ 1.4, 0, 0 }, 0.4), 4.0, options);
    for (std::size_t i = 0; i < places.size(); ++i)
    {
      EXPECT_EQ(found.count(static_cast<std::int64_t>(i)), depths[i] > 0.0 ? 1U : 0U) << depths[i];
    }
  }
}

/// A particle that goes along a surface takes ordinary steps.
TEST(CornerCuts, AreNotSearchedAlongASurface)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0.0, 2.0 }, along_x([](double) { return 1.0; }));
  for (const double distance : { 0.0, 1e-12, 1e-6, 1e-3 })
  {
    const SourceDestinationQuery query{ .sources = { *box_region({}) },
      .destinations = { *box_region({ { -2, -2, -2 }, { 2, 2, -0.5 } }) },
      .seeds = { { .places = std::vector<Vec3>{ { -1, 0, -0.5 + distance } } } },
      .release_times = { 0.0 },
      .end = 2.0 };
    const Result<SourceDestinationResult> result = find_hits(flow.field(), {}, query, {}, { 1, {} });
    ASSERT_TRUE(result.has_value());
    EXPECT_LT(result->steps, 100) << distance;
  }
}

} // namespace
} // namespace rivulet::test
