// SPDX-License-Identifier: BSD-3-Clause
// Which particles arrive where and when, against closed forms and pathlines that are looked at point by point.
#include "Core/Trace/FlowInTime.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/SourceDestination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace rivulet::test
{
namespace
{

Region box_of(const Vec3& lower, const Vec3& upper)
{
  return *box_region({ lower, upper });
}

Region ball_of(const Vec3& centre, double radius)
{
  return *function_region([=](const Vec3& x)
      { return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]) - radius; },
      { { centre[0] - radius, centre[1] - radius, centre[2] - radius },
          { centre[0] + radius, centre[1] + radius, centre[2] + radius } });
}

/// A query from the whole field, with given seeds.
SourceDestinationQuery from_points(std::vector<Vec3> points, std::vector<Region> destinations, double end)
{
  return { .sources = { *box_region({}) },
    .destinations = std::move(destinations),
    .seeds = { { .places = std::move(points) } },
    .release_times = { 0.0 },
    .end = end };
}

SourceDestinationResult ask(
    FlowInTime& flow, const SourceDestinationQuery& query, const PathlineOptions& options, int threads = 1)
{
  Result<SourceDestinationResult> result = find_hits(flow.field(), {}, query, options, { threads, {} });
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().describe());
  EXPECT_EQ(result->data_error, nullptr);
  EXPECT_EQ(std::accumulate(result->ends.begin(), result->ends.end(), std::int64_t{ 0 }), result->particles);
  return std::move(*result);
}

std::int64_t ended(const SourceDestinationResult& result, Termination reason)
{
  return result.ends.at(static_cast<std::size_t>(reason));
}

TEST(SourceDestination, ArrivalsInUniformFlowAreExact)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 3 }, along_x([](double t) { return 1.0 + t; }), { 2, 2, 2 });
  const Region source = box_of({ -2, -1, -1 }, { -1, 1, 1 });
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    SourceDestinationQuery query{ .sources = { source },
      .destinations = { box_of({ 0.3, -0.7, -2 }, { 1, 2, 2 }) },
      .seeds = { *lattice_seeds(source.bounds, flow.field().grid, 0.25) },
      .release_times = { 0.0, 0.25, 0.5, 0.8 },
      .end = 1.5 };
    const SourceDestinationResult result = ask(flow, query, timed_steps(integrator, 0.2));
    EXPECT_EQ(result.released, (std::vector<std::int64_t>{ 4 * 256 }));
    std::int64_t expected = 0;
    for (const double release : query.release_times)
    {
      for (int i = 0; i < 4; ++i)
      {
        // x grows by t + t^2 / 2 up to the end; 56 of the 64 seeds across are above y = -0.7.
        const double way = 0.3 - (-1.875 + 0.25 * i);
        expected += way <= 2.625 - release - 0.5 * release * release ? 56 : 0;
      }
    }
    EXPECT_EQ(result.hits.size(), static_cast<std::size_t>(expected));
    EXPECT_EQ(result.hit_counts, (std::vector<std::int64_t>{ expected }));
    for (const Hit& hit : result.hits)
    {
      const double way = 0.3 - hit.release_point[0];
      const double since_zero = way + hit.release_time + 0.5 * hit.release_time * hit.release_time;
      ASSERT_NEAR(hit.arrival_time, std::sqrt(1.0 + 2.0 * since_zero) - 1.0, 1e-13);
      ASSERT_NEAR(hit.arrival_point[0], 0.3, 1e-13);
      ASSERT_NEAR(hit.arrival_point[1], hit.release_point[1], 1e-13);
      ASSERT_NEAR(hit.length, way, 1e-13);
    }
  }
}

