// SPDX-License-Identifier: BSD-3-Clause
// A surface at a time is the same for any way to it, and its vertices are ends of pathlines.
#include "Core/Trace/SomeSteps.h"
#include "Core/Trace/SurfaceFlow.h"
#include "Support/LoweredLimit.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/FlowSurface/PointAttributes.h"

#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <mutex>
#include <thread>

namespace rivulet::test
{
namespace
{

constexpr double kForever = std::numeric_limits<double>::infinity();
const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3, 2.0 };

/// Stretches, folds, and leaves the field here and there.
Vec3 swinging(const Vec3& x, double t)
{
  const double a = 1.2 + std::sin(2 * t);
  return { a * std::sin(x[2]) + std::cos(x[1]), std::sin(x[0]) + a * std::cos(x[2]), 0.8 * std::sin(x[1]) };
}

FlowInTime swinging_flow(const Int3& bricks = { 6, 6, 6 })
{
  return FlowInTime(cube_grid(17, 2.0), kTimes, swinging, bricks);
}

PathlineOptions error_controlled()
{
  PathlineOptions options;
  options.compute_vorticity = false;
  options.maximum_error = 1e-5;
  return options;
}

std::unique_ptr<const SurfaceDomain> swinging_streak()
{
  return streak({ straight_curve({ -0.6, -0.5, 0.2 }, { 0.7, 0.5, -0.2 }, 4) }, { .start = 0.1, .interval = 0.25 });
}

SurfaceCriteria moderate()
{
  SurfaceCriteria criteria = edges_up_to(0.4);
  criteria.most_levels = 4;
  criteria.tear_length = 1.0;
  return criteria;
}

/// A march that is shown as many intervals as it asks for, or one after the other.
class Marcher
{
public:
  Marcher(AnalyticBricks& all, bool one_by_one, const PathlineOptions& options = error_controlled(),
      SurfaceRanks ranks = {}, std::unique_ptr<const SurfaceDomain> domain = swinging_streak())
    : steps_(all)
    , options_(options)
    , one_by_one_(one_by_one)
    , march_(std::move(domain), kTimes, moderate(), std::move(ranks))
  {
    field_.velocity = { &steps_, 0, 0 };
    field_.grid = all.info().grid;
    field_.attributes = { { "velocity", { &steps_, 0, 0 } }, { "speed", { &steps_, 1, 0 } } };
  }

  const FlowSurface& at(double time, int threads = 1)
  {
    EXPECT_TRUE(march_.begin(time).has_value());
    while (const std::optional<IntervalRange> range = march_.next())
    {
      asked_.push_back(*range);
      const Result<void> good =
          march_.go_on(context({ range->first, one_by_one_ ? range->first : range->last }), { threads, {} });
      EXPECT_TRUE(good.has_value()) << (good ? "" : good.error().describe());
      if (!good)
      {
        break;
      }
    }
    EXPECT_EQ(march_.surface().data_error, nullptr);
    return march_.surface();
  }

  AdvectionContext context(const IntervalRange& range)
  {
    steps_.hold(steps_for(options_.time_interpolation, range, kTimes.size()));
    AdvectionContext made = *flow_surface_context(field_, kTimes, options_);
    made.set_intervals(range.first, range.last);
    return made;
  }

