// SPDX-License-Identifier: BSD-3-Clause
// Pathlines that end at surfaces: closed forms, and the same bytes at once, step by step, and for frames in any order.
#include "Core/Trace/MarchInSteps.h"
#include "Trace/Lines/TraceLines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace rivulet::test
{
namespace
{

std::size_t last_point(const TracedLine& line)
{
  return static_cast<std::size_t>(line.first_point + line.points - 1);
}

/// x = x0 + t + t^2 / 2.
VelocityInTime faster_and_faster()
{
  return along_x([](double t) { return 1.0 + t; });
}

TEST(PathlinesToSurfaces, EndInUniformFlowWhereAndWhenTheClosedFormSays)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, faster_and_faster(), { 2, 2, 2 });
  const std::vector<PathSeed> seeds{ { { -1.5, 0.1, 0.2 }, 0.0 }, { { -1.5, 1.5, 0.2 }, 0.0 } };
  const std::vector<Surface> surfaces{ plane({ 0.3, 0, 0 }, { 1, 0, 0 }), box({ -0.5, -0.4, -1 }, { 0, 0.4, 1 }) };
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    for (const bool one_by_one : { true, false })
    {
      March march(flow.source(), seeds, timed_steps(integrator, 0.2), 1, one_by_one);
      march.end_at(surfaces);
      EXPECT_EQ(march.at(0.4).particles.lines.size(), 2U);
      EXPECT_EQ(march.at(0.8).particles.lines.size(), 1U); // the other one has entered the box
      const PathlineFrame frame = march.at(2.0);
      EXPECT_EQ(frame.particles.lines.size(), 0U);
      ASSERT_EQ(frame.lines.lines.size(), 2U);
      const std::array<double, 2> places{ -0.5, 0.3 };
      for (std::size_t i = 0; i < 2; ++i)
      {
        const double time = std::sqrt(1.0 + 2.0 * (places.at(i) + 1.5)) - 1.0;
        const std::size_t last = last_point(frame.lines.lines[i]);
        EXPECT_EQ(frame.lines.lines[i].reason, Termination::Crossed);
        EXPECT_EQ(frame.lines.seeds[i].reason[0], Termination::Crossed);
        EXPECT_NEAR(frame.lines.time[last], time, 1e-13);
        EXPECT_NEAR(frame.lines.seeds[i].time[0], time, 1e-13);
        EXPECT_NEAR(frame.lines.points[3 * last], places.at(i), 1e-7);
      }
    }
  }
}

TEST(PathlinesToSurfaces, EndBackwardToo)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, faster_and_faster());
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.2);
  options.direction = TraceDirection::Backward;
  March march(flow.source(), { { { 1.5, 0.1, 0.2 }, 1.6 } }, options, 1, true);
  march.end_at({ plane({ -0.4, 0, 0 }, { 1, 0, 0 }) });
  const PathlineFrame frame = march.at(0.0);
  ASSERT_EQ(frame.lines.lines.size(), 1U);
  EXPECT_EQ(frame.lines.seeds[0].reason[1], Termination::Crossed);
  // t + t^2 / 2 falls by 1.9 from 1.6 + 1.28.
  EXPECT_NEAR(frame.lines.seeds[0].time[1], std::sqrt(1.0 + 2.0 * 0.98) - 1.0, 1e-13);
  EXPECT_EQ(march.at(1.0).particles.lines.size(), 1U);
}

