// SPDX-License-Identifier: BSD-3-Clause
// What goes on between a brick that has arrived and those who wait for it, one step at a time: the filler of these
// tests has no threads, it does what the test says.
#include "Core/Store/CacheUnderTest.h"
#include "Store/Cache/BrickFiller.h"

#include <functional>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

WantedBrick wanted(std::int64_t index)
{
  return { brick(index), index };
}

class ManualFiller final : public BrickFiller
{
public:
  using BrickFiller::answer_all;
  using BrickFiller::ask_for_slot;
  using BrickFiller::BrickFiller;
  using BrickFiller::deliver;
  using BrickFiller::take_slot;

  void notify() override { ++notified; }
  int notified = 0;
};

/// Does something when it is told, and keeps what it is handed.
class ActingWaiter final : public BrickWaiter
{
public:
  explicit ActingWaiter(std::function<void()> act = [] {})
    : act_(std::move(act))
  {
  }
  void brick_arrived(const BrickKey& key, Lookup&& arrived) override
  {
    ++calls;
    last = key;
    found = std::move(arrived);
    act_();
  }
  int calls = 0;
  BrickKey last;
  Lookup found;

private:
  std::function<void()> act_;
};

class Filler : public testing::Test
{
protected:
  void ask(std::int64_t index, BrickWaiter& waiter)
  {
    EXPECT_TRUE(requests.add(wanted(index), waiter, 1, [] { return false; }));
  }
  /// Takes the best brick and a slot for it.
  Slot* begin(std::int64_t index)
  {
    EXPECT_EQ(requests.take_best()->number, index);
    return filler.take_slot(wanted(index));
  }
  void deliver(std::int64_t index, Slot& slot, bool good = true)
  {
    filler.deliver(wanted(index), slot, fill(index, slot.data, good));
  }

  CacheUnderTest source{ 1, 1 };
  BrickCache& cache = source.cache;
  RequestTable requests;
  ManualFiller filler{ { cache, requests } };
};

} // namespace

TEST_F(Filler, HandsTheBrickToAllWhoAskedForIt)
{
  std::array<ActingWaiter, 3> waiters;
  for (ActingWaiter& waiter : waiters)
  {
    ask(5, waiter);
  }
  deliver(5, *begin(5));
  for (const ActingWaiter& waiter : waiters)
  {
    EXPECT_EQ(waiter.calls, 1);
    EXPECT_EQ(waiter.last, brick(5));
    ASSERT_EQ(waiter.found.state, Lookup::State::Ready);
    EXPECT_EQ(number_in(waiter.found), 5);
  }
  EXPECT_EQ(cache.statistics().cache_misses, 1);
  EXPECT_EQ(cache.statistics().cache_hits, 2);
}

TEST_F(Filler, HandsTheSameErrorToAllWhoAskedForIt)
{
  ActingWaiter first;
  ActingWaiter second;
  ask(5, first);
  ask(5, second);
  deliver(5, *begin(5), false);
  ASSERT_EQ(first.found.state, Lookup::State::Failed);
  EXPECT_EQ(first.found.error->code, ErrorCode::CannotRead);
  EXPECT_EQ(second.found.error, first.found.error);
}

/// Between its end and the last who is told, the brick must not go, though all others let go of it at once.
TEST_F(Filler, KeepsTheBrickUntilTheLastHasIt)
{
  Slot* stolen = nullptr;
  ActingWaiter greedy(
      [&]
      {
        greedy.found = {};
        stolen = cache.begin_load(brick(6)); // the only slot
      });
  ActingWaiter second;
  ask(5, greedy);
  ask(5, second);
  deliver(5, *begin(5));
  EXPECT_EQ(stolen, nullptr);
  ASSERT_EQ(second.found.state, Lookup::State::Ready);
  EXPECT_EQ(number_in(second.found), 5);
}