  [[nodiscard]] FlowSurfaceMarch& march() { return march_; }
  [[nodiscard]] std::vector<IntervalRange> take_asked() { return std::exchange(asked_, {}); }

private:
  SomeSteps steps_;
  TraceField field_;
  PathlineOptions options_;
  bool one_by_one_;
  FlowSurfaceMarch march_;
  std::vector<IntervalRange> asked_;
};

/// Surfaces of marches of their own.
std::vector<std::string> expected_at(
    const std::vector<double>& times, const PathlineOptions& options = error_controlled())
{
  std::vector<std::string> bytes;
  for (const double time : times)
  {
    FlowInTime flow = swinging_flow();
    bytes.push_back(bytes_of(Marcher(flow.source(), false, options).at(time)));
  }
  return bytes;
}

TEST(FlowSurfaceMarch, TheFlowOfTheseTestsStretchesAndLeaves)
{
  FlowInTime flow = swinging_flow();
  const FlowSurface surface = Marcher(flow.source(), false).at(2.0);
  EXPECT_GT(surface.statistics.lost, 10);
  EXPECT_GT(surface.statistics.rounds, 3);
  EXPECT_GT(surface.triangles.size(), 150U);
  EXPECT_EQ(shape_of(surface.triangles).overcrowded, 0);
}

TEST(FlowSurfaceMarch, VerticesAreEndsOfPathlines)
{
  for (const double time : { 2.0, 1.0, 1.17 })
  {
    FlowInTime flow = swinging_flow();
    Marcher marcher(flow.source(), true);
    (void)marcher.at(0.7);
    const FlowSurface surface = marcher.at(time);
    std::vector<PathSeed> seeds;
    for (std::size_t i = 0; i < surface.points.size(); ++i)
    {
      seeds.push_back({ surface.releases[i], surface.release_times[i] });
    }
    PathlineOptions options = error_controlled();
    options.last_time = time;
    options.terminal_speed = 0.0;
    const AdvectionContext context = *AdvectionContext::unsteady(flow.field(), kTimes, { -kForever, time }, options);
    std::vector<EndState> ends(2 * seeds.size());
    EndStates recorder(ends);
    FixedSeeds source(context, seeds);
    (void)advect(context, source, recorder, { 1, {} });
    const TracedLines lines = flow.trace(seeds, options);
    std::size_t line = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i)
    {
      ASSERT_EQ(surface.points[i], ends[i].point) << i;
      ASSERT_EQ(lines.seeds[i].reason[0], Termination::OutOfTime);
      ASSERT_EQ(lines.seeds[i].time[0], time);
      if (seeds[i].time == time)
      {
        continue; // no line: it has one point
      }
      const Vec3 last = end_of(lines, line++);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_EQ(static_cast<float>(surface.points[i][axis]), static_cast<float>(last[axis])) << i;
      }
    }
  }
}

TEST(FlowSurfaceMarch, IsTheSameForAnyTimesBefore)
{
  const std::vector<double> times{ 0.25, 0.4, 0.6, 1.0, 1.1, 1.2, 1.3, 1.6, 2.0 };
  PathlineOptions young = error_controlled();
  young.maximum_time = 0.9;
  PathlineOptions cubic = error_controlled();
  cubic.time_interpolation = TimeInterpolation::Cubic;
  for (const PathlineOptions& options : { error_controlled(), young, cubic })
  {
    const std::vector<std::string> expected = expected_at(times, options);
    for (const bool one_by_one : { false, true })
    {
      for (const std::vector<std::size_t>& order : { std::vector<std::size_t>{ 0, 1, 2, 3, 4, 5, 6, 7, 8 },
               { 8, 7, 6, 5, 4, 3, 2, 1, 0 }, { 5, 5, 3, 8, 4, 3, 3, 6, 0, 7, 2, 8, 1, 8, 5 } })
      {
        FlowInTime flow = swinging_flow();
        Marcher marcher(flow.source(), one_by_one, options);
        marcher.march().set_reserve(one_by_one ? 0.6 : 0.0);
        for (const std::size_t i : order)
        {
          ASSERT_TRUE(bytes_of(marcher.at(times[i])) == expected[i])
              << times[i] << ' ' << one_by_one << ' ' << order[0];
        }
      }
    }
  }
}

TEST(FlowSurfaceMarch, IsTheSameForAnyThreadsAndBricks)
{
  const std::string expected = expected_at({ 1.6 }).front();
  for (const Int3& bricks : { Int3{ 16, 16, 16 }, Int3{ 3, 4, 5 } })
  {
    for (const int threads : { 1, 3 })
    {
      FlowInTime flow = swinging_flow(bricks);
      EXPECT_TRUE(bytes_of(Marcher(flow.source(), false).at(1.6, threads)) == expected) << threads << ' ' << bricks[0];
    }
  }
}