TEST(SourceDestination, BackwardParticlesArriveWhereTheyCameFrom)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 3 }, along_x([](double) { return 1.0; }), { 2, 2, 2 });
  SourceDestinationQuery query = from_points({ { 1, 0, 0 } }, { box_of({ -2, -2, -2 }, { -0.5, 2, 2 }) }, 0.25);
  query.release_times = { 2.5, 2.0, 1.5 };
  const SourceDestinationResult result = ask(flow, query, timed_steps(Integrator::RungeKutta4, 0.2));
  ASSERT_EQ(result.hits.size(), 2U); // the last one would need to go back to 0
  EXPECT_EQ(result.hits[0].release_time, 2.0);
  EXPECT_NEAR(result.hits[0].arrival_time, 0.5, 1e-13);
  EXPECT_NEAR(result.hits[1].arrival_time, 1.0, 1e-13);
  const std::vector<std::int64_t> bins =
      *arrival_histograms(result, std::vector<double>{ 1.4, 1.6 }, ArrivalTime::SinceRelease);
  EXPECT_EQ(bins, (std::vector<std::int64_t>{ 0, 2, 0 }));
}

// Turning at the rate 1, all come into the quadrant of x < 0 and y > 0 at a quarter turn from the x axis.
TEST(SourceDestination, ARotationBringsParticlesRoundInTime)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 4, 8 }, turning(1.0, 0.0), { 4, 4, 4 });
  const Region source = ball_of({ 1, 0.5, 0 }, 0.4);
  const SourceDestinationQuery query{ .sources = { source },
    .destinations = { box_of({ -2, 0, -2 }, { 0, 2, 2 }), box_of({ -2, -2, -2 }, { 0, 0, 0 }) },
    .seeds = { *lattice_seeds(source.bounds, flow.field().grid, 0.1) },
    .release_times = { 1.0 },
    .end = 3.5 };
  const SourceDestinationResult result = ask(flow, query, timed_steps(Integrator::RungeKutta4, 0.02));
  std::array<std::int64_t, 2> expected{ 0, 0 };
  for (const Hit& hit : result.hits)
  {
    const double angle = std::atan2(hit.release_point[1], hit.release_point[0]);
    const double quarter = 0.5 * std::numbers::pi * (hit.destination + 1);
    ASSERT_NEAR(hit.arrival_time, 1.0 + quarter - angle, 1e-7);
    ASSERT_NEAR(hit.length, std::hypot(hit.release_point[0], hit.release_point[1]) * (quarter - angle), 1e-6);
    ASSERT_TRUE(hit.destination == 0 || hit.release_point[2] <= 0.0);
    ++expected.at(static_cast<std::size_t>(hit.destination));
  }
  // All get to the first; to the second those below whose angle is at least pi - 2.5.
  EXPECT_EQ(expected[0], result.released[0]);
  EXPECT_GT(expected[1], 20);
  EXPECT_LT(expected[1], result.released[0] / 2);
  EXPECT_EQ(result.hit_counts, (std::vector<std::int64_t>{ expected[0], expected[1] }));
}

TEST(SourceDestination, AShearBringsLayersLaterTheSlowerTheyAre)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1, 4 }, [](const Vec3& x, double) { return Vec3{ x[1], 0.0, 0.0 }; });
  std::vector<Vec3> points;
  for (int j = -10; j <= 10; ++j)
  {
    points.push_back({ 0.0, 0.15 * j, 0.1 });
  }
  const SourceDestinationResult result =
      ask(flow, from_points(points, { box_of({ 1, -2, -2 }, { 2, 2, 2 }) }, 4.0), PathlineOptions());
  ASSERT_EQ(result.hits.size(), 9U); // 1 / y <= 4
  for (const Hit& hit : result.hits)
  {
    EXPECT_NEAR(hit.arrival_time, 1.0 / hit.release_point[1], 1e-12);
    EXPECT_EQ(hit.seed, 10 + std::lround(hit.release_point[1] / 0.15));
  }
}

