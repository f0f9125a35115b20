// SPDX-License-Identifier: BSD-3-Clause
// Queries have the same bytes for any chunks, threads, bricks, parts, and at once or interval by interval.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Trace/SourceDestination.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

namespace rivulet::test
{
namespace
{

const std::vector<double> kTimes{ 0, 0.5, 1.0, 1.2, 2.0 };

VelocityInTime stirring()
{
  return [](const Vec3& x, double t)
  {
    return Vec3{ 1.6 * std::sin(1.2 * x[1] + t), (1 + 0.5 * t) * std::cos(1.2 * x[0]), 0.5 * std::sin(x[2] + 2 * t) };
  };
}

Region ball_of(const Vec3& centre, double radius)
{
  return *function_region([=](const Vec3& x)
      { return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]) - radius; },
      { { centre[0] - radius, centre[1] - radius, centre[2] - radius },
          { centre[0] + radius, centre[1] + radius, centre[2] + radius } });
}

/// Releases at steps of the field and between, before and after other particles have ended.
SourceDestinationQuery query_of(FlowInTime& flow, bool backward)
{
  const Region inner = ball_of({ 0, 0, 0 }, 0.9);
  SourceDestinationQuery query{ .sources = { inner, ball_of({ 0.5, 0, 0 }, 0.5) },
    .destinations = { ball_of({ 1, 1, 0 }, 0.5), *box_region({ { -2, -2, -2 }, { -1, 2, 2 } }),
        ball_of({ 0.5, 0, 0.5 }, 0.4) },
    .seeds = { *lattice_seeds(inner.bounds, flow.field().grid, std::int64_t{ 1000 }),
        { .places = std::vector<Vec3>{ { 0.1, 0.1, 0.1 }, { 1.9, 0, 0 }, { 0.6, 0, 0 } } } },
    .release_times = { 0.1, 0.5, 1.1, 1.9 },
    .end = 1.9 };
  if (backward)
  {
    query.release_times = { 2.0, 1.2, 0.9 };
    query.end = 0.2;
  }
  return query;
}

PathlineOptions adaptive()
{
  PathlineOptions options;
  options.maximum_error = 1e-5;
  options.maximum_time = 1.3;
  return options;
}

std::string bytes_of(const SourceDestinationResult& result)
{
  std::string bytes;
  for (const Hit& hit : result.hits)
  {
    append(bytes, &hit.seed, 1);
    append(bytes, hit.release_point.data(), 3);
    append(bytes, &hit.release_time, 1);
    append(bytes, &hit.source, 1);
    append(bytes, &hit.destination, 1);
    append(bytes, &hit.arrival_time, 1);
    append(bytes, hit.arrival_point.data(), 3);
    append(bytes, &hit.length, 1);
  }
  append(bytes, result.released.data(), result.released.size());
  append(bytes, result.hit_counts.data(), result.hit_counts.size());
  append(bytes, result.ends.data(), result.ends.size());
  append(bytes, &result.particles, 1);
  append(bytes, &result.outside, 1);
  append(bytes, &result.steps, 1);
  return bytes;
}

/// How the calls of a march divide the intervals: the number held at a time, and the number of calls.
struct Calls
{
  std::int32_t at_a_time = 1;
  int count = 0;
};

SourceDestinationResult march(FlowInTime& flow, const SourceDestinationQuery& query, int threads, Calls& calls)
{
  AdvectionContext context = *hit_context(flow.field(), {}, query, adaptive());
  Result<HitMarch> march = HitMarch::create(query, kTimes, adaptive());
  EXPECT_TRUE(march.has_value());
  const bool backward = query.end < query.release_times.front();
  while (const std::optional<IntervalRange> next = march->next())
  {
    IntervalRange held = *next;
    (backward ? held.first : held.last) = backward ? std::max(next->first, next->last - calls.at_a_time + 1)
                                                   : std::min(next->last, next->first + calls.at_a_time - 1);
    context.set_intervals(held.first, held.last);
    const Result<void> done = march->go_on(context, { threads, {} });
    EXPECT_TRUE(done.has_value());
    EXPECT_LT(++calls.count, 1000);
    if (!done || calls.count >= 1000)
    {
      break;
    }
  }
  return march->take();
}