TEST(FlowSurfaceMarch, TheNextStepCostsOneIntervalForOldVertices)
{
  FlowInTime flow = swinging_flow();
  const auto domain = []
  {
    return streak({ straight_curve({ -0.6, -0.5, 0.2 }, { 0.7, 0.5, -0.2 }, 8) }, { .interval = 0.1 });
  };
  Marcher marcher(flow.source(), false, error_controlled(), {}, domain());
  (void)marcher.at(1.3);
  const std::int64_t before = marcher.march().vertices();
  const FlowSurfaceStatistics next = marcher.at(2.0).statistics;
  const FlowSurfaceStatistics anew = Marcher(flow.source(), false, error_controlled(), {}, domain()).at(2.0).statistics;
  EXPECT_EQ(next.vertices, anew.vertices);
  EXPECT_EQ(anew.started, anew.vertices);
  EXPECT_EQ(next.started, marcher.march().vertices() - before); // new ones alone
  EXPECT_LT(next.started, anew.started);
  EXPECT_LT(next.steps, anew.steps);
}

// Only new rows start, and only the interval after the last frame is asked for.
TEST(FlowSurfaceMarch, WithoutStretchingTheNextFrameTakesOneInterval)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 0.5; }));
  const auto domain = []
  {
    return streak({ straight_curve({ -1, -1, 0 }, { -1, 1, 0 }, 11) }, { .interval = 0.1 });
  };
  const PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.05);
  Marcher marcher(flow.source(), false, options, {}, domain());
  const FlowSurfaceStatistics first = marcher.at(1.0).statistics;
  EXPECT_EQ(first.started, 11 * 11);
  (void)marcher.take_asked();
  const FlowSurfaceStatistics second = marcher.at(1.3).statistics;
  EXPECT_EQ(marcher.take_asked(), std::vector<IntervalRange>({ { 2, 2 } }));
  EXPECT_EQ(second.started, 3 * 11);
  EXPECT_EQ(second.vertices, 14 * 11);
  EXPECT_EQ(second.steps, 11 * (11 * 6 + 4 + 2));      // 0.3 for old rows; 0.2, 0.1 and nothing for new ones
  EXPECT_TRUE(marcher.march().begin(1.3).has_value()); // again
  EXPECT_FALSE(marcher.march().next().has_value());
  (void)marcher.at(1.5);
  EXPECT_EQ(marcher.take_asked(), std::vector<IntervalRange>({ { 3, 3 } }));
  EXPECT_EQ(marcher.at(1.7).statistics.started, 5 * 11 - 1 * 11); // 1.3 waits at its step
}

TEST(FlowSurfaceMarch, AsksForIntervalsInOrderUpToTheTime)
{
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), true);
  (void)marcher.at(1.6);
  const std::vector<IntervalRange> asked = marcher.take_asked();
  ASSERT_GT(asked.size(), 4U);
  for (std::int32_t i = 0; i < 4; ++i)
  {
    EXPECT_EQ(asked[static_cast<std::size_t>(i)], (IntervalRange{ i, 3 }));
  }
  EXPECT_EQ(asked.size() % 4, 0U); // rounds of refinement begin with the first releases here
}

TEST(FlowSurfaceMarch, ParticlesThatLeaveAreNotLookedAtAgain)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 4.0; }));
  const PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.05);
  Marcher marcher(flow.source(), false, options, {},
      streak({ straight_curve({ -1, -1, 0 }, { -1, 1, 0 }, 3) }, { .interval = 0.1 }));
  const FlowSurfaceStatistics before = marcher.at(1.0).statistics;
  EXPECT_GT(before.lost, 0);
  const std::int64_t kept = marcher.march().vertices();
  const FlowSurfaceStatistics after = marcher.at(1.3).statistics;
  EXPECT_GT(after.lost, before.lost);
  EXPECT_EQ(after.started, marcher.march().vertices() - kept);
}

/// Ends of all ranks, which meet twice a round.
class Meeting
{
public:
  explicit Meeting(int ranks)
    : barrier_(ranks)
  {
  }