TEST(SourceDestination, OnlyTheFirstArrivalCountsAndTheLastDestinationEndsTheWay)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 50 }, turning(1.0, 0.0), { 4, 4, 4 });
  std::vector<Region> destinations{ box_of({ -2, -2, -2 }, { 0, 2, 2 }) };
  const PathlineOptions steps = timed_steps(Integrator::RungeKutta4, 0.1);
  const std::vector<Vec3> points{ { 1, 0.1, 0 } };
  const SourceDestinationResult one = ask(flow, from_points(points, destinations, 50), steps);
  ASSERT_EQ(one.hits.size(), 1U);
  EXPECT_NEAR(one.hits[0].arrival_time, 0.5 * std::numbers::pi - std::atan(0.1), 1e-4);
  EXPECT_EQ(ended(one, Termination::Crossed), 1);
  EXPECT_LT(one.steps, 20);
  destinations.push_back(box_of({ -2, -2, 1 }, { 2, 2, 2 })); // it never gets there
  const SourceDestinationResult round = ask(flow, from_points(points, destinations, 50), steps);
  EXPECT_EQ(round.hits.size(), 1U);
  EXPECT_EQ(ended(round, Termination::OutOfTime), 1);
  EXPECT_GT(round.steps, 400);
}

TEST(SourceDestination, ParticlesMayEndAtTheirFirstHit)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  SourceDestinationQuery query = from_points({ { -1.5, 0, 0 } },
      { box_of({ 0.5, -1, -1 }, { 1, 1, 1 }), box_of({ -1, -1, -1 }, { -0.5, 1, 1 }),
          box_of({ 0, 1, 0 }, { 1, 2, 1 }) },
      4.0);
  const PathlineOptions steps = timed_steps(Integrator::RungeKutta4, 0.3);
  const SourceDestinationResult all = ask(flow, query, steps);
  ASSERT_EQ(all.hits.size(), 2U);
  EXPECT_EQ(all.hits[0].destination, 0);
  EXPECT_NEAR(all.hits[0].arrival_time, 2.0, 1e-13);
  EXPECT_NEAR(all.hits[1].arrival_time, 0.5, 1e-13);
  EXPECT_EQ(ended(all, Termination::OutOfDomain), 1);
  query.ends_at_first_hit = true;
  const SourceDestinationResult first = ask(flow, query, steps);
  ASSERT_EQ(first.hits.size(), 1U);
  EXPECT_EQ(first.hits[0].destination, 1);
  EXPECT_EQ(ended(first, Termination::Crossed), 1);
}

TEST(SourceDestination, WhoIsInsideAtTheReleaseHasArrived)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1, 4 }, along_x([](double) { return 1.0; }));
  SourceDestinationQuery query =
      from_points({ { 0.1, 0, 0 }, { -1.5, 0, 0 } }, { box_of({ 0, -1, -1 }, { 1, 1, 1 }), *box_region({}) }, 2.0);
  query.release_times = { 0.0, 1.0, 2.0 };
  const SourceDestinationResult result = ask(flow, query, timed_steps(Integrator::RungeKutta4, 0.3));
  ASSERT_EQ(result.hits.size(), 10U);
  EXPECT_EQ(result.hit_counts, (std::vector<std::int64_t>{ 4, 6 }));
  for (const Hit& hit : result.hits)
  {
    const bool at_once = hit.seed == 0 || hit.destination == 1;
    EXPECT_TRUE(!at_once || hit.arrival_time == hit.release_time);
    EXPECT_TRUE(!at_once || hit.length == 0.0);
    EXPECT_TRUE(at_once || std::fabs(hit.arrival_time - 1.5) < 1e-13); // released at 0
  }
}

