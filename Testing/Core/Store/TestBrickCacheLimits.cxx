// SPDX-License-Identifier: BSD-3-Clause
// What a cache does when it has no room: waiters, budgets that change, the process's limit.
#include <gtest/gtest.h>

#include "Core/Store/CacheUnderTest.h"
#include "Store/Memory/MemoryAccount.h"

#include <random>
#include <thread>

namespace rivulet::test
{

TEST(BrickCacheLimits, MissWhenEverySlotIsPinned)
{
  CacheUnderTest source(2, 2);
  const Lookup first = source.try_get(brick(1));
  const Lookup second = source.try_get(brick(2));
  EXPECT_EQ(source.try_get(brick(3)).state, Lookup::State::Miss);
  EXPECT_EQ(source.try_get(brick(2)).state, Lookup::State::Ready);
}

TEST(BrickCacheLimits, MissWhenTheOnlySlotIsBeingFilled)
{
  CacheUnderTest source(1, 1);
  std::latch begun(1);
  std::latch go_on(1);
  source.hold(begun, go_on);
  std::jthread reader([&] { static_cast<void>(source.try_get(brick(1))); });
  begun.wait();
  EXPECT_EQ(source.try_get(brick(2)).state, Lookup::State::Miss);
  go_on.count_down();
}

TEST(BrickCacheLimits, TellTheWaiterWhenABrickIsUnpinned)
{
  CacheUnderTest source(1, 1);
  Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 0);
  pinned.pin.release();
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(source.reads(2));
  EXPECT_EQ(waiter.calls, 1);
}

TEST(BrickCacheLimits, TellEveryWaiterOnce)
{
  CacheUnderTest source(1, 1);
  Lookup pinned = source.try_get(brick(1));
  std::array<CountingWaiter, 3> waiters;
  for (CountingWaiter& waiter : waiters)
  {
    source.request(brick(2), waiter);
  }
  pinned.pin.release();
  static_cast<void>(source.reads(3));
  for (const CountingWaiter& waiter : waiters)
  {
    EXPECT_EQ(waiter.calls, 1);
  }
}

TEST(BrickCacheLimits, TellAtOnceWhenThereIsRoom)
{
  CacheUnderTest source(2, 2);
  const Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 1);
}

TEST(BrickCacheLimits, TellAtOnceWhenTheBrickIsThereThoughPinned)
{
  CacheUnderTest source(1, 1);
  const Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  source.request(brick(1), waiter);
  EXPECT_EQ(waiter.calls, 1);
}

TEST(BrickCacheLimits, TellWaitersWhenALoadFails)
{
  CacheUnderTest source(1, 1);
  source.bad = { 1 };
  std::latch begun(1);
  std::latch go_on(1);
  source.hold(begun, go_on);
  std::jthread reader([&] { static_cast<void>(source.try_get(brick(1))); });
  begun.wait();
  CountingWaiter waiter;
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 0);
  go_on.count_down();
  reader.join();
  EXPECT_EQ(waiter.calls, 1);
}

TEST(BrickCacheLimits, TellWaitersWhenTheBudgetGrows)
{
  CacheUnderTest source(1, 1);
  const Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  source.request(brick(2), waiter);
  source.cache.set_memory_budget(2 * kSlot);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(source.reads(2));
}

/// Waits its turn for each brick, as a tracer's worker does.
int visit_patiently(CacheUnderTest& source, unsigned seed)
{
  std::mt19937 random(seed);
  CountingWaiter waiter;
  int wrong = 0;
  for (int visit = 0, asked = 0; visit < 500;)
  {
    const auto index = static_cast<std::int64_t>(random() % 20);
    Lookup found = source.try_get(brick(index));
    if (found.state == Lookup::State::Miss)
    {
      source.request(brick(index), waiter);
      waiter.calls.wait(asked++);
      wrong += waiter.calls == asked ? 0 : 1;
      continue;
    }
    wrong += number_in(found) == index ? 0 : 1;
    ++visit;
  }
  return wrong;
}

TEST(BrickCacheLimits, ServeMoreThreadsThanSlots)
{
  CacheUnderTest source(2, 3);
  std::atomic<int> wrong{ 0 };
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < 5; ++i)
  {
    team.emplace_back([&, i] { wrong += visit_patiently(source, i); });
  }
  team.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(source.statistics().peak_bytes, 2 * kSlot);
}

TEST(BrickCacheLimits, ShrinkAtOnce)
{
  const std::int64_t before = MemoryAccount::process().used();
  CacheUnderTest source(8, 3);
  for (std::int64_t index = 0; index < 8; ++index)
  {
    static_cast<void>(source.reads(index));
  }
  EXPECT_EQ(MemoryAccount::process().used(), before + 8 * kSlot);
  source.cache.set_memory_budget(3 * kSlot);
  EXPECT_EQ(MemoryAccount::process().used(), before + 3 * kSlot);
}