TEST_F(Filler, KeepsTheBrickThoughTheBudgetShrinksMeanwhile)
{
  cache.set_memory_budget(3 * kSlot);
  const Lookup other = source.try_get(brick(1));
  ActingWaiter shrinking(
      [&]
      {
        shrinking.found = {};
        cache.set_memory_budget(0);
      });
  ActingWaiter second;
  ask(5, shrinking);
  ask(5, second);
  deliver(5, *begin(5));
  ASSERT_EQ(second.found.state, Lookup::State::Ready);
  EXPECT_EQ(number_in(second.found), 5);
  EXPECT_EQ(number_in(other), 1);
}

TEST_F(Filler, LetsGoOfTheBrickWhenAllHaveIt)
{
  ActingWaiter waiter;
  ask(5, waiter);
  deliver(5, *begin(5));
  EXPECT_EQ(cache.begin_load(brick(6)), nullptr);
  waiter.found = {};
  Slot* slot = cache.begin_load(brick(6));
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(cache.end_load(*slot, fill(6, slot->data)).state, Lookup::State::Ready);
}

TEST_F(Filler, KeepsABrickInTheCacheThatNobodyWantsAnyMore)
{
  ActingWaiter waiter;
  ask(5, waiter);
  Slot* slot = begin(5);
  tell(requests.withdraw(waiter));
  EXPECT_EQ(waiter.calls, 1);
  deliver(5, *slot);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_EQ(number_in(cache.find(brick(5))), 5);
}

TEST_F(Filler, AnswersThoseWhoJoinWhileTheBrickIsRead)
{
  ActingWaiter early;
  ActingWaiter late;
  ask(5, early);
  Slot* slot = begin(5);
  ask(5, late);
  EXPECT_FALSE(requests.take_best()); // it is not read twice
  deliver(5, *slot);
  EXPECT_EQ(number_in(early.found), 5);
  EXPECT_EQ(number_in(late.found), 5);
}

/// Who asks from here on is not in the list of those who are told, and must find the brick settled.
TEST_F(Filler, HasSettledTheBrickBeforeAnybodyIsTold)
{
  bool settled = false;
  bool queued = true;
  ActingWaiter other;
  ActingWaiter asking(
      [&]
      {
        queued = requests.add(wanted(5), other, 1,
            [&]
            {
              settled = cache.settled(brick(5));
              return settled;
            });
      });
  ask(5, asking);
  deliver(5, *begin(5));
  EXPECT_TRUE(settled);
  EXPECT_FALSE(queued);
}

TEST_F(Filler, QueuesABrickAgainForWhichThereIsNoSlot)
{
  const Lookup pinned = source.try_get(brick(1));
  ActingWaiter waiter;
  ask(5, waiter);
  EXPECT_EQ(begin(5), nullptr);
  EXPECT_EQ(waiter.calls, 0);
  EXPECT_EQ(requests.take_best()->number, 5);
}

TEST_F(Filler, IsNotifiedOnceWhenASlotComesFree)
{
  Lookup pinned = source.try_get(brick(1));
  ActingWaiter waiter;
  ask(5, waiter);
  EXPECT_EQ(begin(5), nullptr);
  filler.ask_for_slot(wanted(5));
  filler.ask_for_slot(wanted(5)); // it has asked
  EXPECT_EQ(filler.notified, 0);
  pinned = {};
  EXPECT_EQ(filler.notified, 1);
  EXPECT_NE(begin(5), nullptr);
}

TEST_F(Filler, AsksAnewWhenTheSlotWentToSomebodyElse)
{
  Lookup pinned = source.try_get(brick(1));
  filler.ask_for_slot(wanted(5));
  pinned = {};
  EXPECT_EQ(filler.notified, 1);
  pinned = source.try_get(brick(2)); // was faster
  filler.ask_for_slot(wanted(5));
  EXPECT_EQ(filler.notified, 1);
  pinned = {};
  EXPECT_EQ(filler.notified, 2);
}

