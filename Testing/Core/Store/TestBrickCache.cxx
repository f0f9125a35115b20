// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "Core/Store/CacheUnderTest.h"

#include <random>
#include <thread>

namespace rivulet::test
{

TEST(BrickCache, ReadsABrickOnce)
{
  CacheUnderTest source(4, 1);
  EXPECT_TRUE(source.reads(7));
  EXPECT_FALSE(source.reads(7));
}

TEST(BrickCache, HandsOutPageAlignedSlots)
{
  CacheUnderTest source(4, 1);
  const Lookup found = source.try_get(brick(1));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.pin.view().data) % 4096, 0U);
}

TEST(BrickCache, EvictsTheLeastRecentlyUsed)
{
  CacheUnderTest source(3, 1);
  for (const std::int64_t index : { 1, 2, 3, 1, 4 })
  {
    static_cast<void>(source.reads(index));
  }
  EXPECT_FALSE(source.reads(1));
  EXPECT_FALSE(source.reads(3));
  EXPECT_FALSE(source.reads(4));
  EXPECT_TRUE(source.reads(2));
}

TEST(BrickCache, TellsVariablesAndStepsApart)
{
  CacheUnderTest source(8, 2);
  EXPECT_EQ(source.try_get({ 0, 0, 1 }).state, Lookup::State::Ready);
  EXPECT_EQ(source.try_get({ 1, 0, 1 }).state, Lookup::State::Ready);
  EXPECT_EQ(source.try_get({ 0, 1, 1 }).state, Lookup::State::Ready);
  EXPECT_EQ(source.loads, 3);
}

TEST(BrickCache, UsesEverySlotWhateverItsBanks)
{
  CacheUnderTest source(12, 5);
  std::vector<Lookup> pinned;
  for (std::int64_t index = 0; index < 12; ++index)
  {
    pinned.push_back(source.try_get(brick(index)));
    EXPECT_EQ(number_in(pinned.back()), index);
  }
  EXPECT_EQ(source.try_get(brick(12)).state, Lookup::State::Miss);
  EXPECT_EQ(source.statistics().peak_bytes, 12 * kSlot);
}

TEST(BrickCache, TakesFromAnotherBankWhatItsOwnLacks)
{
  CacheUnderTest source(2, 16); // no bank has a share of its own
  for (std::int64_t index = 0; index < 100; ++index)
  {
    EXPECT_TRUE(source.reads(index));
  }
  EXPECT_EQ(source.statistics().peak_bytes, 2 * kSlot);
}

namespace
{

/// So many bricks of one bank, as the cache shares them out.
std::vector<std::int64_t> bricks_of(std::uint64_t bank, std::uint64_t banks, std::size_t count)
{
  std::vector<std::int64_t> bricks;
  for (std::int64_t index = 0; bricks.size() < count; ++index)
  {
    if ((hash_of(brick(index)) >> 32U) % banks == bank)
    {
      bricks.push_back(index);
    }
  }
  return bricks;
}

} // namespace

TEST(BrickCache, TakesTheOldestOfABankThatHasItsShare)
{
  CacheUnderTest source(4, 2);
  const std::vector<std::int64_t> home = bricks_of(0, 2, 3);
  const std::vector<std::int64_t> other = bricks_of(1, 2, 2);
  for (const std::int64_t index : { other[0], other[1], home[0], home[1], home[2] })
  {
    EXPECT_TRUE(source.reads(index));
  }
  EXPECT_FALSE(source.cache.settled(brick(home[0])));
  for (const std::int64_t index : { other[0], other[1], home[1], home[2] }) // though the others are older
  {
    EXPECT_TRUE(source.cache.settled(brick(index)));
  }
}