TEST(SourceDestination, OverlapsBelongToAllSourcesUnlessTheSeedsAreForOne)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  const Region left = box_of({ -2, -1, -1 }, { 0, 1, 1 });
  const Region right = box_of({ -1, -1, -1 }, { 1, 1, 1 });
  SourceDestinationQuery query{ .sources = { left, right, box_of({ 0, 0, 0 }, { -1, 0, 0 }) },
    .destinations = { box_of({ 1.5, -2, -2 }, { 2, 2, 2 }) },
    .seeds = { *lattice_seeds({ { -2, -1, -1 }, { 1, 1, 1 } }, flow.field().grid, 0.5) },
    .release_times = { 0.0 },
    .end = 2.5 };
  const PathlineOptions steps = timed_steps(Integrator::RungeKutta4, 0.3);
  const SourceDestinationResult common = ask(flow, query, steps);
  EXPECT_EQ(common.particles, 6 * 16);
  EXPECT_EQ(common.released, (std::vector<std::int64_t>{ 64, 64, 0 }));
  EXPECT_EQ(common.hit_counts, (std::vector<std::int64_t>{ 32, 64, 0 })); // from x >= -1
  query.seeds = { *lattice_seeds(left.bounds, flow.field().grid, 0.5),
    *lattice_seeds(right.bounds, flow.field().grid, 0.5) };
  query.seeds[0].source = 0;
  query.seeds[1].source = 1;
  const SourceDestinationResult own = ask(flow, query, steps);
  EXPECT_EQ(own.particles, 128);
  EXPECT_EQ(own.released, common.released);
  EXPECT_EQ(own.hit_counts, common.hit_counts);
}

TEST(SourceDestination, SurfacesAndLabelsHitAsTheirBoxDoes)
{
  const Grid grid = cube_grid(17, 2.0);
  FlowInTime flow(grid, { 0, 1, 3 },
      [](const Vec3& x, double t) {
        return Vec3{ -x[1] + 0.3 * t, x[0], 0.2 * std::cos(x[0]) };
      });
  const WorldBox bounds{ { -1, 0.25, -0.5 }, { -0.25, 1.25, 0.75 } };
  std::vector<Vec3> points;
  for (int corner = 0; corner < 8; ++corner)
  {
    points.push_back({ (corner & 1) != 0 ? bounds.upper[0] : bounds.lower[0],
        (corner & 2) != 0 ? bounds.upper[1] : bounds.lower[1], (corner & 4) != 0 ? bounds.upper[2] : bounds.lower[2] });
  }
  const std::vector<std::array<std::int32_t, 3>> triangles{ { 0, 1, 3 }, { 0, 3, 2 }, { 4, 5, 7 }, { 4, 7, 6 },
    { 0, 1, 5 }, { 0, 5, 4 }, { 2, 3, 7 }, { 2, 7, 6 }, { 0, 2, 6 }, { 0, 6, 4 }, { 1, 3, 7 }, { 1, 7, 5 } };
  std::vector<std::int32_t> labels(static_cast<std::size_t>(volume(grid.cells())), 0);
  for (std::int64_t i = 0; i < volume(grid.cells()); ++i)
  {
    const Int3 cell = from_row_major(i, grid.cells()); // edge 0.25
    const bool in = cell[0] >= 4 && cell[0] < 7 && cell[1] >= 9 && cell[1] < 13 && cell[2] >= 6 && cell[2] < 11;
    labels[static_cast<std::size_t>(i)] = in ? 4 : 0;
  }
  const Region source = ball_of({ 0.7, 0.2, 0 }, 0.6);
  const SourceDestinationQuery query{ .sources = { source },
    .destinations = { *box_region(bounds), *surface_region(points, triangles),
        *label_region(grid, labels, Centering::Cell, 4) },
    .seeds = { *lattice_seeds(source.bounds, grid, std::int64_t{ 700 }) },
    .release_times = { 0.0, 1.5 },
    .end = 3.0 };
  const SourceDestinationResult result = ask(flow, query, timed_steps(Integrator::RungeKutta4, 0.05));
  EXPECT_GT(result.hit_counts[0], 100);
  EXPECT_LT(result.hit_counts[0], result.released[0]);
  EXPECT_EQ(result.hit_counts[1], result.hit_counts[0]);
  EXPECT_EQ(result.hit_counts[2], result.hit_counts[0]);
  for (std::size_t i = 0; i < result.hits.size(); i += 3)
  {
    for (std::size_t other = 1; other < 3; ++other)
    {
      ASSERT_EQ(result.hits[i + other].seed, result.hits[i].seed);
      ASSERT_NEAR(result.hits[i + other].arrival_time, result.hits[i].arrival_time, 1e-9);
    }
  }
}