TEST(HitMarch, IsTheSameForAnyChunksThreadsBricksAndIntervalsHeld)
{
  for (const bool backward : { false, true })
  {
    std::string expected;
    for (const Int3& bricks : { Int3{ 32, 32, 32 }, Int3{ 3, 4, 5 } })
    {
      FlowInTime flow(cube_grid(17, 2.0), kTimes, stirring(), bricks);
      SourceDestinationQuery query = query_of(flow, backward);
      for (const auto& [most, threads] : { std::pair{ 1 << 20, 1 }, { 1 << 20, 3 }, { 900, 3 }, { 1, 1 } })
      {
        query.most_particles = most;
        const Result<SourceDestinationResult> at_once = find_hits(flow.field(), {}, query, adaptive(), { threads, {} });
        ASSERT_TRUE(at_once.has_value());
        expected = expected.empty() ? bytes_of(*at_once) : expected;
        ASSERT_TRUE(bytes_of(*at_once) == expected) << threads << " threads, chunks of " << most;
        for (const std::int32_t at_a_time : { 1, 2 })
        {
          Calls calls{ at_a_time };
          ASSERT_TRUE(bytes_of(march(flow, query, threads, calls)) == expected)
              << threads << " threads, chunks of " << most << ", intervals held: " << at_a_time;
        }
      }
    }
    EXPECT_GT(expected.size(), 300U * 80U);
  }
}

TEST(HitMarch, PartsAddUpToTheWhole)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, stirring());
  SourceDestinationQuery query = query_of(flow, false);
  query.destinations.push_back(*box_region({ { 1.5, -2, -2 }, { 2, 2, 2 } }));
  Calls calls;
  query.sources.push_back(*box_region({ { 3, 3, 3 }, { 4, 4, 4 } }));
  query.seeds.emplace_back().places = std::vector<Vec3>(7, { 3.5, 3.5, 3.5 }); // outside the field
  const std::string expected = bytes_of(march(flow, query, 1, calls));
  for (const std::int64_t most : { std::int64_t{ 1 << 20 }, std::int64_t{ 600 } })
  {
    query.most_particles = most;
    query.parts = 3;
    SourceDestinationResult sum;
    int count = 0;
    for (query.part = 0; query.part < query.parts; ++query.part)
    {
      Calls own;
      const SourceDestinationResult part = march(flow, query, 1, own);
      EXPECT_GT(part.particles, 500);
      EXPECT_TRUE(query.part == 0 || own.count == count); // all ask for the same intervals
      count = own.count;
      query.part == 0 ? void(sum = part) : join_hits(sum, part);
    }
    EXPECT_TRUE(bytes_of(sum) == expected) << most;
  }
}

TEST(HitMarch, PartsMayHaveNoParticles)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, stirring());
  SourceDestinationQuery query = query_of(flow, false);
  query.seeds.erase(query.seeds.begin());
  query.release_times = { 0.1 };
  query.parts = 5;
  std::int64_t particles = 0;
  for (query.part = 0; query.part < query.parts; ++query.part)
  {
    Calls calls;
    particles += march(flow, query, 2, calls).particles;
    EXPECT_EQ(calls.count, 4);
  }
  EXPECT_EQ(particles, 2);
}

// A chunk begins with the interval of its first release, and ends when its particles have.
TEST(HitMarch, AsksForNoMoreIntervalsThanAChunkNeeds)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, along_x([](double) { return 0.5; }));
  SourceDestinationQuery query{ .sources = { *box_region({}) },
    .destinations = { *box_region({ { 0.15, -2, -2 }, { 2, 2, 2 } }), *box_region({ { 1.5, -2, -2 }, { 2, 2, 2 } }) },
    .seeds = { { .places = std::vector<Vec3>{ { 0, 0, 0 } } } },
    .release_times = { 0.6, 1.1 },
    .end = 2.0,
    .most_particles = 1 };
  Calls calls;
  EXPECT_EQ(march(flow, query, 1, calls).hits.size(), 2U);
  EXPECT_EQ(calls.count, 5);      // 1, 2, 3 and 2, 3
  query.ends_at_first_hit = true; // after 0.3: at 0.9 and 1.4
  calls.count = 0;
  EXPECT_EQ(march(flow, query, 1, calls).hits.size(), 2U);
  EXPECT_EQ(calls.count, 3);
}