/// Two and a half turns in 2, at half of them y changes its sign.
TEST(PathlinesToSurfaces, GoOnThroughAllCrossings)
{
  const double rate = 2.5 * std::numbers::pi;
  FlowInTime flow(cube_grid(17, 2.0), kTimes, turning(rate, 0.0));
  for (const bool ends_only : { true, false })
  {
    for (const bool one_by_one : { true, false })
    {
      const std::vector<PathSeed> seeds{ { { 1.0, 0, 0.2 }, 0.0 }, { { 0, 0.5, 0 }, 0.1 } };
      March march(flow.source(), seeds, timed_steps(Integrator::RungeKutta4, 0.01), 1, one_by_one);
      march.record_at({ plane({ 0, 0, 0 }, { 0, 1, 0 }) });
      if (ends_only)
      {
        march.keep_ends_only();
      }
      for (const double time : { 0.25, 1.0, 1.95 })
      {
        const PathlineFrame frame = march.at(time);
        EXPECT_EQ(frame.particles.lines.size(), 2U) << time;
        std::vector<LineCrossing> expected;
        for (std::int32_t seed = 0; seed < 2; ++seed)
        {
          const double start = seed == 0 ? 0.0 : std::numbers::pi / 2; // angle
          for (int half = 0; half <= 5; ++half)
          {
            const double angle = half * std::numbers::pi; // released at 0 counts as on the negative side
            const double at = seeds[static_cast<std::size_t>(seed)].time + (angle - start) / rate;
            const double radius = seed == 0 ? 1.0 : 0.5;
            if (angle >= start && at <= time)
            {
              expected.push_back({ seed, false, half % 2 == 0,
                  { half % 2 == 0 ? radius : -radius, 0, seed == 0 ? 0.2 : 0.0 }, at, radius * (angle - start) });
            }
          }
        }
        const std::vector<LineCrossing>& found = frame.lines.crossings;
        ASSERT_EQ(found.size(), expected.size()) << time;
        for (std::size_t i = 0; i < found.size(); ++i)
        {
          EXPECT_EQ(found[i].seed, expected[i].seed);
          EXPECT_EQ(found[i].to_positive, expected[i].to_positive);
          EXPECT_NEAR(found[i].time, expected[i].time, 1e-4);
          EXPECT_NEAR(found[i].length, expected[i].length, 1e-4);
          EXPECT_NEAR(found[i].point[0], expected[i].point[0], 1e-4);
          EXPECT_NEAR(found[i].point[1], 0.0, 1e-12);
        }
      }
    }
  }
}

/// A place where the function is 0 belongs to the negative side.
TEST(PathlinesToSurfaces, FromASurfaceEndAtOnceOnTheWayToItsPositiveSide)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, faster_and_faster());
  for (const bool to_positive : { true, false })
  {
    March march(flow.source(), { { { 0, 0, 0 }, 0.2 } }, timed_steps(Integrator::RungeKutta4, 0.2), 1, true);
    march.end_at({ plane({ 0, 0, 0 }, { to_positive ? 1.0 : -1.0, 0, 0 }) });
    const PathlineFrame frame = march.at(1.0);
    EXPECT_EQ(frame.particles.lines.size(), to_positive ? 0U : 1U);
    EXPECT_EQ(frame.lines.seeds[0].reason[0], to_positive ? Termination::Crossed : Termination::OutOfTime);
    EXPECT_NEAR(frame.lines.seeds[0].time[0], to_positive ? 0.2 : 1.0, 1e-13);
  }
}

/// The crossing has the time of the release within rounding, so that a line up to that time has not got there.
TEST(PathlinesToSurfaces, AtTheTimeOfAFrameAreTheSameBeforeAndAfterTheCrossing)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 100.0; }));
  for (const bool ends_only : { true, false })
  {
    March march(flow.source(), { { { 0, 0, 0 }, 1.0 } }, timed_steps(Integrator::RungeKutta4, 0.001), 1, false);
    march.end_at({ plane({ 0, 0, 0 }, { 1, 0, 0 }) });
    if (ends_only)
    {
      march.keep_ends_only();
    }
    PathlineFrame before = march.at(1.0);
    EXPECT_EQ(before.particles.lines.size(), 1U);
    const PathlineFrame later = march.at(2.0);
    EXPECT_EQ(later.lines.seeds[0].time[0], 1.0);
    EXPECT_EQ(later.lines.seeds[0].reason[0], Termination::Crossed);
    EXPECT_EQ(later.particles.lines.size(), 0U);
    PathlineFrame again = march.at(1.0);
    EXPECT_EQ(again.lines.seeds[0].reason[0], Termination::OutOfTime);
    EXPECT_TRUE(bytes_of(again.particles) == bytes_of(before.particles));
    EXPECT_TRUE(bytes_of_frame(std::move(again.lines)) == bytes_of_frame(std::move(before.lines)));
  }
}

/// The same for lines that go on: a look at a later time adds nothing to the frame.
TEST(PathlinesToSurfaces, ThatGoOnAreTheSameBeforeAndAfterACrossingAtTheTimeOfAFrame)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 100.0; }));
  March march(flow.source(), { { { 0, 0, 0 }, 1.0 } }, timed_steps(Integrator::RungeKutta4, 0.001), 1, false);
  march.record_at({ plane({ 0, 0, 0 }, { 1, 0, 0 }) });
  PathlineFrame before = march.at(1.0);
  EXPECT_TRUE(before.lines.crossings.empty());
  EXPECT_EQ(march.at(2.0).lines.crossings.size(), 1U);
  PathlineFrame again = march.at(1.0);
  EXPECT_TRUE(again.lines.crossings.empty());
  EXPECT_TRUE(bytes_of(again.particles) == bytes_of(before.particles));
  EXPECT_TRUE(bytes_of_frame(std::move(again.lines)) == bytes_of_frame(std::move(before.lines)));
}