  Result<void> exchange(int rank, Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
  {
    {
      const std::lock_guard lock(mutex_);
      all_.resize(ends.size());
      agreed_ = mine ? agreed_ : mine;
      for (std::size_t i = 0; i < ends.size(); ++i)
      {
        const bool own =
            i >= offsets[static_cast<std::size_t>(rank)] && i < offsets[static_cast<std::size_t>(rank) + 1];
        all_[i] = own ? ends[i] : all_[i];
      }
    }
    barrier_.arrive_and_wait();
    std::copy(all_.begin(), all_.end(), ends.begin());
    const Result<void> agreed = agreed_;
    barrier_.arrive_and_wait();
    return agreed;
  }

private:
  std::barrier<> barrier_;
  std::mutex mutex_;
  std::vector<EndState> all_;
  Result<void> agreed_;
};

/// Calls a function for each rank, on threads of their own.
void on_ranks(int ranks, const std::function<void(int rank, SurfaceRanks)>& body)
{
  Meeting meeting(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
  {
    threads.emplace_back(
        [&, rank]
        {
          body(rank,
              { rank, ranks,
                  [&meeting, rank](Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
                  {
                    return meeting.exchange(rank, std::move(mine), ends, offsets);
                  } });
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
}

TEST(FlowSurfaceMarch, RanksShareTheVerticesAndHaveTheSameSurface)
{
  const std::vector<double> times{ 0.6, 1.3, 1.2, 2.0, 1.6, 0.6 };
  const std::vector<std::string> expected = expected_at(times);
  for (const bool one_by_one : { false, true })
  {
    std::vector<std::int64_t> started(3, 0);
    std::vector<std::vector<IntervalRange>> asked(3);
    on_ranks(3,
        [&](int rank, const SurfaceRanks& ranks)
        {
          const auto own = static_cast<std::size_t>(rank);
          FlowInTime flow = swinging_flow();
          Marcher marcher(flow.source(), one_by_one, error_controlled(), ranks);
          for (std::size_t i = 0; i < times.size(); ++i)
          {
            const FlowSurface& surface = marcher.at(times[i]);
            EXPECT_TRUE(bytes_of(surface) == expected[i]) << times[i] << " on rank " << rank;
            started[own] += i == 0 ? surface.statistics.started : 0;
          }
          asked[own] = marcher.take_asked();
        });
    EXPECT_GT(*std::min_element(started.begin(), started.end()), 0);
    EXPECT_LT(*std::max_element(started.begin(), started.end()), 2 * *std::min_element(started.begin(), started.end()));
    EXPECT_EQ(asked[0], asked[1]);
    EXPECT_EQ(asked[0], asked[2]);
  }
}

TEST(FlowSurfaceMarch, ARankThatStopsStopsAll)
{
  std::vector<ErrorCode> codes(2, ErrorCode::NotFound);
  on_ranks(2,
      [&](int rank, const SurfaceRanks& ranks)
      {
        FlowInTime flow = swinging_flow();
        Marcher marcher(flow.source(), false, timed_steps(Integrator::RungeKutta4, rank == 0 ? 0.01 : 1e-6), ranks);
        ASSERT_TRUE(marcher.march().begin(2.0).has_value());
        const Result<void> stopped = marcher.march().go_on(marcher.context({ 0, 3 }), { 1, [](double)
                                                                                          {
                                                                                            return false;
                                                                                          } });
        ASSERT_FALSE(stopped.has_value());
        codes[static_cast<std::size_t>(rank)] = stopped.error().code;
        EXPECT_FALSE(marcher.march().next().has_value());
      });
  EXPECT_EQ(codes, std::vector<ErrorCode>(2, ErrorCode::Cancelled));
}

TEST(FlowSurfaceMarch, AnErrorOfOneRankEndsAllWithIt)
{
  std::vector<Error> errors(2);
  on_ranks(2,
      [&](int rank, SurfaceRanks ranks)
      {
        ranks.exchange = [rank, meet = ranks.exchange](
                             Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
        {
          return meet(rank == 1 ? fail(ErrorCode::BudgetTooSmall, "no memory here") : std::move(mine), ends, offsets);
        };
        FlowInTime flow = swinging_flow();
        Marcher marcher(flow.source(), false, error_controlled(), ranks);
        ASSERT_TRUE(marcher.march().begin(2.0).has_value());
        const Result<void> ended = marcher.march().go_on(marcher.context({ 0, 3 }), {});
        ASSERT_FALSE(ended.has_value());
        errors[static_cast<std::size_t>(rank)] = ended.error();
        EXPECT_FALSE(marcher.march().next().has_value());
      });
  for (const Error& error : errors)
  {
    EXPECT_EQ(error.code, ErrorCode::BudgetTooSmall);
    EXPECT_EQ(error.what, "no memory here");
  }
}

TEST(FlowSurfaceMarch, GoesOnAfterItWasStopped)
{
  const std::string expected = expected_at({ 2.0 }).front();
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), false);
  (void)marcher.at(0.6);
  ASSERT_TRUE(marcher.march().begin(2.0).has_value());
  const auto next = marcher.march().next();
  ASSERT_TRUE(next.has_value());
  int calls = 0;
  RunOptions stopping;
  stopping.threads = 1;
  stopping.poll_interval = std::chrono::microseconds(1);
  stopping.poll = [&calls]
  {
    return ++calls < 3;
  };
  const Result<void> stopped = marcher.march().go_on(marcher.context(*next), stopping);
  if (!stopped) // it may have been quicker
  {
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    const FlowSurface& so_far = marcher.march().surface(); // on a busy machine the first round may be over
    EXPECT_EQ(so_far.points.empty(), so_far.statistics.rounds == 0) << so_far.statistics.rounds;
  }
  EXPECT_TRUE(bytes_of(marcher.at(2.0)) == expected);
}

TEST(FlowSurfaceMarch, KeepsTheRoundsThatAreOverWhenItIsStopped)
{
  const std::string expected = expected_at({ 2.0 }).front();
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), false);
  ASSERT_TRUE(marcher.march().begin(2.0).has_value());
  const AdvectionContext whole = marcher.context({ 0, 3 });
  std::size_t rounds = 0;
  while (rounds < 2 && marcher.march().next()) // the last interval of a round ends it
  {
    AdvectionContext part = whole;
    part.set_intervals(marcher.march().next()->first, marcher.march().next()->first);
    const bool ends_round = marcher.march().next()->first == marcher.march().next()->last;
    ASSERT_TRUE(marcher.march().go_on(part, { 1, {} }).has_value());
    rounds += ends_round ? 1 : 0;
  }
  ASSERT_TRUE(marcher.march().next().has_value());
  RunOptions stopping;
  stopping.threads = 1;
  stopping.poll_interval = std::chrono::microseconds(1);
  stopping.poll = []
  {
    return false;
  };
  while (marcher.march().next()) // an interval may be over before it is stopped
  {
    AdvectionContext part = whole;
    part.set_intervals(marcher.march().next()->first, marcher.march().next()->first);
    if (!marcher.march().go_on(part, stopping))
    {
      const FlowSurface& so_far = marcher.march().surface();
      EXPECT_FALSE(so_far.points.empty());
      EXPECT_EQ(so_far.normals.size(), so_far.points.size());
      EXPECT_GE(so_far.statistics.rounds, 2);
    }
  }
  EXPECT_TRUE(bytes_of(marcher.at(2.0)) == expected);
}

TEST(FlowSurfaceMarch, TurnsToAnotherTimeHalfWay)
{
  const std::string expected = expected_at({ 1.3 }).front();
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), true);
  ASSERT_TRUE(marcher.march().begin(2.0).has_value());
  for (const std::int32_t i : { 0, 1 })
  {
    ASSERT_TRUE(marcher.march().go_on(marcher.context({ i, i }), { 1, {} }).has_value());
  }
  EXPECT_TRUE(bytes_of(marcher.at(1.3)) == expected);
}

TEST(FlowSurfaceMarch, AttributesAreTheFieldsValuesAtThePoints)
{
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), false);
  for (const double time : { 1.0, 1.15 })
  {
    std::vector<Vec3> points = marcher.at(time).points;
    points.push_back({ 5, 0, 0 });
    const Result<PointAttributes> found = attributes_at(marcher.context({ 2, 2 }), points, time, { 2, {} });
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->arrays.size(), 2U);
    EXPECT_EQ(found->arrays[0].components, 3);
    const auto* velocity = reinterpret_cast<const double*>(found->arrays[0].values.data());
    const auto* speed = reinterpret_cast<const double*>(found->arrays[1].values.data());
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
    {
      const Vec3 exact = swinging(points[i], time);
      ASSERT_NEAR(velocity[3 * i], exact[0], 0.15) << i;
      ASSERT_NEAR(velocity[3 * i + 2], exact[2], 0.15) << i;
      ASSERT_NEAR(speed[i], distance(exact, { 0, 0, 0 }), 0.2) << i;
    }
    EXPECT_TRUE(std::isnan(speed[points.size() - 1]));
  }
  const Result<PointAttributes> elsewhere = attributes_at(marcher.context({ 2, 2 }), {}, 0.9, { 1, {} });
  ASSERT_FALSE(elsewhere.has_value());
  EXPECT_EQ(elsewhere.error().code, ErrorCode::BadArgument);
}

