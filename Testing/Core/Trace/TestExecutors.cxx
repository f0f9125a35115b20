// SPDX-License-Identifier: BSD-3-Clause
// Runs with executors that are handed in, and the hook that is polled.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "Support/RoundRobinExecutor.h"
#include "Trace/Streamlines.h"
#include "Trace/VortexSeeds.h"
#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

using Answer = FaultyBricks::Answer;

AnalyticBricks bricked()
{
  return AnalyticBricks(analytic_field("abc"), uniform_grid({ 33, 29, 31 }, kBox), { .brick_cells = { 6, 6, 6 } });
}

TraceField field_of(BrickSource& source)
{
  TraceField field;
  field.velocity = { &source, 0, 0 };
  field.grid = source.info().grid;
  field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
  return field;
}

TracedLines trace(BrickSource& source, const RunOptions& run)
{
  std::vector<Vec3> seeds;
  for (int i = 0; i < 60; ++i)
  {
    seeds.push_back({ 0.1 + 0.1 * i, 6.2 - 0.09 * i, 0.05 * i + 1.0 });
  }
  StreamlineOptions options;
  options.maximum_length = 12.0;
  options.maximum_steps = 300;
  Result<TracedLines> lines = trace_streamlines(field_of(source), seeds, options, run);
  EXPECT_TRUE(lines.has_value());
  EXPECT_EQ(lines->data_error, nullptr);
  return std::move(*lines);
}

std::string pathlines(FlowInTime& flow, BrickSource& source, const RunOptions& run)
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 20; ++i)
  {
    seeds.push_back({ { 0.05 * i, 0.3, -0.02 * i }, 0.1 * i });
  }
  TraceField field = flow.field();
  field.velocity.source = &source;
  const Result<TracedLines> lines = trace_pathlines(field, {}, seeds, {}, run);
  EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
  EXPECT_GT(lines->lines.size(), 10U);
  return bytes_of(*lines);
}

std::string vortex_seeds(BrickSource& source, const RunOptions& run)
{
  const Result<VortexSeeds> found = find_vortex_seeds(field_of(source), { .minimum = 0.5, .count = 40 }, run);
  EXPECT_TRUE(found.has_value());
  std::string bytes;
  for (const VortexSeed& seed : found->seeds)
  {
    append(bytes, &seed.cell, 1);
    append(bytes, &seed.vorticity, 1);
  }
  EXPECT_FALSE(bytes.empty());
  return bytes;
}

/// Delivers the request that came last, so that a run goes on when all its workers wait, and not before.
RoundRobinExecutor deliver_when_idle(FaultyBricks& source)
{
  return RoundRobinExecutor(
      [&source]
      {
        const std::size_t waiting = source.waiting().size();
        ASSERT_GT(waiting, 0U) << "all workers wait, and for no brick";
        source.deliver(waiting - 1);
      });
}

/// The only thread of a run is the one that delivers bricks: a slice that waited for one would never end.
class OneThread : public testing::TestWithParam<bool>
{
protected:
  [[nodiscard]] FaultyBricks late(BrickSource& inner) const
  {
    return { inner, { .answer = Answer::OnCommand, .hits = 3, .hands_over = GetParam() } };
  }
};

TEST_P(OneThread, GivesTheSameLines)
{
  AnalyticBricks inner = bricked();
  const std::string expected = bytes_of(trace(inner, { .threads = 1, .progress = {} }));
  for (const int workers : { 1, 3 })
  {
    FaultyBricks source = late(inner);
    RoundRobinExecutor executor = deliver_when_idle(source);
    EXPECT_TRUE(bytes_of(trace(source, { .threads = workers, .progress = {}, .executor = &executor })) == expected);
    EXPECT_GT(source.misses(), 100);
    EXPECT_GT(executor.slices(), source.misses());
  }
}

TEST_P(OneThread, GivesTheSamePathlines)
{
  FlowInTime flow(cube_grid(13, 1.5), { 0, 1, 2, 3 }, turning(1.0, 0.2), { 3, 3, 3 });
  const std::string expected = pathlines(flow, flow.source(), { .threads = 1, .progress = {} });
  FaultyBricks source = late(flow.source());
  RoundRobinExecutor executor = deliver_when_idle(source);
  EXPECT_TRUE(pathlines(flow, source, { .threads = 3, .progress = {}, .executor = &executor }) == expected);
  EXPECT_GT(source.misses(), 30);
}

TEST_P(OneThread, GivesTheSameVortexSeeds)
{
  AnalyticBricks inner = bricked();
  const std::string expected = vortex_seeds(inner, { .threads = 1, .progress = {} });
  FaultyBricks source = late(inner);
  RoundRobinExecutor executor = deliver_when_idle(source);
  EXPECT_TRUE(vortex_seeds(source, { .threads = 3, .progress = {}, .executor = &executor }) == expected);
  EXPECT_GT(source.misses(), 100);
}

INSTANTIATE_TEST_SUITE_P(
    Bricks, OneThread, testing::Bool(), [](const auto& each) { return each.param ? "HandedOver" : "AskedForAgain"; });

TEST(Poll, StopsARunWhoseWorkersAllWait)
{
  AnalyticBricks inner = bricked();
  FaultyBricks source(inner, { .answer = Answer::OnCommand });
  int polls = 0;
  const auto stop_and_deliver = [&]
  {
    while (polls > 3 && !source.waiting().empty())
    {
      source.deliver(0); // a run ends when its requests are answered
    }
    const bool all_wait = source.waiting().size() > 1;
    polls += all_wait ? 1 : 0;
    return polls <= 3;
  };
  const TracedLines lines = trace(source, { .threads = 2, .progress = {}, .poll = stop_and_deliver });
  EXPECT_TRUE(lines.cancelled);
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::Cancelled);
  EXPECT_EQ(lines.statistics.integration_steps, 0);
}

TEST(Poll, StopsTheInterpolationOfArrays)
{
  AnalyticBricks inner = bricked();
  const TracedLines whole = trace(inner, { .threads = 1, .progress = {} });
  FaultyBricks source(inner, { .answer = Answer::OnCommand });
  RoundRobinExecutor executor = deliver_when_idle(source);
  const auto poll = [&]
  {
    const std::vector<BrickKey> waiting = source.waiting();
    return waiting.empty() || waiting.front().variable == 0;
  };
  const TracedLines lines = trace(source, { .threads = 2,
                                              .progress = {},
                                              .poll = poll,
                                              .poll_interval = std::chrono::microseconds(0),
                                              .executor = &executor });
  EXPECT_TRUE(lines.cancelled);
  ASSERT_EQ(lines.points.size(), whole.points.size());
  const auto* speeds = reinterpret_cast<const float*>(lines.attributes[1].values.data());
  EXPECT_TRUE(std::isnan(speeds[0]));
}

TEST(Poll, StopsASearchForSeeds)
{
  AnalyticBricks inner = bricked();
  FaultyBricks source(inner, { .answer = Answer::OnCommand });
  RoundRobinExecutor executor = deliver_when_idle(source);
  int polls = 0;
  const Result<VortexSeeds> found = find_vortex_seeds(field_of(source), { .minimum = 0.5 },
      { .threads = 2,
          .progress = {},
          .poll = [&] { return ++polls < 5; },
          .poll_interval = std::chrono::microseconds(0),
          .executor = &executor });
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->cancelled);
  EXPECT_LT(source.misses(), 20);
}

} // namespace
} // namespace rivulet::test