/// A particle that is on the surface at the time of a step, within rounding, has ended there.
TEST(PathlinesToSurfaces, ReachedAtTheTimeOfAFrameHaveEnded)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 1.0; }));
  for (const bool ends_only : { true, false })
  {
    March march(flow.source(), { { { -1, 0, 0 }, 0.0 } }, timed_steps(Integrator::RungeKutta4, 0.1), 1, true);
    march.end_at({ plane({ -1e-15, 0, 0 }, { -1, 0, 0 }) });
    if (ends_only)
    {
      march.keep_ends_only();
    }
    EXPECT_EQ(march.at(0.99).particles.lines.size(), 1U);
    for (const double time : { 1.0, 1.2 })
    {
      const PathlineFrame frame = march.at(time);
      EXPECT_EQ(frame.particles.lines.size(), 0U) << time;
      EXPECT_EQ(frame.lines.seeds[0].reason[0], Termination::Crossed) << time;
      EXPECT_EQ(frame.lines.seeds[0].time[0], 1.0) << time;
    }
  }
}

struct Case
{
  Integrator integrator;
  bool backward = false;
};

/// Lines through a swinging flow to a plane, a box and a ball; about half of them reach one.
class SurfaceBits : public ::testing::TestWithParam<Case>
{
public:
  SurfaceBits()
    : source_(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .brick_cells = { 5, 6, 7 }, .times = kTimes })
  {
    options_.integrator = GetParam().integrator;
    options_.direction = GetParam().backward ? TraceDirection::Backward : TraceDirection::Forward;
    const auto ball = [](const Vec3& x, std::int64_t)
    {
      return std::hypot(x[0] - 2.0, x[1] - 4.0, x[2] - 2.0) - 0.7;
    };
    surfaces_ = { plane({ 0, 0, 3.1 }, { 0.1, 0, 1 }), { .side = ball }, box({ 4, 1, 1 }, { 5, 3, 4 }) };
  }

protected:
  [[nodiscard]] std::vector<PathSeed> seeds() const
  {
    std::vector<PathSeed> seeds;
    for (int i = 0; i < 40; ++i)
    {
      seeds.push_back(
          { { 0.4 + 0.13 * i, 5.9 - 0.12 * i, 0.07 * i + 1.0 }, GetParam().backward ? 2.0 - 0.02 * i : 0.02 * i });
    }
    seeds.push_back({ { -1, 0, 0 }, 1.0 });
    return seeds;
  }
  /// Times of frames, in the order of the march: between steps and at them.
  [[nodiscard]] std::vector<double> frames() const
  {
    return GetParam().backward ? std::vector<double>{ 1.0, 0.9, 0.7, 0.4, 0.1, 0.0 }
                               : std::vector<double>{ 1.0, 1.1, 1.25, 1.3, 1.7, 2.0 };
  }
  [[nodiscard]] std::unique_ptr<March> march(int threads, bool one_by_one, bool ends_only = false, bool goes_on = false)
  {
    auto made = std::make_unique<March>(source_, seeds(), options_, threads, one_by_one);
    goes_on ? made->record_at(surfaces_) : made->end_at(surfaces_);
    if (ends_only)
    {
      made->keep_ends_only();
    }
    return made;
  }
  /// Lines of one run from seeds to a time.
  [[nodiscard]] TracedLines at_once(double time, bool goes_on = false)
  {
    TraceField field;
    field.velocity = { &source_, 0, 0 };
    field.grid = source_.info().grid;
    field.attributes = { { "velocity", { &source_, 0, 0 } }, { "speed", { &source_, 1, 0 } } };
    std::array<double, 2> limits{ -kForever, kForever };
    limits.at(GetParam().backward ? 0 : 1) = time;
    const AdvectionContext context = *AdvectionContext::unsteady(field, kTimes, limits, options_);
    const std::vector<PathSeed> from = seeds();
    std::vector<Surface> ending = surfaces_;
    for (Surface& surface : ending)
    {
      surface.ends = !goes_on;
    }
    const auto advect_seeds = [&](PathRecorder& recorder, const RunOptions& run)
    {
      FixedSeeds releases(context, from);
      const AdvectionSummary summary = advect(context, releases, recorder, run);
      mark_outside(context, releases, recorder.paths());
      return summary;
    };
    return *trace_lines(
        context, { .releases = 2 * from.size(), .advect = advect_seeds, .surfaces = &ending }, { 1, {} });
  }

  AnalyticBricks source_;
  PathlineOptions options_;
  std::vector<Surface> surfaces_;
};