TEST(FlowSurfaceMarch, RefusesTimesAndCriteriaThatMakeNoSense)
{
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), false);
  for (const double time : { -0.1, 2.1, std::nan("") })
  {
    const Result<void> refused = marcher.march().begin(time);
    ASSERT_FALSE(refused.has_value()) << time;
    EXPECT_EQ(refused.error().code, ErrorCode::BadArgument);
  }
  for (const std::size_t wrong : { 0U, 1U, 2U, 3U, 4U })
  {
    SurfaceCriteria criteria;
    criteria.largest_edge = wrong == 0 ? 0.0 : 1.0;
    criteria.largest_angle = wrong == 1 ? std::nan("") : 1.0;
    criteria.most_levels = wrong == 2 ? 21 : 5;
    criteria.most_vertices = wrong == 3 ? 10 : 1000; // fewer than the base has
    criteria.tear_length = wrong == 4 ? -1.0 : 1.0;
    FlowSurfaceMarch march(swinging_streak(), kTimes, criteria);
    const Result<void> refused = march.begin(1.3);
    ASSERT_FALSE(refused.has_value()) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::BadArgument);
  }
  FlowSurfaceMarch early(streak({ { { 0, 0, 0 }, { 1, 0, 0 } } }, { .start = -1.0 }), kTimes, moderate());
  EXPECT_FALSE(early.begin(1.0).has_value());
}

