// SPDX-License-Identifier: BSD-3-Clause
// Bricks of AMR meshes that are put together by other threads than those that want them.
#include "AmrMesh/AmrBricks.h"
#include "Base/Bytes.h"
#include "Core/AmrMesh/AmrInMemory.h"
#include "Core/Store/CountingWaiter.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Support/NoMoreThreads.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <random>
#include <thread>

namespace rivulet::test
{
namespace
{

std::vector<double> helical(const Vec3& x)
{
  return { -x[1] + 0.3 * std::sin(6.0 * x[2]), x[0] + 0.2 * std::cos(5.0 * x[1]), 0.3 + 0.2 * std::sin(4.0 * x[0]) };
}

/// Values as if from slow storage: nobody has any before so many want some at once.
class SlowPatches final : public PatchValues
{
public:
  SlowPatches(const AmrMesh& grid, int components, Components function, int at_once)
    : values_(grid, Centering::Cell, components, std::move(function))
    , at_once_(at_once)
  {
  }

  [[nodiscard]] const Variable& variable() const override { return values_.variable(); }
  [[nodiscard]] int at_once() const override { return at_once_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override
  {
    {
      std::unique_lock lock(mutex_);
      most_ = std::max(most_, ++under_way_);
      changed_.notify_all();
      // Where they never come, the test fails, and not by waiting for ever.
      changed_.wait_for(lock, std::chrono::seconds(20), [this] { return most_ >= gate_; });
    }
    Result<HeldPatch> held = values_.hold(level, box);
    const std::lock_guard lock(mutex_);
    --under_way_;
    return held;
  }

  void break_box(int level, std::int32_t box) { values_.break_box(level, box); }
  void wait_for(int callers) { set_gate(callers); }
  void let_through() { set_gate(0); }
  void wait_until_under_way(int callers)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return under_way_ >= callers; });
  }
  [[nodiscard]] int most_at_once()
  {
    const std::lock_guard lock(mutex_);
    return most_;
  }

private:
  void set_gate(int callers)
  {
    const std::lock_guard lock(mutex_);
    gate_ = callers;
    changed_.notify_all();
  }

  FunctionPatches values_;
  const int at_once_;
  std::mutex mutex_; ///< guards what follows
  std::condition_variable changed_;
  int under_way_ = 0;
  int most_ = 0;
  int gate_ = 0;
};

/// Velocity and an array through three levels.
class SlowFlow
{
public:
  explicit SlowFlow(int at_once, std::int64_t budget = std::int64_t{ 64 } << 20)
    : grid_(std::make_shared<const AmrMesh>(three_levels()))
    , patches_(std::make_shared<SlowPatches>(*grid_, 3, helical, at_once))
    , heights_(std::make_shared<SlowPatches>(
          *grid_, 1, [](const Vec3& x) { return std::vector<double>{ 3.0 * x[0] - x[2] }; }, at_once))
    , velocity_(grid_, patches_, budget)
    , height_(grid_, heights_, budget)
  {
    field_.velocity = { &velocity_, 0, 0 };
    field_.grid = grid_->level(0).grid;
    field_.attributes = { { "height", { &height_, 0, 0 } } };
  }

  [[nodiscard]] SlowPatches& patches() { return *patches_; }
  [[nodiscard]] SlowPatches& heights() { return *heights_; }
  [[nodiscard]] const AmrBricks& velocity() const { return velocity_; }

  [[nodiscard]] TracedLines trace(int threads)
  {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-1.05, 1.05); // a few outside
    std::vector<Vec3> seeds;
    for (int i = 0; i < 200; ++i)
    {
      seeds.push_back({ place(random), place(random), place(random) });
    }
    StreamlineOptions options;
    options.maximum_length = 4.0;
    options.compute_vorticity = true;
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  std::shared_ptr<const AmrMesh> grid_;
  std::shared_ptr<SlowPatches> patches_;
  std::shared_ptr<SlowPatches> heights_;
  AmrBricks velocity_;
  AmrBricks height_;
  TraceField field_;
};

