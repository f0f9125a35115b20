// SPDX-License-Identifier: BSD-3-Clause
// Where pathlines begin and end, and what is refused.
#include "Core/Trace/FlowInTime.h"
#include "Support/FaultyBricks.h"

namespace rivulet::test
{
namespace
{

FlowInTime steady_wind()
{
  return { cube_grid(5, 2.0), { 0.0, 1.0, 2.0 }, along_x([](double) { return 1.0; }) };
}

const PathSeed kSeed{ { -1, 0, 0 }, 0.0 };

TEST(PathlineEnds, WhereTheFieldEndsInTime)
{
  FlowInTime flow = steady_wind();
  const TracedLines lines = flow.trace({ kSeed }, timed_steps(Integrator::RungeKutta4, 0.3));
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfTime);
  EXPECT_EQ(lines.seeds[0].time[0], 2.0);
}

TEST(PathlineEnds, AtTheLimitsAskedFor)
{
  FlowInTime flow = steady_wind();
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.3);
  options.direction = TraceDirection::Both;
  options.first_time = 0.25;
  options.last_time = 1.75;
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 1.0 } }, options);
  EXPECT_EQ(lines.seeds[0].time[0], 1.75);
  EXPECT_EQ(lines.seeds[0].time[1], 0.25);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.75, 1e-6);
  EXPECT_NEAR(end_of(lines, 1)[0], -0.75, 1e-6);
}

TEST(PathlineEnds, AfterTheTimeAskedForInEachDirection)
{
  FlowInTime flow = steady_wind();
  PathlineOptions options = timed_steps(Integrator::RungeKutta45, 0.3);
  options.direction = TraceDirection::Both;
  options.maximum_time = 0.5;
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 0.75 } }, options);
  EXPECT_EQ(lines.seeds[0].time[0], 1.25);
  EXPECT_EQ(lines.seeds[0].time[1], 0.25);
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfTime);
}

TEST(PathlineEnds, AtATimeOfTheirOwn)
{
  FlowInTime flow = steady_wind();
  PathlineOptions options = timed_steps(Integrator::RungeKutta45, 0.3);
  options.direction = TraceDirection::Both;
  const std::vector<PathSeed> seeds{ { { 0, 0, 0 }, 1.0, 1.6 }, { { 0, 0, 0 }, 1.0, 0.7 }, { { 0, 0, 0 }, 1.0, 9.0 } };
  const TracedLines lines = flow.trace(seeds, options);
  EXPECT_EQ(lines.seeds[0].time, (std::array{ 1.6, 0.0 })); // the way back does not lead there
  EXPECT_EQ(lines.seeds[1].time, (std::array{ 2.0, 0.7 }));
  EXPECT_EQ(lines.seeds[2].time, (std::array{ 2.0, 0.0 }));
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfTime);
  EXPECT_NEAR(end_of(lines, 0)[0], 0.6, 1e-6);
}

TEST(PathlineEnds, WhereTheGridEnds)
{
  FlowInTime flow = steady_wind();
  const TracedLines lines = flow.trace({ { { 1, 0, 0 }, 0.0 } }, timed_steps(Integrator::RungeKutta4, 0.3));
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
}

TEST(PathlineEnds, AtTheFirstPointBeyondTheLengthAskedFor)
{
  FlowInTime flow = steady_wind();
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.25);
  options.maximum_length = 0.6;
  const TracedLines lines = flow.trace({ kSeed }, options);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfLength);
  EXPECT_NEAR(lines.seeds[0].length[0], 0.75, 1e-12);
}

TEST(PathlineEnds, AfterTheStepsAskedFor)
{
  FlowInTime flow = steady_wind();
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.01);
  options.maximum_steps = 7;
  const TracedLines lines = flow.trace({ kSeed }, options);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfSteps);
  EXPECT_EQ(lines.seeds[0].steps[0], 8); // as with streamlines
}

