// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Runtime/ParallelLoop.h"

#include <gtest/gtest.h>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <array>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>

namespace rivulet::insitu
{
namespace
{

/// Visits of each element, and of each slot.
struct Counts
{
  explicit Counts(std::int64_t count)
    : visits(static_cast<std::size_t>(count))
  {
  }
  std::vector<std::atomic<int>> visits;
  std::array<std::atomic<int>, 8> in_slot{};
  std::atomic<int> wrong{ 0 };
  std::int64_t grain = 1;
  bool nested = false;
};

void count_visits(void* data, std::int64_t begin, std::int64_t end, std::int32_t slot)
{
  auto& counts = *static_cast<Counts*>(data);
  const bool whole = (end - begin) % counts.grain == 0 || end == static_cast<std::int64_t>(counts.visits.size());
  counts.wrong += whole && end > begin && begin % counts.grain == 0 ? 0 : 1;
  counts.wrong += counts.in_slot.at(static_cast<std::size_t>(slot))++ == 0 ? 0 : 1;
  if (counts.nested)
  {
    // A thread that waits here may take other tasks of the arena, among them those of the loop around.
    tbb::parallel_for(0, 4, [](int) { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
  }
  for (std::int64_t i = begin; i < end; ++i)
  {
    ++counts.visits[static_cast<std::size_t>(i)];
  }
  --counts.in_slot.at(static_cast<std::size_t>(slot));
}

class Loops : public testing::Test
{
protected:
  tbb::global_control four_{ tbb::global_control::max_allowed_parallelism, 4 };
  tbb::task_arena arena_{ 4 };
  Trace trace_{ false };
  ParallelLoop loop_{ arena_, 4, trace_ };
};

TEST_F(Loops, VisitEachElementOnce)
{
  for (const std::int64_t count : { 0, 1, 2, 5, 63, 1000, 100'003 })
  {
    for (const std::int64_t grain : { -3, 1, 7, 1000, 1'000'000 })
    {
      Counts counts(count);
      counts.grain = std::max<std::int64_t>(grain, 1);
      loop_.run(count, grain, count_visits, &counts);
      EXPECT_EQ(counts.wrong, 0) << count << ", " << grain;
      for (const auto& visits : counts.visits)
      {
        ASSERT_EQ(visits, 1) << count << ", " << grain;
      }
    }
  }
}

TEST_F(Loops, KeepSlotsApartWhereBodiesAreParallelThemselves)
{
  Counts counts(500);
  counts.nested = true;
  loop_.run(500, 1, count_visits, &counts);
  EXPECT_EQ(counts.wrong, 0);
}

TEST_F(Loops, HandOnExceptions)
{
  EXPECT_THROW(
      loop_.run(
          100, 1, [](void*, std::int64_t, std::int64_t, std::int32_t) { throw std::runtime_error("no"); }, nullptr),
      std::runtime_error);
}

TEST_F(Loops, DoNotOverflow)
{
  struct Ends
  {
    std::atomic<std::int64_t> sum{ 0 };
  } ends;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  loop_.run(
      kMost, kMost / 3, // three whole pieces, and one element
      [](void* data, std::int64_t begin, std::int64_t end, std::int32_t)
      { static_cast<Ends*>(data)->sum += end - begin; },
      &ends);
  EXPECT_EQ(ends.sum, kMost);
}

/// The rule by which regions last for 10 ms.
TEST(NextRegion, FollowsTheTimeOfTheLastOne)
{
  EXPECT_EQ(next_region(100, 0.010, 4), 100);
  EXPECT_EQ(next_region(100, 0.005, 4), 200);
  EXPECT_EQ(next_region(100, 0.020, 4), 50);
  EXPECT_EQ(next_region(100, 0.0001, 4), 400); // no more than four times
  EXPECT_EQ(next_region(100, 10, 4), 25);
  EXPECT_EQ(next_region(8, 10, 4), 4); // a piece for each slot
  EXPECT_EQ(next_region(std::int64_t{ 1 } << 60, 0, 4), std::int64_t{ 1 } << 48);
}

} // namespace
} // namespace rivulet::insitu