TEST(BrickCache, TakesFromABankThatHasMoreThanItsShareBeforeOthers)
{
  CacheUnderTest source(6, 3);
  const std::vector<std::int64_t> home = bricks_of(0, 3, 2);
  const std::vector<std::int64_t> next = bricks_of(1, 3, 1);
  const std::vector<std::int64_t> rich = bricks_of(2, 3, 4);
  for (const std::int64_t index : { next[0], home[0], rich[0], rich[1], rich[2], rich[3], home[1] })
  {
    EXPECT_TRUE(source.reads(index));
  }
  EXPECT_FALSE(source.cache.settled(brick(rich[0])));
  for (const std::int64_t index : { next[0], home[0], home[1], rich[1], rich[2], rich[3] })
  {
    EXPECT_TRUE(source.cache.settled(brick(index)));
  }
}

TEST(BrickCache, SharesOneReadAmongThoseWhoAskAtOnce)
{
  CacheUnderTest source(4, 2);
  std::latch begun(1);
  std::latch go_on(1);
  source.hold(begun, go_on);
  std::atomic<int> right{ 0 };
  std::vector<std::jthread> team;
  for (int i = 0; i < 3; ++i)
  {
    team.emplace_back([&] { right += number_in(source.try_get(brick(5))) == 5 ? 1 : 0; });
  }
  begun.wait();
  go_on.count_down();
  team.clear();
  EXPECT_EQ(source.loads, 1);
  EXPECT_EQ(right, 3);
  EXPECT_EQ(source.statistics().cache_misses, 1);
  EXPECT_EQ(source.statistics().cache_hits, 2);
}

TEST(BrickCache, ReadsOtherBricksWhileOneIsBeingRead)
{
  CacheUnderTest source(4, 1);
  std::latch begun(2);
  std::latch go_on(1);
  source.hold(begun, go_on);
  std::jthread first([&] { EXPECT_EQ(number_in(source.try_get(brick(1))), 1); });
  std::jthread second([&] { EXPECT_EQ(number_in(source.try_get(brick(2))), 2); });
  begun.wait(); // returns only if both reads go on at once
  go_on.count_down();
}

TEST(BrickCache, RemembersFailuresWithoutAnotherRead)
{
  CacheUnderTest source(4, 1);
  source.bad = { 3 };
  const Lookup first = source.try_get(brick(3));
  const Lookup second = source.try_get(brick(3));
  ASSERT_EQ(first.state, Lookup::State::Failed);
  EXPECT_EQ(first.error->code, ErrorCode::CannotRead);
  EXPECT_EQ(second.error, first.error);
  EXPECT_EQ(source.loads, 1);
}

TEST(BrickCache, FailsAllWhoWaitForABadBrick)
{
  CacheUnderTest source(4, 1);
  source.bad = { 3 };
  std::latch begun(1);
  std::latch go_on(1);
  source.hold(begun, go_on);
  std::atomic<int> failed{ 0 };
  std::vector<std::jthread> team;
  for (int i = 0; i < 3; ++i)
  {
    team.emplace_back([&] { failed += source.try_get(brick(3)).state == Lookup::State::Failed ? 1 : 0; });
  }
  begun.wait();
  go_on.count_down();
  team.clear();
  EXPECT_EQ(failed, 3);
  EXPECT_EQ(source.loads, 1);
}

TEST(BrickCache, UsesTheSlotOfABadBrickAgain)
{
  CacheUnderTest source(1, 1);
  source.bad = { 3 };
  EXPECT_EQ(source.try_get(brick(3)).state, Lookup::State::Failed);
  EXPECT_TRUE(source.reads(4));
  EXPECT_EQ(source.statistics().peak_bytes, kSlot);
}

TEST(BrickCache, CountsExactly)
{
  CacheUnderTest source(2, 1);
  source.bad = { 9 };
  for (const std::int64_t index : { 1, 1, 2, 3, 1 })
  {
    static_cast<void>(source.reads(index));
  }
  static_cast<void>(source.try_get(brick(9)));
  const SourceStatistics statistics = source.statistics();
  EXPECT_EQ(statistics.cache_hits, 1);
  EXPECT_EQ(statistics.cache_misses, 5);
  EXPECT_EQ(statistics.bricks_read, 4);
  EXPECT_EQ(statistics.bytes_read, 400);
  EXPECT_EQ(statistics.peak_bytes, 2 * kSlot);
}