TEST(PathlineEnds, AParticleAtRestWaitsForTheFlow)
{
  const auto late = [](double t)
  {
    return std::max(0.0, t - 1.0);
  };
  FlowInTime flow(cube_grid(5, 2.0), { 0.0, 1.0, 2.0 }, along_x(late));
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    PathlineOptions options;
    options.integrator = integrator;
    options.terminal_speed = 0.0;
    const TracedLines lines = flow.trace({ kSeed }, options);
    ASSERT_EQ(lines.lines.size(), 1U);
    EXPECT_EQ(lines.lines[0].reason, Termination::OutOfTime);
    EXPECT_NEAR(end_of(lines, 0)[0], -0.5, 1e-6);
    options.terminal_speed = 1e-12;
    EXPECT_EQ(flow.trace({ kSeed }, options).seeds[0].reason[0], Termination::Stagnation);
  }
}

TEST(PathlineEnds, SeedsOutsideTheGridOrTheTimesAreCounted)
{
  FlowInTime flow = steady_wind();
  const TracedLines lines = flow.trace({ { { 9, 0, 0 }, 0.0 }, { { 0, 0, 0 }, -0.1 }, { { 0, 0, 0 }, 2.1 }, kSeed },
      timed_steps(Integrator::RungeKutta4, 0.3));
  EXPECT_EQ(lines.statistics.seeds_outside, 3);
  EXPECT_EQ(lines.seeds[1].reason[0], Termination::SeedOutside);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].seed, 3);
}

TEST(PathlineEnds, ASeedAtTheEndHasNoLineAndSaysWhy)
{
  FlowInTime flow = steady_wind();
  const TracedLines lines = flow.trace({ { { 0, 0, 0 }, 2.0 } }, timed_steps(Integrator::RungeKutta4, 0.3));
  EXPECT_TRUE(lines.lines.empty());
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfTime);
}

TEST(PathlineEnds, AVelocityThatIsNotANumberEndsTheLine)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0.0, 1.0, 2.0 }, along_x([](double t) { return t > 1.5 ? NAN : 1.0; }));
  const TracedLines lines = flow.trace({ kSeed }, timed_steps(Integrator::RungeKutta4, 0.25));
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].reason, Termination::UnexpectedValue);
  EXPECT_LE(lines.seeds[0].time[0], 1.0);
}

TEST(PathlineEnds, ABrickThatCannotBeReadAtTheUpperLevelEndsTheLine)
{
  FlowInTime flow = steady_wind();
  FaultyBricks source(flow.source(), {});
  for (std::int64_t brick = 0; brick < flow.source().bricks(0).size(); ++brick)
  {
    source.fail({ 0, 2, brick });
  }
  flow.field().velocity.source = &source;
  const TracedLines lines = flow.trace({ kSeed }, timed_steps(Integrator::RungeKutta4, 0.25));
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].reason, Termination::DataMissing);
  EXPECT_EQ(lines.seeds[0].time[0], 0.75); // the last point whose brick was there at both levels
  EXPECT_NE(lines.data_error, nullptr);
}

void expect_refusal(FlowInTime& flow, const std::vector<double>& times, const char* what)
{
  const Result<TracedLines> lines = trace_pathlines(flow.field(), times, {}, {}, { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_EQ(lines.error().code, ErrorCode::BadArgument);
  EXPECT_NE(lines.error().describe().find(what), std::string::npos) << lines.error().describe();
}

TEST(PathlineEnds, BadTimesAreRefused)
{
  FlowInTime flow = steady_wind();
  expect_refusal(flow, { 0.0, 1.0 }, "one step for each");
  expect_refusal(flow, { 0.0, 1.0, 1.0 }, "time 2");
  expect_refusal(flow, { 0.0, NAN, 1.0 }, "time 1");
  FlowInTime single(cube_grid(5, 2.0), { 0.0 }, along_x([](double) { return 1.0; }));
  expect_refusal(single, {}, "one time step");
}

TEST(PathlineEnds, StreamlinesTakeNoStepsInTime)
{
  FlowInMemory flow(cube_grid(5, 2.0), uniform_flow({ 1, 0, 0 }));
  StreamlineOptions options;
  options.step_unit = StepUnit::Time;
  const Result<TracedLines> lines = trace_streamlines(flow.field(), {}, options, { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_EQ(lines.error().code, ErrorCode::BadArgument);
}

} // namespace
} // namespace rivulet::test