/// Flow that nobody could follow in the head.
VelocityInTime stirring()
{
  return [](const Vec3& x, double t)
  {
    return Vec3{ 1.6 * std::sin(1.2 * x[1] + t), (1 + 0.5 * t) * std::cos(1.2 * x[0]), 0.5 * std::sin(x[2] + 2 * t) };
  };
}

// Pathlines traced in full with fine steps: the first point in a region, and the time at which the way in goes over its
// border.
TEST(SourceDestination, HitsAreThoseOfPathlinesLookedAtPointByPoint)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1.0, 1.2, 2.0 }, stirring());
  const std::vector<Region> destinations{ ball_of({ 1, 1, 0 }, 0.5), box_of({ -2, 1, -2 }, { 2, 2, 2 }),
    ball_of({ 0, -1, 0.5 }, 0.4) };
  SourceDestinationQuery query{ .sources = { ball_of({ 0, 0, 0 }, 0.9) },
    .destinations = destinations,
    .seeds = { *lattice_seeds({ { -1, -1, -1 }, { 1, 1, 1 } }, flow.field().grid, std::int64_t{ 343 }) },
    .release_times = { 0.1, 0.9 },
    .end = 1.9 };
  const SourceDestinationResult result = ask(flow, query, timed_steps(Integrator::RungeKutta4, 0.02));
  const GridGeometry lattice = *GridGeometry::create(std::get<Grid>(query.seeds[0].places));
  std::vector<PathSeed> seeds;
  for (const double time : query.release_times)
  {
    for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
    {
      seeds.push_back({ lattice.world_of_node(from_row_major(i, lattice.nodes())), time });
    }
  }
  PathlineOptions fine = timed_steps(Integrator::RungeKutta4, 0.002);
  fine.last_time = query.end;
  const TracedLines lines = flow.trace(seeds, fine);
  std::map<std::tuple<std::int64_t, double, std::int32_t>, double> expected;
  std::map<std::tuple<std::int64_t, double, std::int32_t>, double> touched; // hardly
  for (const TracedLine& line : lines.lines)
  {
    const PathSeed& seed = seeds[static_cast<std::size_t>(line.seed)];
    if (!query.sources[0].contains(seed.point, -1))
    {
      continue;
    }
    for (std::int32_t d = 0; d < 3; ++d)
    {
      const std::tuple key(line.seed % volume(lattice.nodes()), seed.time, d);
      double deepest = 1.0;
      double before = 0.0;
      for (std::int64_t i = line.first_point; i < line.first_point + line.points; ++i)
      {
        const auto p = static_cast<std::size_t>(i);
        const Vec3 place{ lines.points[3 * p], lines.points[3 * p + 1], lines.points[3 * p + 2] };
        const double side = destinations[static_cast<std::size_t>(d)].side(place, -1);
        if (side <= 0.0 && !expected.contains(key))
        {
          const double share = i > line.first_point ? before / (before - side) : 1.0;
          expected[key] =
              i > line.first_point ? lines.time[p - 1] + share * (lines.time[p] - lines.time[p - 1]) : lines.time[p];
        }
        before = side;
        deepest = std::min(deepest, side);
      }
      if (deepest > -0.003)
      {
        touched[key] = deepest;
      }
    }
  }
  std::size_t agreed = 0;
  for (const Hit& hit : result.hits)
  {
    const std::tuple key(hit.seed, hit.release_time, hit.destination);
    ASSERT_TRUE(expected.contains(key) || touched.contains(key)) << hit.seed << ' ' << hit.destination;
    if (expected.contains(key) && !touched.contains(key))
    {
      ASSERT_NEAR(hit.arrival_time, expected[key], 2e-4) << hit.seed << ' ' << hit.destination;
      ++agreed;
    }
    expected.erase(key);
  }
  EXPECT_GT(agreed, 100U);
  EXPECT_LT(agreed, seeds.size());
  for (const auto& [key, time] : expected)
  {
    EXPECT_TRUE(touched.contains(key)) << "seed " << std::get<0>(key) << " arrives at " << time << " and was missed";
  }
}

