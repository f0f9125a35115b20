// SPDX-License-Identifier: BSD-3-Clause
// Pathlines that grow from time step to time step have the bytes of those traced at once, and need two steps at a time,
// or four.
#include "Core/Trace/MarchInSteps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rivulet::test
{
namespace
{

/// Seeds with times between two; the last lies outside.
std::vector<PathSeed> seeds_between(double first, double last)
{
  std::vector<PathSeed> seeds;
  constexpr int kSeeds = 40;
  for (int i = 0; i < kSeeds; ++i)
  {
    const double share = static_cast<double>(i) / (kSeeds - 1);
    seeds.push_back({ { 0.4 + 0.13 * i, 5.9 - 0.12 * i, 0.07 * i + 1.0 }, first + share * (last - first) });
  }
  seeds.push_back({ { -1, 0, 0 }, first });
  return seeds;
}

struct Case
{
  Integrator integrator;
  bool backward = false;
  double maximum_time = 0.0;
  TimeInterpolation interpolation = TimeInterpolation::Linear;
};

class PathlineMarchBits : public ::testing::TestWithParam<Case>
{
public:
  PathlineMarchBits()
    : source_(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .brick_cells = { 5, 6, 7 }, .times = kTimes })
  {
    options_.integrator = GetParam().integrator;
    options_.direction = GetParam().backward ? TraceDirection::Backward : TraceDirection::Forward;
    options_.maximum_time = GetParam().maximum_time;
    options_.time_interpolation = GetParam().interpolation;
  }

protected:
  [[nodiscard]] std::vector<PathSeed> seeds() const
  {
    std::vector<PathSeed> seeds = GetParam().backward ? seeds_between(1.0, 2.0) : seeds_between(0.0, 1.0);
    for (std::size_t i = 0; i < seeds.size(); i += 5)
    {
      seeds[i].end = seeds[i].time + (GetParam().backward ? -0.6 : 0.6);
    }
    return seeds;
  }
  /// Times of frames, in the order of the march: between steps and at them, inside an interval twice.
  [[nodiscard]] std::vector<double> frames() const
  {
    std::vector<double> frames{ 1.0, 1.1, 1.25, 1.3, 1.7, 2.0 };
    if (GetParam().backward)
    {
      frames = { 1.0, 0.9, 0.7, 0.4, 0.1, 0.0 };
    }
    return frames;
  }
  /// Bytes of a run from seeds to a time.
  [[nodiscard]] std::string at_once(double time)
  {
    TraceField field;
    field.velocity = { &source_, 0, 0 };
    field.grid = source_.info().grid;
    field.attributes = { { "velocity", { &source_, 0, 0 } }, { "speed", { &source_, 1, 0 } } };
    PathlineOptions options = options_;
    (GetParam().backward ? options.first_time : options.last_time) = time;
    Result<TracedLines> lines = trace_pathlines(field, {}, seeds(), options, { 1, {} });
    EXPECT_TRUE(lines.has_value());
    EXPECT_GT(lines->lines.size(), 30U);
    return bytes_of_frame(std::move(*lines));
  }

  AnalyticBricks source_;
  PathlineOptions options_;
};

TEST_P(PathlineMarchBits, AreThoseOfARunAtOnce)
{
  for (const bool one_by_one : { true, false })
  {
    for (const int threads : { 1, 3 })
    {
      March march(source_, seeds(), options_, threads, one_by_one);
      for (const double time : frames())
      {
        EXPECT_TRUE(bytes_of_frame(march.at(time).lines) == at_once(time)) << time;
      }
    }
  }
}

// A time slider that jumps to the end and back.
TEST_P(PathlineMarchBits, DoNotDependOnTheTimesLookedAt)
{
  for (const bool one_by_one : { true, false })
  {
    March march(source_, seeds(), options_, 2, one_by_one);
    const std::vector<double> times = frames();
    for (const std::size_t frame : { 5U, 3U, 0U, 4U, 1U, 2U, 5U })
    {
      EXPECT_TRUE(bytes_of_frame(march.at(times[frame]).lines) == at_once(times[frame])) << times[frame];
    }
  }
}

TEST_P(PathlineMarchBits, TakeNothingFromTheFieldAtStepsThatWerePassed)
{
  March march(source_, seeds(), options_, 1, true);
  (void)march.at(frames().back());
  EXPECT_GT(march.take_statistics().integration_steps, 0);
  for (const double time : kTimes)
  {
    (void)march.at(time);
  }
  EXPECT_EQ(march.frames_ahead(), 0);
  EXPECT_EQ(march.take_statistics().integration_steps, 0);
}

TEST_P(PathlineMarchBits, ParticlesAreAtTheEndsOfTheirLines)
{
  March march(source_, seeds(), options_, 1, true);
  const PathlineFrame frame = march.at(frames()[1]);
  std::size_t found = 0;
  ASSERT_GE(frame.particles.lines.size(), 10U);
  for (const TracedLine& line : frame.lines.lines)
  {
    for (const TracedLine& particle : frame.particles.lines)
    {
      if (particle.seed == line.seed)
      {
        ++found;
        EXPECT_EQ(particle.points, 1);
        const auto last = static_cast<std::size_t>(line.first_point + line.points - 1);
        const auto point = static_cast<std::size_t>(particle.first_point);
        EXPECT_EQ(frame.particles.time[point], frames()[1]);
        EXPECT_EQ(frame.lines.time[last], frames()[1]);
        for (std::size_t c = 0; c < 3; ++c)
        {
          EXPECT_EQ(frame.particles.points[3 * point + c], frame.lines.points[3 * last + c]);
        }
      }
    }
  }
  EXPECT_GE(found, 9U);
}

/// Bytes of particles and of the reasons of all seeds.
std::string bytes_of_particles(const PathlineFrame& frame)
{
  std::string reasons;
  for (const SeedFate& fate : frame.lines.seeds)
  {
    reasons +=
        std::to_string(static_cast<int>(fate.reason[0])) + " " + std::to_string(static_cast<int>(fate.reason[1])) + ",";
  }
  return reasons + bytes_of(frame.particles);
}

TEST_P(PathlineMarchBits, OfParticlesAreThoseOfPathsThatAreKept)
{
  for (const bool one_by_one : { true, false })
  {
    for (const int threads : { 1, 3 })
    {
      March paths(source_, seeds(), options_, threads, one_by_one);
      March ends(source_, seeds(), options_, threads, one_by_one);
      ends.keep_ends_only();
      for (const double time : frames())
      {
        ASSERT_TRUE(ends.march().serves(time));
        const PathlineFrame frame = ends.at(time);
        EXPECT_TRUE(frame.lines.lines.empty());
        EXPECT_TRUE(bytes_of_particles(frame) == bytes_of_particles(paths.at(time))) << time;
      }
    }
  }
}

// As far back as the last call of go_on() began.
TEST_P(PathlineMarchBits, OfParticlesComeAgainWhileTheyAreKept)
{
  for (const bool one_by_one : { true, false })
  {
    March paths(source_, seeds(), options_, 2, one_by_one);
    March ends(source_, seeds(), options_, 2, one_by_one);
    ends.keep_ends_only();
    (void)ends.at(frames().back());
    int served = 0;
    for (const double time : frames())
    {
      if (ends.march().serves(time))
      {
        ++served;
        EXPECT_TRUE(bytes_of_particles(ends.at(time)) == bytes_of_particles(paths.at(time))) << time;
      }
    }
    EXPECT_EQ(served, one_by_one ? 3 : 6); // step by step, those of the last interval
  }
}

INSTANTIATE_TEST_SUITE_P(All, PathlineMarchBits,
    ::testing::Values(Case{ Integrator::RungeKutta2 }, Case{ Integrator::RungeKutta4 },
        Case{ Integrator::RungeKutta45 }, Case{ Integrator::RungeKutta4, true }, Case{ Integrator::RungeKutta45, true },
        Case{ Integrator::RungeKutta4, false, 0.5 }, Case{ Integrator::RungeKutta45, true, 0.35 },
        Case{ Integrator::RungeKutta4, false, 0.0, TimeInterpolation::Cubic },
        Case{ Integrator::RungeKutta45, true, 0.35, TimeInterpolation::Cubic }));

TEST(PathlineMarch, SeedsOfLaterTimesHaveNoLineYet)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  const std::vector<PathSeed> seeds{ { { 3, 3, 3 }, 0.1 }, { { 3, 3, 3 }, 1.1 }, { { 3, 3, 3 }, 3.0 } };
  PathlineOptions options;
  March march(source, seeds, options, 1, true);
  const TracedLines early = march.at(0.3).lines;
  ASSERT_EQ(early.lines.size(), 1U);
  EXPECT_EQ(early.seeds[0].reason[0], Termination::OutOfTime);
  EXPECT_EQ(early.seeds[1].reason[0], Termination::None);
  EXPECT_EQ(early.seeds[2].reason[0], Termination::SeedOutside);
  const TracedLines late = march.at(2.0).lines;
  EXPECT_EQ(late.lines.size(), 2U);
  EXPECT_EQ(late.seeds[1].reason[0], Termination::OutOfTime);
}