TEST_P(SurfaceBits, OfCrossingsAreThoseOfARunAtOnce)
{
  for (const bool goes_on : { true, false })
  {
    for (const bool ends_only : { true, false })
    {
      const std::unique_ptr<March> marching = march(3, true, ends_only, goes_on);
      for (const double time : frames())
      {
        const TracedLines expected = at_once(time, goes_on);
        std::vector<LineCrossing> found = marching->at(time).lines.crossings;
        EXPECT_GT(found.size(), goes_on ? 5U : 0U);
        EXPECT_TRUE(found == expected.crossings) << time;
      }
    }
  }
}

TEST_P(SurfaceBits, AreThoseOfARunAtOnce)
{
  for (const bool one_by_one : { true, false })
  {
    for (const int threads : { 1, 3 })
    {
      const std::unique_ptr<March> marching = march(threads, one_by_one);
      for (const double time : frames())
      {
        EXPECT_TRUE(bytes_of_frame(marching->at(time).lines) == bytes_of_frame(at_once(time))) << time;
      }
    }
  }
}

TEST_P(SurfaceBits, DoNotDependOnTheTimesLookedAt)
{
  for (const bool one_by_one : { true, false })
  {
    const std::unique_ptr<March> marching = march(2, one_by_one);
    const std::vector<double> times = frames();
    for (const std::size_t frame : { 5U, 3U, 0U, 4U, 1U, 2U, 5U })
    {
      EXPECT_TRUE(bytes_of_frame(marching->at(times[frame]).lines) == bytes_of_frame(at_once(times[frame])))
          << times[frame];
    }
  }
}

TEST_P(SurfaceBits, OfParticlesAreThoseOfPathsThatAreKept)
{
  const std::size_t way = GetParam().backward ? 1 : 0;
  for (const bool one_by_one : { true, false })
  {
    const std::unique_ptr<March> paths = march(1, one_by_one);
    const std::unique_ptr<March> ends = march(3, one_by_one, true);
    for (const double time : frames())
    {
      const PathlineFrame expected = paths->at(time);
      const PathlineFrame frame = ends->at(time);
      EXPECT_TRUE(bytes_of(frame.particles) == bytes_of(expected.particles)) << time;
      for (std::size_t seed = 0; seed < expected.lines.seeds.size(); ++seed)
      {
        EXPECT_EQ(frame.lines.seeds[seed].reason.at(way), expected.lines.seeds[seed].reason.at(way));
      }
    }
  }
}

TEST_P(SurfaceBits, LinesEndOnASurfaceOrGoOnWithoutHavingCrossedOne)
{
  const TracedLines lines = march(1, true)->at(frames().back()).lines;
  std::size_t crossed = 0;
  for (const TracedLine& line : lines.lines)
  {
    double nearest = kForever;
    for (const Surface& surface : surfaces_)
    {
      bool before = false;
      for (std::int64_t i = 0; i < line.points; ++i)
      {
        const float* const point = lines.points.data() + 3 * (line.first_point + i);
        const double value = surface.side({ point[0], point[1], point[2] }, -1);
        before = i == 0 ? value > 0.0 : before;
        EXPECT_TRUE((value > 0.0) == before || std::fabs(value) < 1e-6) << line.seed << " " << i;
        nearest = i + 1 == line.points ? std::min(nearest, std::fabs(value)) : nearest;
      }
    }
    EXPECT_EQ(line.reason == Termination::Crossed, nearest < 1e-6) << line.seed;
    crossed += line.reason == Termination::Crossed ? 1 : 0;
  }
  EXPECT_GT(crossed, 10U);
  EXPECT_LT(crossed, lines.lines.size() - 5);
}

INSTANTIATE_TEST_SUITE_P(All, SurfaceBits,
    ::testing::Values(Case{ Integrator::RungeKutta2 }, Case{ Integrator::RungeKutta4, true },
        Case{ Integrator::RungeKutta45 }, Case{ Integrator::RungeKutta45, true }));

} // namespace
} // namespace rivulet::test
