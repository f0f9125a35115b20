// SPDX-License-Identifier: BSD-3-Clause
// Pathlines that grow from time step to time step have the bytes of those traced at once, and need two steps at a time.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Trace/PathlineMarch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rivulet::test
{
namespace
{

constexpr double kForever = std::numeric_limits<double>::infinity();
const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3, 2.0 };
constexpr auto kIntervals = 4;

std::shared_ptr<const AnalyticField> swinging_flow()
{
  return std::make_shared<FormulaInTime>(
      [](const Vec3& x, double t)
      {
        const double a = 1.2 + std::sin(2 * t);
        return Vec3{ a * std::sin(x[2]) + std::cos(x[1]), std::sin(x[0]) + a * std::cos(x[2]), 0.8 * std::sin(x[1]) };
      });
}

/// The bricks of a few steps; any other brick fails.
class SomeSteps final : public BrickSource
{
public:
  explicit SomeSteps(AnalyticBricks& all)
    : all_(all)
  {
  }
  void hold(std::int32_t first, std::int32_t last)
  {
    first_ = first;
    last_ = last;
  }

  [[nodiscard]] const FieldInfo& info() const override { return all_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return all_.bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    if (key.step >= first_ && key.step <= last_)
    {
      return all_.try_get(key);
    }
    Lookup lookup;
    lookup.state = Lookup::State::Failed;
    lookup.error = std::make_shared<const Error>(Error{ ErrorCode::NotFound, "a step that is not held", "", {} });
    return lookup;
  }
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return all_.working_minimum(workers); }
  [[nodiscard]] SourceStatistics statistics() const override { return all_.statistics(); }

private:
  void unpin(void*) override {}

  AnalyticBricks& all_;
  std::int32_t first_ = 0;
  std::int32_t last_ = -1;
};

/// A march through the intervals one by one, forward or backward.
class March
{
public:
  March(AnalyticBricks& all, std::vector<PathSeed> seeds, const PathlineOptions& options, int threads)
    : steps_(all)
    , seeds_(std::move(seeds))
    , options_(options)
    , threads_(threads)
    , march_(seeds_.size())
  {
    field_.velocity = { &steps_, 0, 0 };
    field_.grid = all.info().grid;
    field_.attributes = { { "velocity", { &steps_, 0, 0 } }, { "speed", { &steps_, 1, 0 } } };
    const Result<void> begun = march_.begin(context(-1, 0.0), seeds_, { threads_, {} });
    EXPECT_TRUE(begun.has_value());
  }

  /// Goes through the intervals before the one that holds `time`, or through that one, too.
  void go_to(double time, bool through = false)
  {
    const int last = interval_with(time) + (through ? 1 : 0);
    for (; done_ < last; ++done_)
    {
      const Result<void> gone = march_.go_on(context(done_, end()), { threads_, {} });
      EXPECT_TRUE(gone.has_value());
    }
  }

  TracedLines at(double time)
  {
    Result<TracedLines> lines = march_.lines_at(context(interval_with(time), time), { threads_, {} });
    EXPECT_TRUE(lines.has_value());
    EXPECT_EQ(lines->data_error, nullptr);
    return std::move(*lines);
  }

  [[nodiscard]] std::int64_t going() const { return march_.going(); }

private:
  [[nodiscard]] bool backward() const { return options_.direction == TraceDirection::Backward; }
  [[nodiscard]] double end() const { return backward() ? -kForever : kForever; }

  /// The number, in the order of the march, of the interval with a time in it or at its end.
  [[nodiscard]] int interval_with(double time) const
  {
    int number = 0;
    while (number < kIntervals - 1 && (backward() ? kTimes[static_cast<std::size_t>(kIntervals - 1 - number)] > time
                                                  : kTimes[static_cast<std::size_t>(number) + 1] < time))
    {
      ++number;
    }
    return number;
  }

  /// Holds the interval with this number, or none for -1.
  AdvectionContext context(int number, double limit)
  {
    const int interval = backward() ? kIntervals - 1 - number : number;
    steps_.hold(number < 0 ? 0 : interval, number < 0 ? -1 : interval + 1);
    const std::array<double, 2> limits = backward() ? std::array{ limit, kForever } : std::array{ -kForever, limit };
    AdvectionContext made =
        *AdvectionContext::unsteady(field_, kTimes, number < 0 ? std::array{ -kForever, kForever } : limits, options_);
    made.hold(number < 0 ? 0 : interval, number < 0 ? -1 : interval);
    return made;
  }