TEST(SourceDestination, LinesOfHitsEndWhereTheyArrive)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1.0, 1.2, 2.0 }, stirring());
  for (const bool backward : { false, true })
  {
    SourceDestinationQuery query{ .sources = { ball_of({ 0, 0, 0 }, 0.9) },
      .destinations = { backward ? box_of({ -2, -2, -2 }, { 2, -1, 2 }) : box_of({ -2, 1, -2 }, { 2, 2, 2 }) },
      .seeds = { *lattice_seeds({ { -1, -1, -1 }, { 1, 1, 1 } }, flow.field().grid, std::int64_t{ 343 }) },
      .release_times = { backward ? 1.8 : 0.1 },
      .end = backward ? 0.1 : 1.9 };
    PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.03);
    const SourceDestinationResult result = ask(flow, query, options);
    const std::vector<PathSeed> seeds = seeds_of(result.hits);
    ASSERT_EQ(seeds.size(), result.hits.size());
    ASSERT_GT(seeds.size(), 10U);
    options.direction = backward ? TraceDirection::Backward : TraceDirection::Forward;
    const TracedLines lines = flow.trace(seeds, options);
    ASSERT_EQ(lines.lines.size(), seeds.size());
    for (std::size_t i = 0; i < seeds.size(); ++i)
    {
      const Vec3 end = end_of(lines, i);
      ASSERT_EQ(lines.lines[i].reason, Termination::OutOfTime);
      ASSERT_EQ(lines.time[static_cast<std::size_t>(lines.lines[i].first_point + lines.lines[i].points - 1)],
          result.hits[i].arrival_time);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_NEAR(end[axis], result.hits[i].arrival_point[axis], 1e-6);
      }
    }
  }
}

TEST(SourceDestination, SeedsOfHitsGoToTheLastOne)
{
  const std::vector<Hit> hits{ { .seed = 3, .release_time = 5, .destination = 0, .arrival_time = 2 },
    { .seed = 3, .release_time = 5, .destination = 1, .arrival_time = 1 },
    { .seed = 3, .release_time = 5, .destination = 2, .arrival_time = 4 },
    { .seed = 3, .release_time = 6, .destination = 0, .arrival_time = 6 },
    { .seed = 4, .release_time = 6, .destination = 0, .arrival_time = 0 } };
  const std::vector<PathSeed> seeds = seeds_of(hits);
  ASSERT_EQ(seeds.size(), 3U);
  EXPECT_EQ(seeds[0].end, 1.0);
  EXPECT_EQ(seeds[1].end, 6.0);
  EXPECT_EQ(seeds[2].end, 0.0);
  EXPECT_TRUE(seeds_of({}).empty());
}