/// Brick 0 has one page, brick 1 has two, brick 2 has five, brick 3 has five, brick 4 has two.
TEST(BrickCache, HoldsAsManySmallBricksAsItsMemoryHas)
{
  CacheUnderTest source(10, 1, Sizes::Mixed);
  ASSERT_EQ(pages_of(0) + pages_of(1) + pages_of(2) + pages_of(4), 10);
  for (const std::int64_t index : { 0, 1, 2, 4, 0, 1, 2, 4 })
  {
    EXPECT_EQ(number_in(source.try_get(brick(index)), source.bytes_of(index)), index);
  }
  EXPECT_EQ(source.loads, 4);
  EXPECT_EQ(source.cache.held_bytes(), 10 * kSlot);
  EXPECT_TRUE(source.reads(3)); // takes the pages of 0, 1 and 2, the oldest
  EXPECT_FALSE(source.reads(4));
  EXPECT_FALSE(source.reads(3));
  EXPECT_EQ(source.cache.held_bytes(), 7 * kSlot);
  EXPECT_EQ(source.statistics().peak_bytes, 10 * kSlot);
}

TEST(BrickCache, TellsWhoWaitsForALargeBrickWhenSmallOnesAreLetGo)
{
  CacheUnderTest source(5, 2, Sizes::Mixed);
  std::vector<Lookup> small;
  for (const std::int64_t index : { 0, 5, 10, 15, 20 })
  {
    ASSERT_EQ(pages_of(index), 1);
    small.push_back(source.try_get(brick(index)));
  }
  EXPECT_EQ(source.try_get(brick(2)).state, Lookup::State::Miss);
  CountingWaiter waiter;
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 0);
  int asked = 1;
  while (!small.empty())
  {
    small.pop_back();
    ASSERT_EQ(waiter.calls, asked); // it may be enough
    if (!small.empty())
    {
      EXPECT_EQ(source.try_get(brick(2)).state, Lookup::State::Miss);
      source.request(brick(2), waiter);
      ++asked;
    }
  }
  EXPECT_EQ(number_in(source.try_get(brick(2)), source.bytes_of(2)), 2);
}

class ManyThreads : public testing::TestWithParam<Sizes>
{
};

TEST_P(ManyThreads, GetTheirBricksFromLittleMemory)
{
  constexpr int kThreads = 6;
  const std::int64_t pages = kThreads * (GetParam() == Sizes::One ? 1 : kMostPages);
  CacheUnderTest source(pages, 3, GetParam());
  std::atomic<int> wrong{ 0 };
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < kThreads; ++i)
  {
    team.emplace_back(
        [&, i]
        {
          std::mt19937 random(i);
          for (int visit = 0; visit < 3000;)
          {
            const auto index = static_cast<std::int64_t>(random() % 40);
            const Lookup found = source.try_get(brick(index));
            const bool missed = found.state == Lookup::State::Miss; // while the others changed places
            wrong += missed || number_in(found, source.bytes_of(index)) == index ? 0 : 1;
            wrong += source.cache.held_bytes() <= pages * kSlot ? 0 : 1;
            visit += missed ? 0 : 1;
          }
        });
  }
  team.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(source.statistics().cache_hits + source.statistics().cache_misses, kThreads * 3000);
  EXPECT_LE(source.statistics().peak_bytes, pages * kSlot);
}

INSTANTIATE_TEST_SUITE_P(BrickCache, ManyThreads, testing::Values(Sizes::One, Sizes::Mixed),
    [](const auto& sizes) { return sizes.param == Sizes::One ? "OneSize" : "MixedSizes"; });

} // namespace rivulet::test