// At the time of their release particles are at their seeds, also at the end of the march so far.
TEST(PathlineMarch, ParticlesAreThereFromTheirRelease)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  const std::vector<PathSeed> seeds{ { { 3, 3, 3 }, 0.4 }, { { 2, 3, 3 }, 1.0 }, { { 3, 2, 3 }, 1.2 } };
  for (const bool jump : { true, false })
  {
    March march(source, seeds, PathlineOptions(), 1, true);
    if (jump)
    {
      (void)march.at(2.0);
    }
    EXPECT_EQ(march.at(0.1).particles.lines.size(), 0U);
    const PathlineFrame first = march.at(0.4);
    EXPECT_EQ(first.lines.lines.size(), 0U);
    ASSERT_EQ(first.particles.lines.size(), 1U);
    EXPECT_EQ(first.particles.points[0], 3.0F);
    EXPECT_EQ(first.particles.time[0], 0.4);
    const PathlineFrame second = march.at(1.0);
    EXPECT_EQ(second.lines.lines.size(), 1U);
    ASSERT_EQ(second.particles.lines.size(), 2U);
    EXPECT_EQ(second.particles.points[3], 2.0F);
    EXPECT_EQ(march.at(1.2).particles.lines.size(), 3U);
    EXPECT_EQ(march.at(2.0).particles.lines.size(), 3U);
  }
}