TEST(FlowSurfaceMarch, RefusesAContextWithoutTheIntervalThatIsNext)
{
  FlowInTime flow = swinging_flow();
  Marcher marcher(flow.source(), false);
  ASSERT_TRUE(marcher.march().begin(2.0).has_value());
  const Result<void> refused = marcher.march().go_on(marcher.context({ 1, 3 }), { 1, {} });
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::BadArgument);
}

TEST(FlowSurfaceMarch, SeedCurvesNeedTwoDifferentPoints)
{
  for (const std::vector<SeedCurve>& curves : { std::vector<SeedCurve>{}, { {} }, { { { 1, 2, 3 } } },
           { { { 1, 2, 3 }, { 1, 2, 3 } } }, { { { 0, 0, 0 }, { std::nan(""), 0, 0 } } } })
  {
    const auto domain = StreakDomain::create(curves, {});
    ASSERT_FALSE(domain.has_value());
    EXPECT_EQ(domain.error().code, ErrorCode::BadArgument);
  }
  for (const StreakRelease& release :
      { StreakRelease{ .interval = 0.0 }, StreakRelease{ .start = kForever }, StreakRelease{ .base_level = 11 } })
  {
    EXPECT_FALSE(StreakDomain::create({ { { 0, 0, 0 }, { 1, 0, 0 } } }, release).has_value());
  }
  const auto repeated =
      StreakDomain::create({ { { 0, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 } } }, { .interval = 1e-300 });
  ASSERT_TRUE(repeated.has_value());
  EXPECT_EQ((*repeated)->base(1.0, 1000).error().code, ErrorCode::BadArgument); // too many rows
}