// The border of the region is where the particle is at a step of the field, or as near as rounding brings it.
TEST(HitMarch, AnArrivalAtTheEndOfAnIntervalIsFoundOnce)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, along_x([](double) { return 1.0; }));
  for (const double way : { 0.5, 1.0, 1.2, 2.0 })
  {
    for (const double beside : { 0.0, 1e-15, -1e-15, 1e-10, -1e-10 })
    {
      const SourceDestinationQuery query{ .sources = { *box_region({}) },
        .destinations = { *box_region({ { -1.0 + way + beside, -2, -2 }, { 2, 2, 2 } }),
            *box_region({ { -1.0 + way + beside, 0, 0 }, { 2, 0, 0 } }), *box_region({ { 1.5, 1, 1 }, { 2, 2, 2 } }) },
        .seeds = { { .places = std::vector<Vec3>{ { -1, 0, 0 } } } },
        .release_times = { 0.0 },
        .end = 2.0 };
      const Result<SourceDestinationResult> at_once = find_hits(flow.field(), {}, query, adaptive(), { 1, {} });
      PathlineOptions options = adaptive();
      ASSERT_TRUE(at_once.has_value());
      Calls calls;
      const SourceDestinationResult step_by_step = march(flow, query, 1, calls);
      ASSERT_TRUE(bytes_of(step_by_step) == bytes_of(*at_once)) << way << ' ' << beside;
      const std::size_t expected = way + std::max(0.0, beside) > options.maximum_time ? 0 : 2;
      ASSERT_EQ(step_by_step.hits.size(), expected) << way << ' ' << beside;
      for (const Hit& hit : step_by_step.hits)
      {
        ASSERT_NEAR(hit.arrival_time, way + beside, 1e-9); // such times are those of steps
      }
    }
  }
}

// At the last step, too, whose interval is the one before it.
TEST(HitMarch, AReleaseAtTheEndTimeIsWhereItIs)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, along_x([](double) { return 1.0; }));
  for (const double end : { 1.0, 2.0 })
  {
    for (const std::int64_t most : { 1, 100 })
    {
      SourceDestinationQuery query{ .sources = { *box_region({}) },
        .destinations = { *box_region({ { -0.5, -1, -1 }, { 2, 1, 1 } }) },
        .seeds = { { .places = std::vector<Vec3>{ { 0, 0, 0 }, { -1, 0, 0 } } } },
        .release_times = { end - 0.1, end },
        .end = end,
        .most_particles = most };
      Calls calls;
      const SourceDestinationResult result = march(flow, query, 1, calls);
      EXPECT_EQ(calls.count, most == 1 ? 2 : 1);
      ASSERT_EQ(result.hits.size(), 2U);
      EXPECT_EQ(result.hits[1].arrival_time, end);
      EXPECT_EQ(result.ends[static_cast<std::size_t>(Termination::OutOfTime)], 2);
      EXPECT_EQ(bytes_of(*find_hits(flow.field(), {}, query, adaptive(), { 1, {} })), bytes_of(result));
      query.release_times = { end };
      const std::int32_t before = end == 1.0 ? 1 : 3;
      EXPECT_EQ(HitMarch::create(query, kTimes, adaptive())->next(), (IntervalRange{ before, before }));
    }
  }
}

TEST(HitMarch, WhatWasFoundBeforeAStopIsKept)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, turning(1.0, 0.0));
  SourceDestinationQuery query = query_of(flow, false);
  query.release_times = { 0.0 };
  query.most_particles = 300;
  const PathlineOptions slow = timed_steps(Integrator::RungeKutta2, 1e-6);
  const AdvectionContext context = *hit_context(flow.field(), {}, query, adaptive());
  const AdvectionContext slow_context = *hit_context(flow.field(), {}, query, slow);
  HitMarch march = *HitMarch::create(query, kTimes, adaptive());
  ASSERT_TRUE(march.go_on(context, { 2, {} }).has_value());
  const std::vector<std::int64_t> before = march.result().hit_counts;
  ASSERT_GT(std::accumulate(before.begin(), before.end(), std::int64_t{ 0 }), 20);
  ASSERT_TRUE(march.next().has_value());
  double share = 0.0;
  const auto stop = [&share](double done)
  {
    share = done;
    return false;
  };
  ASSERT_TRUE(march.go_on(slow_context, { .threads = 2, .progress = stop }).has_value());
  EXPECT_FALSE(march.next().has_value());
  EXPECT_GT(share, 0.1);
  EXPECT_LT(share, 1.0);
  const SourceDestinationResult result = march.take();
  EXPECT_TRUE(result.cancelled);
  for (std::size_t pair = 0; pair < before.size(); ++pair)
  {
    EXPECT_GE(result.hit_counts[pair], before[pair]);
  }
  EXPECT_GT(result.ends[static_cast<std::size_t>(Termination::Cancelled)], 0);
  EXPECT_EQ(std::accumulate(result.ends.begin(), result.ends.end(), std::int64_t{ 0 }), result.particles);
}

TEST(HitMarch, RefusesAnIntervalOutOfTurn)
{
  FlowInTime flow(cube_grid(17, 2.0), kTimes, turning(1.0, 0.0));
  const SourceDestinationQuery query = query_of(flow, false);
  AdvectionContext context = *hit_context(flow.field(), {}, query, adaptive());
  HitMarch march = *HitMarch::create(query, kTimes, adaptive());
  context.set_intervals(1, 1);
  const Result<void> done = march.go_on(context, {});
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().describe().find("interval 0"), std::string::npos);
}

} // namespace
} // namespace rivulet::test