  SomeSteps steps_;
  TraceField field_;
  std::vector<PathSeed> seeds_;
  PathlineOptions options_;
  int threads_;
  PathlineMarch march_;
  int done_ = 0;
};

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
  }

protected:
  [[nodiscard]] std::vector<PathSeed> seeds() const
  {
    return GetParam().backward ? seeds_between(1.0, 2.0) : seeds_between(0.0, 1.0);
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
    const Result<TracedLines> lines = trace_pathlines(field, {}, seeds(), options, { 1, {} });
    EXPECT_TRUE(lines.has_value());
    EXPECT_GT(lines->lines.size(), 30U);
    return bytes_of(*lines);
  }

  AnalyticBricks source_;
  PathlineOptions options_;
};

TEST_P(PathlineMarchBits, AreThoseOfARunAtOnce)
{
  for (const int threads : { 1, 3 })
  {
    March march(source_, seeds(), options_, threads);
    for (const double time : frames())
    {
      march.go_to(time);
      EXPECT_TRUE(bytes_of(march.at(time)) == at_once(time)) << time;
    }
  }
}

// A time slider that goes back within an interval, and to the step at the end of the march.
TEST_P(PathlineMarchBits, DoNotDependOnTheTimesLookedAt)
{
  March march(source_, seeds(), options_, 2);
  const double end = frames()[3];
  march.go_to(end);
  for (const double time : { frames()[3], frames()[1], frames()[2], frames()[1] })
  {
    EXPECT_TRUE(bytes_of(march.at(time)) == at_once(time)) << time;
  }
  march.go_to(end, true);
  EXPECT_TRUE(bytes_of(march.at(end)) == at_once(end));
}

INSTANTIATE_TEST_SUITE_P(All, PathlineMarchBits,
    ::testing::Values(Case{ Integrator::RungeKutta2 }, Case{ Integrator::RungeKutta4 },
        Case{ Integrator::RungeKutta45 }, Case{ Integrator::RungeKutta4, true }, Case{ Integrator::RungeKutta45, true },
        Case{ Integrator::RungeKutta4, false, 0.5 }, Case{ Integrator::RungeKutta45, true, 0.35 }));

TEST(PathlineMarch, SeedsOfLaterTimesHaveNoLineYet)
{
  AnalyticBricks source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .times = kTimes });
  const std::vector<PathSeed> seeds{ { { 3, 3, 3 }, 0.1 }, { { 3, 3, 3 }, 1.1 }, { { 3, 3, 3 }, 3.0 } };
  PathlineOptions options;
  March march(source, seeds, options, 1);
  const TracedLines early = march.at(0.3);
  ASSERT_EQ(early.lines.size(), 1U);
  EXPECT_EQ(early.seeds[0].reason[0], Termination::OutOfTime);
  EXPECT_EQ(early.seeds[1].reason[0], Termination::None);
  EXPECT_EQ(early.seeds[2].reason[0], Termination::SeedOutside);
  EXPECT_EQ(march.going(), 2);
  march.go_to(2.0);
  const TracedLines late = march.at(2.0);
  EXPECT_EQ(late.lines.size(), 2U);
  EXPECT_EQ(late.seeds[1].reason[0], Termination::OutOfTime);
}

// Particles that have left the grid are not asked for again.
TEST(PathlineMarch, ParticlesThatEndedStayWhereTheyEnded)
{
  FlowInTime flow(cube_grid(9, 2.0), kTimes, along_x([](double) { return 1.0; }));
  const std::vector<PathSeed> seeds{ { { 1.7, 0, 0 }, 0.0 }, { { -1.9, 0, 0 }, 0.0 } };
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.1);
  March march(flow.source(), seeds, options, 1);
  march.go_to(2.0);
  EXPECT_EQ(march.going(), 1);
  const TracedLines lines = march.at(2.0);
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_EQ(lines.lines[1].reason, Termination::OutOfTime);
  EXPECT_NEAR(lines.time[static_cast<std::size_t>(lines.lines[0].points) - 1], 0.3, 0.11);
  EXPECT_EQ(lines.time[lines.time.size() - 1], 2.0);
}

} // namespace
} // namespace rivulet::test