/// A level of small boxes that touch at edges, so that the bricks of both levels are small.
AmrMesh checkerboard()
{
  constexpr std::int32_t cells = 32;
  AmrMeshLevel coarse;
  coarse.grid.nodes = { cells + 1, cells + 1, cells + 1 };
  coarse.boxes = { { { 0, 0, 0 }, { cells, cells, cells } } };
  AmrMeshLevel fine;
  fine.grid.nodes = { 2 * cells + 1, 2 * cells + 1, 2 * cells + 1 };
  fine.grid.spacing = { 0.5, 0.5, 0.5 };
  fine.ratio = { 2, 2, 2 };
  constexpr std::int32_t edge = 8;
  for (std::int32_t z = 0; z < 2 * cells; z += edge)
  {
    for (std::int32_t y = 0; y < 2 * cells; y += edge)
    {
      for (std::int32_t x = (y + z) % (2 * edge); x < 2 * cells; x += 2 * edge)
      {
        fine.boxes.push_back({ { x, y, z }, { x + edge, y + edge, z + edge } });
      }
    }
  }
  return *AmrMesh::create({ std::move(coarse), std::move(fine) });
}

TEST(AmrBricks, TakeTheMemoryOfTheirNodes)
{
  const auto mesh = std::make_shared<const AmrMesh>(checkerboard());
  const auto patches = std::make_shared<FunctionPatches>(*mesh, Centering::Cell, 3, helical);
  const auto tuple = static_cast<std::int64_t>(patches->variable().tuple_bytes());
  std::int64_t needed = 0;
  for (std::int64_t brick = 0; brick < mesh->bricks(); ++brick)
  {
    needed += round_up(mesh->nodes_of(brick) * tuple, kPage);
  }
  ASSERT_LT(5 * needed, mesh->bricks() * mesh->most_nodes() * tuple);
  AmrBricks bricks(mesh, patches, needed + needed / 16);
  for (const bool again : { false, true })
  {
    for (std::int64_t brick = 0; brick < mesh->bricks(); ++brick)
    {
      const Lookup found = bricks.try_get({ 0, 0, brick });
      ASSERT_EQ(found.state, Lookup::State::Ready);
      ASSERT_EQ(found.pin.view().lattice.count(), mesh->nodes_of(brick));
    }
    EXPECT_EQ(bricks.statistics().cache_misses, mesh->bricks()) << again;
  }
  EXPECT_EQ(bricks.statistics().cache_hits, mesh->bricks());
  EXPECT_LE(bricks.statistics().peak_bytes, needed + needed / 16);
}

TEST(AmrBricks, MoreAreMadeAtATimeThanThreadsWantThem)
{
  SlowFlow flow(16);
  flow.patches().wait_for(3);
  flow.heights().wait_for(6);
  const TracedLines lines = flow.trace(2);
  EXPECT_EQ(lines.data_error, nullptr);
  EXPECT_GE(flow.patches().most_at_once(), 3);
  EXPECT_GE(flow.heights().most_at_once(), 6);
  EXPECT_LE(flow.patches().most_at_once(), 16);
  EXPECT_EQ(bytes_of(lines), bytes_of(SlowFlow(0).trace(1)));
}

TEST(AmrBricks, ASecondTraceFindsTheBricksOfTheFirst)
{
  for (const int at_once : { 0, 4 })
  {
    SlowFlow flow(at_once);
    const std::string first = bytes_of(flow.trace(2));
    const SourceStatistics before = flow.velocity().statistics();
    EXPECT_GT(before.cache_misses, 0);
    EXPECT_TRUE(bytes_of(flow.trace(2)) == first);
    const SourceStatistics second = flow.velocity().statistics().since(before);
    EXPECT_EQ(second.cache_misses, 0);
    EXPECT_GT(second.cache_hits, 0);
    EXPECT_FALSE(flow.velocity().failed());
  }
}

TEST(AmrBricks, TheSameBytesHoweverManyMakeThem)
{
  const std::string expected = bytes_of(SlowFlow(0).trace(1));
  for (const int at_once : { 1, 3, 100 })
  {
    for (const int threads : { 1, 2, 5 })
    {
      SlowFlow flow(at_once);
      EXPECT_TRUE(bytes_of(flow.trace(threads)) == expected) << at_once << " at once, " << threads << " threads";
      EXPECT_LE(flow.patches().most_at_once(), std::min(at_once, 16));
    }
    SlowFlow small(at_once, 1);
    EXPECT_TRUE(bytes_of(small.trace(2)) == expected) << at_once << " at once, smallest cache";
  }
}

