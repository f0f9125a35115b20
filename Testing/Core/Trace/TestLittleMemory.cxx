// SPDX-License-Identifier: BSD-3-Clause
// A system that has no more memory ends a run with an error, and with the lines there are, never the process.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Support/FaultyBricks.h"
#include "Support/LoweredLimit.h"
#include "Trace/VortexSeeds.h"

#include <gtest/gtest.h>

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

namespace rivulet::test
{
namespace
{

std::vector<Vec3> many_seeds(std::size_t count)
{
  std::vector<Vec3> seeds;
  for (std::size_t i = 0; i < count; ++i)
  {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    seeds.push_back({ 0.1 + 6.0 * share, 6.2 - 6.0 * share, 3.0 });
  }
  return seeds;
}

StreamlineOptions long_lines()
{
  StreamlineOptions options;
  options.integrator = Integrator::RungeKutta4;
  options.initial_step = 0.02;
  options.maximum_length = 1e6;
  options.maximum_steps = 1 << 20;
  return options;
}

TraceField field_of(BrickSource& source)
{
  TraceField field;
  field.velocity = { &source, 0, 0 };
  field.grid = source.info().grid;
  field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
  return field;
}

AnalyticBricks bricked()
{
  return AnalyticBricks(analytic_field("abc"), uniform_grid({ 33, 29, 31 }, kBox), { .brick_cells = { 9, 9, 9 } });
}

/// More than there is memory for, on so many threads.
void expect_lines_and_an_error(BrickSource& source, int threads)
{
  const std::vector<Vec3> seeds = many_seeds(2000);
  const TraceField field = field_of(source);
  const LoweredLimit little(RLIMIT_AS, memory_and(rlim_t{ 400 } << 20));
  const Result<TracedLines> lines = trace_streamlines(field, seeds, long_lines(), { threads, {} });
  ASSERT_TRUE(lines.has_value()) << lines.error().describe();
  ASSERT_NE(lines->data_error, nullptr);
  EXPECT_EQ(lines->data_error->code, ErrorCode::BudgetTooSmall);
  EXPECT_NE(lines->data_error->what.find("memory"), std::string::npos);
  EXPECT_FALSE(lines->cancelled);
  ASSERT_GT(lines->lines.size(), 10U);
  EXPECT_GT(lines->time.size(), 100000U);
  EXPECT_EQ(lines->points.size(), 3 * lines->time.size());
  EXPECT_EQ(lines->attributes[1].values.size(), lines->time.size() * sizeof(float));
  ASSERT_EQ(lines->seeds.size(), seeds.size());
  std::size_t ended = 0;
  for (const SeedFate& fate : lines->seeds)
  {
    for (const Termination reason : fate.reason)
    {
      EXPECT_NE(reason, Termination::None);
      ended += reason == Termination::Cancelled ? 1 : 0;
    }
  }
  EXPECT_GT(ended, 0U);
}

TEST(LittleMemory, EndsARunWithTheLinesThereAre)
{
  AnalyticBricks source = bricked();
  for (const int threads : { 1, 2, 5 })
  {
    expect_lines_and_an_error(source, threads);
  }
  EXPECT_EQ(source.pinned(), 0);
}

TEST(LittleMemory, EndsARunWhileBricksAreOnTheirWay)
{
  AnalyticBricks inner = bricked();
  FaultyBricks source(inner, { .answer = FaultyBricks::Answer::LaterInRandomOrder, .seed = 3, .hits = 40 });
  expect_lines_and_an_error(source, 2);
  EXPECT_TRUE(source.waiting().empty());
  EXPECT_EQ(inner.pinned(), 0);
}

// Down to where not even the seeds' fates fit.
TEST(LittleMemory, IsNeverTheEndOfTheProcess)
{
  const std::vector<Vec3> seeds = many_seeds(20000);
  for (rlim_t megabytes = 0; megabytes < 160; megabytes += 3)
  {
    AnalyticBricks source = bricked();
    const TraceField field = field_of(source);
    const LoweredLimit little(RLIMIT_AS, memory_and(megabytes << 20));
    try
    {
      const Result<TracedLines> lines = trace_streamlines(field, seeds, long_lines(), { 2, {} });
      EXPECT_TRUE(!lines || lines->data_error != nullptr);
    }
    catch (const std::bad_alloc&) // on the thread that called, where there is none for an error either
    {
    }
  }
}

/// Lends its bricks for as long as it has memory; then, for a while, it throws.
class ThrowingBricks final : public ForwardingSource
{
public:
  ThrowingBricks(BrickSource& inner, std::int64_t lookups)
    : ForwardingSource(inner)
    , left_(lookups)
  {
  }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    if (--left_ < 0)
    {
      throw std::bad_alloc();
    }
    return source().try_get(key);
  }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    if (--left_ < 0)
    {
      throw std::bad_alloc();
    }
    source().request_for(key, waiter, particles);
  }

private:
  std::atomic<std::int64_t> left_;
};

TEST(LittleMemory, OfASourceIsAnErrorOfTheRun)
{
  AnalyticBricks inner = bricked();
  StreamlineOptions options = long_lines();
  options.maximum_length = 20;
  for (const std::int64_t lookups : { 0, 1, 2, 7, 30, 60, 150 })
  {
    FaultyBricks later(inner, { .answer = FaultyBricks::Answer::Later, .hits = 3 });
    ThrowingBricks source(later, lookups);
    const Result<TracedLines> lines = trace_streamlines(field_of(source), many_seeds(40), options, { 2, {} });
    ASSERT_TRUE(lines.has_value());
    ASSERT_NE(lines->data_error, nullptr) << lookups;
    EXPECT_EQ(lines->data_error->code, ErrorCode::BudgetTooSmall);
    EXPECT_TRUE(later.waiting().empty());
    ThrowingBricks searched(inner, std::min<std::int64_t>(lookups, 30));
    EXPECT_FALSE(find_vortex_seeds(field_of(searched), {}, { 2, {} }).has_value());
  }
  EXPECT_EQ(inner.pinned(), 0);
}

} // namespace
} // namespace rivulet::test

#endif