TEST(PathlineMarch, PlansNameTheIntervalsThatAFrameNeeds)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  March march(source, { { { 3, 3, 3 }, 0.5 } }, PathlineOptions(), 1, true);
  using Range = std::optional<IntervalRange>;
  const auto expect = [&](double time, const Range& to_march, const Range& ahead)
  {
    const PathlineMarch::Plan plan = march.march().plan(time);
    EXPECT_EQ(plan.march, to_march) << time;
    EXPECT_EQ(plan.ahead, ahead) << time;
  };
  expect(0.0, {}, {}); // before the release
  expect(0.4, {}, IntervalRange{ 1, 1 });
  expect(0.7, {}, IntervalRange{ 1, 1 });
  expect(1.0, IntervalRange{ 1, 1 }, {});
  expect(1.2, IntervalRange{ 1, 1 }, IntervalRange{ 2, 2 });
  expect(2.0, IntervalRange{ 1, 3 }, {});
  (void)march.at(1.3);
  expect(0.7, {}, IntervalRange{ 1, 1 });
  expect(1.0, {}, {});
  expect(1.2, {}, IntervalRange{ 2, 2 });
  expect(1.3, {}, {});
  expect(1.5, {}, IntervalRange{ 3, 3 });
  expect(2.0, IntervalRange{ 3, 3 }, {});
}