TEST(AmrBricks, AreMadeByThoseWhoWantThemWhereThereAreNoThreads)
{
  const std::string expected = bytes_of(SlowFlow(0).trace(1));
  const NoMoreThreads refused;
  EXPECT_TRUE(bytes_of(SlowFlow(16).trace(3)) == expected);
}

TEST(AmrBricks, AreMadeByFewThreadsWhereThereAreNoMore)
{
  const std::string expected = bytes_of(SlowFlow(0).trace(1));
  SlowFlow flow(16);
  const NoMoreThreads refused;
  EXPECT_TRUE(bytes_of(flow.trace(3)) == expected);
}

TEST(AmrBricks, TheCacheStaysWithinItsBudget)
{
  SlowFlow flow(4, 1);
  const std::int64_t budget = flow.velocity().working_minimum(3);
  SlowFlow within(4, budget);
  EXPECT_EQ(within.velocity().memory_budget(), budget);
  (void)within.trace(3);
  EXPECT_EQ(within.velocity().statistics().peak_bytes, budget);
  EXPECT_GT(within.velocity().statistics().cache_misses, 0);
}

TEST(AmrBricks, ABoxThatCannotBeReadEndsTheLinesThatComeToIt)
{
  SlowFlow flow(4);
  flow.patches().break_box(2, 0);
  const TracedLines lines = flow.trace(2);
  ASSERT_NE(lines.data_error, nullptr);
  EXPECT_THAT(lines.data_error->describe(), testing::HasSubstr("broken"));
  EXPECT_TRUE(flow.velocity().failed());
  EXPECT_TRUE(std::any_of(lines.lines.begin(), lines.lines.end(),
      [](const auto& line) { return line.reason == Termination::DataMissing; }));
}

TEST(AmrBricks, EveryRequestIsAnsweredWhenTheyGo)
{
  const auto grid = std::make_shared<const AmrMesh>(three_levels());
  const auto patches = std::make_shared<SlowPatches>(*grid, 3, helical, 3);
  patches->wait_for(1000);
  CountingWaiter waiter;
  auto bricks = std::make_unique<AmrBricks>(grid, patches, 0);
  const auto count = static_cast<int>(grid->bricks());
  for (int i = 0; i < count; ++i)
  {
    bricks->request({ 0, 0, i }, waiter);
  }
  patches->wait_until_under_way(3);
  std::thread opener([&] { patches->let_through(); });
  bricks.reset(); // waits for what is being made
  opener.join();
  EXPECT_EQ(waiter.calls, count);
  EXPECT_EQ(patches->most_at_once(), 3);
}

TEST(AmrBricks, RequestsCanBeWithdrawn)
{
  const auto grid = std::make_shared<const AmrMesh>(three_levels());
  const auto patches = std::make_shared<SlowPatches>(*grid, 3, helical, 2);
  patches->wait_for(1000);
  AmrBricks bricks(grid, patches, 0);
  CountingWaiter gone;
  CountingWaiter stays;
  for (int i = 0; i < 10; ++i)
  {
    bricks.request({ 0, 0, i }, gone);
    bricks.request({ 0, 0, i }, stays);
  }
  patches->wait_until_under_way(2);
  bricks.withdraw(gone);
  EXPECT_EQ(gone.calls, 10);
  EXPECT_EQ(stays.calls, 0);
  patches->let_through();
  while (stays.calls < 10)
  {
    std::this_thread::yield();
  }
  EXPECT_EQ(gone.calls, 10);
  EXPECT_EQ(bricks.try_get({ 0, 0, 9 }).state, Lookup::State::Ready);
}

TEST(AmrBricks, WhatThereIsNotIsAnsweredToo)
{
  const auto grid = std::make_shared<const AmrMesh>(three_levels());
  for (const int at_once : { 0, 2 })
  {
    AmrBricks bricks(grid, std::make_shared<SlowPatches>(*grid, 3, helical, at_once), 0);
    for (const BrickKey& key : { BrickKey{ 0, 0, -1 }, BrickKey{ 0, 0, grid->bricks() }, BrickKey{ 1, 0, 0 } })
    {
      CountingWaiter waiter;
      bricks.request(key, waiter);
      EXPECT_EQ(waiter.calls, 1);
      EXPECT_EQ(bricks.try_get(key).state, Lookup::State::Failed);
    }
  }
}

} // namespace
} // namespace rivulet::test