TEST(SourceDestination, HistogramsHaveEveryHitOnce)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 2.0 }, stirring());
  const SourceDestinationQuery query{ .sources = { ball_of({ 0, 0, 0 }, 0.9), ball_of({ 0.5, 0, 0 }, 0.5) },
    .destinations = { box_of({ -2, 1, -2 }, { 2, 2, 2 }), box_of({ 1, -2, -2 }, { 2, 2, 2 }),
        box_of({ 0, 0, 0 }, { -1, 0, 0 }) },
    .seeds = { *lattice_seeds({ { -1, -1, -1 }, { 1, 1, 1 } }, flow.field().grid, std::int64_t{ 343 }) },
    .release_times = { 0.0, 1.0 },
    .end = 2.0 };
  const SourceDestinationResult result = ask(flow, query, PathlineOptions());
  const std::vector<double> edges{ 0.5, 0.9, 1.1, 1.5 };
  for (const ArrivalTime kind : { ArrivalTime::SinceRelease, ArrivalTime::OfField })
  {
    const std::vector<std::int64_t> bins = *arrival_histograms(result, edges, kind);
    ASSERT_EQ(bins.size(), 2U * 3U * 5U);
    for (std::size_t pair = 0; pair < 6; ++pair)
    {
      const auto first = bins.begin() + static_cast<std::ptrdiff_t>(5 * pair);
      EXPECT_EQ(std::accumulate(first, first + 5, std::int64_t{ 0 }), result.hit_counts[pair]);
      EXPECT_EQ(first[2],
          std::count_if(result.hits.begin(), result.hits.end(),
              [&](const Hit& hit)
              {
                const double at = kind == ArrivalTime::OfField ? hit.arrival_time : hit.arrival_time - hit.release_time;
                return static_cast<std::size_t>(3 * hit.source + hit.destination) == pair && at >= 0.9 && at < 1.1;
              }));
    }
    EXPECT_EQ(result.hit_counts[2], 0);
    EXPECT_GT(result.hit_counts[3], 0);
  }
  for (const std::vector<double>& bad : { std::vector<double>{ 1 }, { 1, 1 }, { 2, 1 }, { 0, std::nan(""), 2 } })
  {
    EXPECT_FALSE(arrival_histograms(result, bad, ArrivalTime::OfField).has_value());
  }
}

TEST(SourceDestination, EdgesBelongToTheBinAboveAndTheLastToTheLastBin)
{
  SourceDestinationResult result;
  result.released = { 1 };
  result.hit_counts = { 5 };
  for (const double time : { 0.5, 1.0, 2.0, 3.0, 3.5 })
  {
    result.hits.push_back({ .arrival_time = time });
  }
  EXPECT_EQ(*arrival_histograms(result, std::vector<double>{ 1, 2, 3 }, ArrivalTime::OfField),
      (std::vector<std::int64_t>{ 1, 1, 2, 1 }));
}

TEST(SourceDestination, NothingToReleaseOrToHitIsNoError)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  const PathlineOptions steps = timed_steps(Integrator::RungeKutta4, 0.3);
  SourceDestinationQuery query{ .sources = { box_of({ 5, 5, 5 }, { 6, 6, 6 }), box_of({ 0.9, 0, 0 }, { -1, 1, 1 }) },
    .destinations = { box_of({ 1, 1, 1 }, { 0, 0, 0 }), box_of({ 9, 9, 9 }, { 10, 10, 10 }) },
    .seeds = { { .places = std::vector<Vec3>{ { 0, 0, 0 }, { 5.5, 5.5, 5.5 }, { 5.6, 5.6, 5.6 } } } },
    .release_times = { 0.0, 1.0 },
    .end = 2.5 };
  const SourceDestinationResult nothing = ask(flow, query, steps);
  EXPECT_EQ(nothing.particles, 0);
  EXPECT_EQ(nothing.released, (std::vector<std::int64_t>{ 0, 0 }));
  EXPECT_EQ(nothing.outside, 4);
  query.sources.push_back(*box_region({}));
  const SourceDestinationResult no_hits = ask(flow, query, steps);
  EXPECT_EQ(no_hits.particles, 2);
  EXPECT_EQ(no_hits.hit_counts, (std::vector<std::int64_t>(6, 0)));
  EXPECT_EQ(ended(no_hits, Termination::OutOfDomain), 1);
  query.seeds.clear();
  EXPECT_EQ(ask(flow, query, steps).particles, 0);
}