// Lines show the last time of the length asked for, although their points lie a quarter apart.
TEST(PathlineMarch, TailsAreAsLongAsAskedFor)
{
  constexpr double kTail = 0.55;
  for (const double sign : { 1.0, -1.0 })
  {
    FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 0.5; }));
    PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.25);
    options.direction = sign > 0.0 ? TraceDirection::Forward : TraceDirection::Backward;
    const double release = sign > 0.0 ? 0.0 : 2.0;
    March march(flow.source(), { { { 0.0, 0, 0 }, release } }, options, 1, true);
    march.set_tail(kTail);
    for (const double age : { 0.3, 0.6, 1.0, 1.31, 2.0, 0.6 })
    {
      const double time = release + sign * age;
      const TracedLines lines = march.at(time).lines;
      ASSERT_EQ(lines.lines.size(), 1U) << time;
      const double begin = age > kTail ? time - sign * kTail : release;
      EXPECT_EQ(lines.time[0], begin) << time;
      EXPECT_EQ(lines.time[lines.time.size() - 1], time);
      EXPECT_NEAR(lines.points[0], 0.5 * (begin - release), 1e-6) << time;
      for (const AttributeValues& values : lines.attributes)
      {
        EXPECT_EQ(values.values.size() % (lines.points.size() / 3), 0U);
      }
      ASSERT_EQ(lines.attributes[0].type, ScalarType::Float64);
      EXPECT_EQ(reinterpret_cast<const double*>(lines.attributes[0].values.data())[0], 0.5);
    }
  }
}

TEST(PathlineMarch, FatesBeforeTheReleaseDoNotDependOnTheTimesLookedAt)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  for (const bool ends_only : { false, true })
  {
    March march(source, { { { 3, 3, 3 }, 0.5 }, { { 3, 2, 3 }, 1.1 } }, PathlineOptions(), 1, false);
    if (ends_only)
    {
      march.keep_ends_only();
    }
    const std::vector<SeedFate> before = march.at(0.2).lines.seeds;
    (void)march.at(2.0);
    const std::vector<SeedFate> again = march.at(0.2).lines.seeds;
    for (std::size_t seed = 0; seed < 2; ++seed)
    {
      EXPECT_EQ(again[seed].reason[0], Termination::None);
      EXPECT_EQ(again[seed].time[0], before[seed].time[0]);
      EXPECT_EQ(again[seed].length[0], 0.0);
      EXPECT_EQ(again[seed].steps[0], 0);
    }
  }
}

// Bricks of levels that move are others in the next interval, and so are the last bits of what is read from them.
TEST(PathlineMarch, TheBeginningOfAnIntervalIsTheEndOfTheOneBefore)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  March march(source, { { { 3, 3, 3 }, 0.1 }, { { 3, 2, 3 }, 1.1 } }, PathlineOptions(), 1, true);
  march.keep_ends_only();
  const std::string first = bytes_of(march.at(1.3).particles);
  (void)march.at(2.0);
  ASSERT_TRUE(march.march().serves(1.3));
  const PathlineMarch::Plan plan = march.march().plan(1.3);
  EXPECT_FALSE(plan.march || plan.ahead);
  EXPECT_TRUE(bytes_of(march.at(1.3).particles) == first);
}

// Particles that have left the grid are not asked for again.
TEST(PathlineMarch, ParticlesThatEndedStayWhereTheyEnded)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 1.0; }));
  const std::vector<PathSeed> seeds{ { { 1.7, 0, 0 }, 0.0 }, { { -1.9, 0, 0 }, 0.0 } };
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.1);
  March march(flow.source(), seeds, options, 1, true);
  (void)march.at(1.3);
  EXPECT_EQ(march.march().going(), 1);
  const TracedLines lines = march.at(2.0).lines;
  EXPECT_EQ(march.march().going(), 0); // nothing lies beyond the last step
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_EQ(lines.lines[1].reason, Termination::OutOfTime);
  EXPECT_NEAR(lines.time[static_cast<std::size_t>(lines.lines[0].points) - 1], 0.3, 0.11);
  EXPECT_EQ(lines.time[lines.time.size() - 1], 2.0);
  EXPECT_NEAR(lines.seeds[1].length[0], 2.0, 1e-6);
}