TEST(FlowSurfaceMarch, SeedMeshesNeedTriangles)
{
  const std::vector<Vec3> points{ { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
  EXPECT_TRUE(MeshDomain::create(points, { { 0, 1, 2 } }, 0.0).has_value());
  EXPECT_FALSE(MeshDomain::create(points, {}, 0.0).has_value());
  EXPECT_FALSE(MeshDomain::create(points, { { 0, 1, 3 } }, 0.0).has_value());
  EXPECT_FALSE(MeshDomain::create(points, { { 0, 1, 1 } }, 0.0).has_value());
  EXPECT_FALSE(MeshDomain::create(points, { { 0, 1, 2 } }, std::nan("")).has_value());
}

// Rows at multiples of the interval are the same releases at all times; those of the last, unfinished one are not.
TEST(FlowSurfaceMarch, KeepsVerticesOfWholeIntervalsOnly)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 0.5; }));
  Marcher marcher(flow.source(), false, timed_steps(Integrator::RungeKutta4, 0.05), {},
      streak({ straight_curve({ -1, -1, 0 }, { -1, 1, 0 }, 11) }, { .interval = 0.25 }));
  for (int i = 1; i <= 30; ++i)
  {
    (void)marcher.at(0.01 + i * 0.06);
  }
  EXPECT_EQ(marcher.march().vertices(), 11 * (1 + 7 + 1)); // to 1.75, and 1.81
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
TEST(FlowSurfaceMarch, SaysThatThereIsNoMemory)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 0.5; }), { 8, 8, 8 });
  SurfaceCriteria criteria = edges_up_to(0.002);
  const AdvectionContext context = *flow_surface_context(flow.field(), {}, timed_steps(Integrator::RungeKutta4, 0.5));
  const LoweredLimit limit(RLIMIT_AS, memory_and(64 << 20));
  const Result<FlowSurface> surface = flow_surface(context,
      streak({ straight_curve({ -1, -1, 0 }, { -1, 1, 0 }, 11) }, { .interval = 0.25 }), 2.0, criteria, { 1, {} });
  ASSERT_FALSE(surface.has_value());
  EXPECT_EQ(surface.error().code, ErrorCode::BudgetTooSmall);
}
#endif

// As the steps of a simulation come: times so far, and one that is still to come. Two steps are there at a time.
TEST(FlowSurfaceMarch, GoesOnWithLaterTimesFromTwoSteps)
{
  SurfaceCriteria dense;
  dense.adaptive = false;
  const auto domain = []
  {
    const SeedCurve curve = straight_curve({ -0.6, -0.5, 0.2 }, { 0.7, 0.5, -0.2 }, 4);
    return streak({ curve }, { .start = 0.1, .interval = 0.25, .base_level = 2 });
  };
  const auto times_until = [](std::size_t step)
  {
    return std::vector<double>(kTimes.begin(), kTimes.begin() + static_cast<std::ptrdiff_t>(step) + 2);
  };
  FlowSurfaceMarch growing(domain(), times_until(0), dense);
  for (std::size_t step = 1; step + 1 < kTimes.size(); ++step)
  {
    FlowInTime so_far(cube_grid(17, 2.0), times_until(step), swinging, { 6, 6, 6 });
    SomeSteps steps(so_far.source());
    TraceField field;
    field.velocity = { &steps, 0, 0 };
    field.grid = so_far.source().info().grid;
    ASSERT_TRUE(growing.grow(times_until(step)));
    ASSERT_TRUE(growing.begin(kTimes[step]));
    const auto interval = static_cast<std::int32_t>(step) - 1;
    while (const std::optional<IntervalRange> range = growing.next())
    {
      ASSERT_EQ(*range, (IntervalRange{ interval, interval })) << "no earlier step is needed";
      steps.hold({ interval, interval + 1 });
      AdvectionContext context = *flow_surface_context(field, {}, error_controlled());
      context.set_intervals(interval, interval);
      ASSERT_TRUE(growing.go_on(context, { 2, {} }));
    }
    FlowInTime whole = swinging_flow();
    const FlowSurface known = surface_of(whole, domain(), kTimes[step], dense, error_controlled());
    EXPECT_TRUE(bytes_of(growing.surface()) == bytes_of(known)) << step;
    EXPECT_GT(known.points.size(), 40 * step);
  }
  EXPECT_FALSE(growing.grow({ 0.0, 0.5, 1.0, 1.3, 2.0 })) << "a time that it has gone through";
  EXPECT_FALSE(growing.grow(times_until(1))) << "the time of the last surface";
}

} // namespace
} // namespace rivulet::test