TEST_F(Filler, IsNotifiedAtOnceWhenThereIsASlotAfterAll)
{
  filler.ask_for_slot(wanted(5));
  EXPECT_EQ(filler.notified, 1);
}

TEST_F(Filler, AnswersWhatIsQueuedInTheEndAndNothingTwice)
{
  ActingWaiter queued;
  ActingWaiter under_way;
  ask(5, under_way);
  Slot* slot = begin(5);
  ask(6, queued);
  ask(7, queued);
  filler.answer_all();
  EXPECT_EQ(queued.calls, 2);
  EXPECT_EQ(queued.found.state, Lookup::State::Miss);
  EXPECT_EQ(under_way.calls, 0);
  deliver(5, *slot);
  filler.answer_all();
  EXPECT_EQ(queued.calls, 2);
  EXPECT_EQ(under_way.calls, 1);
}

/// Leaves with 0 if requests are answered, and not left to wait for memory that will never come.
[[noreturn]] void leave_when_answered()
{
  CacheUnderTest source(3, 1);
  RequestTable requests;
  ManualFiller filler({ source.cache, requests });
  ActingWaiter waiter;
  const bool added = requests.add(wanted(5), waiter, 1, [] { return false; });
  const std::optional<WantedBrick> taken = requests.take_best();
  const bool refused = filler.take_slot(*taken) == nullptr;
  filler.ask_for_slot(*taken);
  const Lookup found = source.cache.find(brick(5));
  const bool told = waiter.calls == 1 && found.state == Lookup::State::Failed;
  std::_Exit(added && refused && told && found.error->code == ErrorCode::BudgetTooSmall ? 0 : 1);
}

TEST(FillerWithoutMemory, AnswersInsteadOfWaiting)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a fresh process reads the environment anew
  ::setenv("RIVULET_MEMORY_LIMIT", "100", 1);
  EXPECT_EXIT(leave_when_answered(), testing::ExitedWithCode(0), "");
  ::unsetenv("RIVULET_MEMORY_LIMIT");
}

/// A cache with room for eight, four of which nobody has asked for.
class Prefetched : public testing::Test
{
protected:
  Prefetched()
  {
    for (std::int64_t index = 0; index < 8; ++index)
    {
      load(index, index >= 4);
    }
  }
  void load(std::int64_t index, bool ahead)
  {
    Slot* slot = cache.begin_load(brick(index), ahead);
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(cache.end_load(*slot, fill(index, slot->data)).state, Lookup::State::Ready);
  }

  CacheUnderTest source{ 8, 1 };
  BrickCache& cache = source.cache;
};

TEST_F(Prefetched, BricksGoFirstWhileTheyAreMany)
{
  load(8, false);
  EXPECT_FALSE(cache.settled(brick(4)));
  load(9, true);
  EXPECT_FALSE(cache.settled(brick(5))) << "one that nobody asked for takes the place of another";
  load(10, false);
  EXPECT_FALSE(cache.settled(brick(6)));
  load(11, false);
  EXPECT_FALSE(cache.settled(brick(0))) << "a quarter may stay";
  EXPECT_TRUE(cache.settled(brick(7)) && cache.settled(brick(9)));
}

TEST_F(Prefetched, BricksAreLikeOthersOnceTheyWereUsed)
{
  EXPECT_EQ(cache.statistics().bricks_prefetched, 4);
  for (std::int64_t index = 4; index < 8; ++index)
  {
    EXPECT_EQ(cache.find(brick(index)).state, Lookup::State::Ready);
    EXPECT_EQ(cache.find(brick(index)).state, Lookup::State::Ready);
  }
  EXPECT_EQ(cache.statistics().prefetched_used, 4);
  EXPECT_EQ(cache.statistics().cache_misses, 4);
  load(8, false);
  EXPECT_FALSE(cache.settled(brick(0)));
  EXPECT_TRUE(cache.settled(brick(4)));
}

} // namespace rivulet::test