/// Particles of some places, released at the first steps; those of a place follow each other. One place lies outside.
std::vector<PathSeed> released_at(std::size_t steps)
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 12; ++i)
  {
    const Vec3 place = i == 5 ? Vec3{ -1, 0, 0 } : Vec3{ 0.7 + 0.4 * i, 5.5 - 0.4 * i, 1.0 + 0.2 * i };
    for (std::size_t step = 0; step < steps; ++step)
    {
      seeds.push_back({ place, kTimes[step] });
    }
  }
  return seeds;
}

std::span<const float> points_of(const TracedLines& lines)
{
  return { lines.points.data(), lines.points.size() };
}

/// The first times, and one that is still to come.
std::vector<double> times_until(std::size_t step)
{
  return { kTimes.begin(), kTimes.begin() + static_cast<std::ptrdiff_t>(step) + 2 };
}

class GrowingMarch : public ::testing::TestWithParam<bool>
{
protected:
  GrowingMarch() { options_.direction = TraceDirection::Forward; }

  AnalyticBricks source_{ swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox),
    { .brick_cells = { 5, 6, 7 }, .times = kTimes } };
  PathlineOptions options_;
};
INSTANTIATE_TEST_SUITE_P(PathsAndEnds, GrowingMarch, ::testing::Bool());

TEST_P(GrowingMarch, GoesOnWithLaterTimesAndReleases)
{
  const bool ends_only = GetParam();
  March growing(source_, released_at(1), options_, 2, true, times_until(0));
  March known(source_, released_at(kTimes.size() - 1), options_, 2, true);
  if (ends_only)
  {
    growing.keep_ends_only();
    known.keep_ends_only();
  }
  for (std::size_t step = 1; step + 1 < kTimes.size(); ++step)
  {
    ASSERT_TRUE(growing.grow(times_until(step), released_at(step + 1)));
    const PathlineFrame frame = growing.at(kTimes[step]);
    const PathlineFrame same = known.at(kTimes[step]);
    EXPECT_EQ(frame.particles.lines.size(), same.particles.lines.size()) << "the new ones are there, too";
    EXPECT_GT(frame.particles.lines.size(), 6 * step);
    EXPECT_TRUE(std::ranges::equal(points_of(frame.lines), points_of(same.lines)));
    EXPECT_TRUE(std::ranges::equal(points_of(frame.particles), points_of(same.particles)));
    EXPECT_EQ(frame.lines.lines.empty(), ends_only);
  }
  const double last = kTimes[kTimes.size() - 2];
  EXPECT_TRUE(bytes_of_frame(growing.at(last).lines) == bytes_of_frame(known.at(last).lines));
  EXPECT_TRUE(bytes_of(growing.at(last).particles) == bytes_of(known.at(last).particles));
  EXPECT_EQ(growing.frames_ahead(), 0);
}

TEST_P(GrowingMarch, RefusesOtherSeedsAndOtherTimes)
{
  March march(source_, released_at(1), options_, 2, true, times_until(0));
  ASSERT_TRUE(march.grow(times_until(1), released_at(2)));
  (void)march.at(kTimes[1]);
  EXPECT_FALSE(march.grow({ 0.0, 0.5, 1.0 }, released_at(2))) << "a time that it has gone through";
  std::vector<PathSeed> others = released_at(2);
  others[3].point[0] += 0.1;
  EXPECT_FALSE(march.grow(times_until(2), others)) << "a seed that has gone";
  others = released_at(2);
  others.push_back({ { 1, 1, 1 }, 0.1 });
  EXPECT_FALSE(march.grow(times_until(2), others)) << "a release in the past";
  EXPECT_TRUE(march.grow(times_until(2), released_at(3))) << "nothing was changed";
  EXPECT_GT(march.at(kTimes[2]).particles.lines.size(), 15U);
}

} // namespace
} // namespace rivulet::test