TEST(SourceDestination, RefusesWhatMakesNoSense)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  const SourceDestinationQuery good = from_points({ { 0, 0, 0 } }, { *box_region({}) }, 3.0);
  const auto error_of = [&](const std::function<void(SourceDestinationQuery&)>& change)
  {
    SourceDestinationQuery query = good;
    change(query);
    const Result<SourceDestinationResult> result = find_hits(flow.field(), {}, query, {}, {});
    EXPECT_FALSE(result.has_value());
    EXPECT_TRUE(result || result.error().code == ErrorCode::BadArgument);
    return result ? std::string() : result.error().describe();
  };
  using Query = SourceDestinationQuery;
  const double nan = std::nan("");
  EXPECT_NE(error_of([](Query& q) { q.sources.clear(); }).find("no source region"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.destinations.clear(); }).find("no destination"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.destinations.resize(65, q.destinations[0]); }).find("the most are 64"),
      std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.release_times.clear(); }).find("no release time"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.release_times = { 0, 1, 1 }; }).find("1 follows 1"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.release_times = { -1 }; }).find("lies outside"), std::string::npos);
  EXPECT_NE(error_of([&](Query& q) { q.release_times = { nan }; }).find("lies outside"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.release_times = { 2, 3.5 }; }).find("cannot end at 3"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.end = 5; }).find("from 0 to 4"), std::string::npos);
  EXPECT_NE(error_of([&](Query& q) { q.end = nan; }).find("cannot end"), std::string::npos);
  EXPECT_NE(error_of([&](Query& q) { q.sources[0].bounds.lower[1] = nan; }).find("not a number"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.destinations[0].side = nullptr; }).find("no function"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.seeds[0].source = 1; }).find("source region 1 of 1"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.most_particles = 0; }).find("chunks of 0"), std::string::npos);
  EXPECT_NE(error_of([](Query& q) { q.part = 1; }).find("part 1 of 1"), std::string::npos);
}

TEST(SourceDestination, TakesSixtyFourDestinations)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 4 }, along_x([](double) { return 1.0; }));
  std::vector<Region> destinations;
  for (int i = 0; i < 64; ++i)
  {
    const double x = -1.5 + 0.05 * i;
    destinations.push_back(box_of({ x, -1, -1 }, { x + 0.02, 1, 1 }));
  }
  const SourceDestinationResult result =
      ask(flow, from_points({ { -1.6, 0, 0 } }, destinations, 4.0), timed_steps(Integrator::RungeKutta4, 0.015));
  ASSERT_EQ(result.hits.size(), 64U);
  for (int i = 0; i < 64; ++i)
  {
    EXPECT_EQ(result.hits[static_cast<std::size_t>(i)].destination, i);
    EXPECT_NEAR(result.hits[static_cast<std::size_t>(i)].arrival_time, 0.1 + 0.05 * i, 1e-12);
  }
  EXPECT_EQ(ended(result, Termination::Crossed), 1);
}

// A particle that goes round and round through a region leaves one entry, and one without a hit none.
TEST(SourceDestination, AHitIsAllThatIsKept)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 50 }, turning(1.0, 0.0), { 4, 4, 4 });
  const std::vector<PathSeed> seeds(100, { { 1, 0.1, 0 }, 0.0 });
  const SourceDestinationQuery query =
      from_points({}, { box_of({ -2, -2, -2 }, { 0, 2, 2 }), box_of({ -2, -2, 1 }, { 2, 2, 2 }) }, 50.0);
  const AdvectionContext context = *hit_context(flow.field(), {}, query, timed_steps(Integrator::RungeKutta4, 0.1));
  std::vector<Surface> surfaces;
  for (const Region& region : query.destinations)
  {
    surfaces.push_back({ .side = region.side });
  }
  FixedSeeds source(context, seeds);
  HitRecorder recorder(surfaces);
  EXPECT_EQ(advect(context, source, recorder, { 2, {} }).data_error, nullptr);
  std::size_t entries = 0;
  recorder.for_each_entry([&](const Crossing& entry) { entries += entry.surface == 0 ? 1 : 1000; });
  EXPECT_EQ(entries, seeds.size());
}

} // namespace
} // namespace rivulet::test