TEST(BrickCacheLimits, ShrinkBelowWhatIsPinnedOnlyWhenItIsUnpinned)
{
  const std::int64_t before = MemoryAccount::process().used();
  CacheUnderTest source(3, 2);
  std::vector<Lookup> pinned;
  for (std::int64_t index = 0; index < 3; ++index)
  {
    pinned.push_back(source.try_get(brick(index)));
  }
  source.cache.set_memory_budget(kSlot);
  EXPECT_EQ(MemoryAccount::process().used(), before + 3 * kSlot);
  EXPECT_EQ(number_in(pinned[1]), 1);
  pinned.clear();
  EXPECT_EQ(MemoryAccount::process().used(), before + kSlot);
}

TEST(BrickCacheLimits, GrowAgainIntoWhatWasGivenUp)
{
  CacheUnderTest source(4, 2);
  static_cast<void>(source.reads(1));
  source.cache.set_memory_budget(kSlot);
  source.cache.set_memory_budget(6 * kSlot);
  std::vector<Lookup> pinned;
  for (std::int64_t index = 0; index < 6; ++index)
  {
    pinned.push_back(source.try_get(brick(index)));
    EXPECT_EQ(number_in(pinned.back()), index);
  }
}

TEST(BrickCacheLimits, KeepOneSlotWhateverTheBudgetSays)
{
  CacheUnderTest source(0, 4);
  EXPECT_TRUE(source.reads(1));
  EXPECT_TRUE(source.reads(2));
  EXPECT_EQ(source.statistics().peak_bytes, kSlot);
}

TEST(BrickCacheLimits, GiveEverythingBackInTheEnd)
{
  const std::int64_t before = MemoryAccount::process().used();
  {
    CacheUnderTest source(4, 2);
    static_cast<void>(source.reads(1));
  }
  EXPECT_EQ(MemoryAccount::process().used(), before);
}

/// Leaves with 0 if two of three bricks can be pinned and the third has to wait. Runs in a process of its own.
[[noreturn]] void leave_with_two_bricks()
{
  CacheUnderTest source(3, 2);
  const Lookup first = source.try_get(brick(1));
  const Lookup second = source.try_get(brick(2));
  const bool held = first.state == Lookup::State::Ready && second.state == Lookup::State::Ready;
  std::_Exit(held && source.try_get(brick(3)).state == Lookup::State::Miss ? 0 : 1);
}

/// Leaves with 0 if a brick fails with words about the limit.
[[noreturn]] void leave_without_a_brick()
{
  CacheUnderTest source(3, 2);
  const Lookup found = source.try_get(brick(1));
  const bool refused = found.state == Lookup::State::Failed && found.error->code == ErrorCode::BudgetTooSmall &&
                       found.error->remedy.find("RIVULET_MEMORY_LIMIT") != std::string::npos;
  std::_Exit(refused ? 0 : 1);
}

/// Leaves with 0 if a cache that was not used for a while gives what it does not pin to another one. The limit is eight
/// slots.
[[noreturn]] void leave_after_sharing()
{
  CacheUnderTest idle(8, 2);
  bool all_good = true;
  const Lookup pinned = idle.try_get(brick(1));
  for (std::int64_t index = 2; index <= 8; ++index)
  {
    all_good = all_good && idle.reads(index);
  }
  CacheUnderTest busy(8, 2);
  for (std::int64_t round = 0; round < 3; ++round)
  {
    for (std::int64_t index = 1; index <= 8; ++index)
    {
      all_good = all_good && number_in(busy.try_get(brick(index))) == index;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  const MemoryAccount& account = MemoryAccount::process();
  const bool shared = busy.statistics().peak_bytes == 7 * kSlot && account.peak() == 8 * kSlot;
  std::_Exit(all_good && shared && number_in(pinned) == 1 ? 0 : 1);
}

class ProcessLimit : public testing::Test
{
protected:
  ProcessLimit() { GTEST_FLAG_SET(death_test_style, "threadsafe"); } // a fresh process reads the environment anew
  ~ProcessLimit() override { ::unsetenv("RIVULET_MEMORY_LIMIT"); }
};

TEST_F(ProcessLimit, IsKeptBelowTheFieldsBudget)
{
  ::setenv("RIVULET_MEMORY_LIMIT", "8KiB", 1);
  EXPECT_EXIT(leave_with_two_bricks(), testing::ExitedWithCode(0), "");
}

TEST_F(ProcessLimit, ThatLeavesNothingFailsBricksInsteadOfWaiting)
{
  ::setenv("RIVULET_MEMORY_LIMIT", "100", 1);
  EXPECT_EXIT(leave_without_a_brick(), testing::ExitedWithCode(0), "");
}

TEST_F(ProcessLimit, IsSharedByCachesAsTheyAreUsed)
{
  ::setenv("RIVULET_MEMORY_LIMIT", "32KiB", 1);
  EXPECT_EXIT(leave_after_sharing(), testing::ExitedWithCode(0), "");
}

TEST_F(ProcessLimit, ThatMakesNoSenseIsReported)
{
  ::setenv("RIVULET_MEMORY_LIMIT", "plenty", 1);
  EXPECT_EXIT(std::_Exit(MemoryAccount::process().try_take(MemoryUse::Copies, 1 << 30) ? 0 : 1),
      testing::ExitedWithCode(0), "RIVULET_MEMORY_LIMIT is ignored");
}

} // namespace rivulet::test
