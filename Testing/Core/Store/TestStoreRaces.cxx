// SPDX-License-Identifier: BSD-3-Clause
// Races that can only be forced between two steps of the code, at its sync points. Those that a loader, an engine or a
// waiter can force are tested there.
#include "Core/Store/ScriptedReads.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/WaitForBrick.h"
#include "Support/SyncPoints.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr const char* kHasASlot = "BrickCache::try_get: has a slot";
constexpr const char* kWaits = "BrickCache::join: waits for a load";
constexpr const char* kHasAsked = "BrickCache::request: has asked";
constexpr const char* kIsInTheCache = "BrickFiller::deliver: is in the cache";
constexpr const char* kIsToBeWoken = "BrickFetcher::wait: is to be woken";
constexpr const char* kFoundNothing = "BrickBuilderPool: found nothing to make";
constexpr const char* kAreToEnd = "BrickBuilderPool: are to end";

/// One thread has taken a slot for a brick when another comes by and is faster.
class OvertakenReader : public testing::Test
{
protected:
  void begin(std::int64_t index)
  {
    reader = std::jthread([this, index] { answer = source.try_get(brick(index)); });
    gate.wait_for(1);
  }
  void end()
  {
    gate.open();
    reader.join();
  }

  CacheUnderTest source{ 2, 1 };
  Gate gate;
  AtSyncPoint hold{ kHasASlot, [this]
    {
      gate.pass();
    } };
  Lookup answer;
  std::jthread reader;
};

} // namespace

TEST_F(OvertakenReader, TakesTheBrickOfTheOther)
{
  begin(5);
  const Lookup faster = source.try_get(brick(5));
  end();
  ASSERT_EQ(answer.state, Lookup::State::Ready);
  EXPECT_EQ(answer.pin.view().data, faster.pin.view().data);
  EXPECT_EQ(source.loads, 1);
  EXPECT_EQ(source.statistics().cache_hits, 1);
  EXPECT_EQ(source.statistics().cache_misses, 1);
}

TEST_F(OvertakenReader, GivesItsSlotBackAndTellsWhoWaitsForOne)
{
  begin(5);
  const Lookup faster = source.try_get(brick(5));
  EXPECT_EQ(source.try_get(brick(6)).state, Lookup::State::Miss);
  CountingWaiter waiter;
  source.request(brick(6), waiter);
  EXPECT_EQ(waiter.calls, 0);
  end();
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(source.reads(6)); // though brick 5 is pinned
}

TEST_F(OvertakenReader, GivesItsSlotBackBeforeItWaitsForTheLoadOfTheOther)
{
  std::latch begun(1);
  std::latch go_on(1);
  source.hold(begun, go_on);
  begin(5);
  std::jthread faster([&] { EXPECT_EQ(number_in(source.try_get(brick(5))), 5); });
  begun.wait();
  CountingWaiter waiter;
  source.request(brick(6), waiter);
  EXPECT_EQ(waiter.calls, 0);
  gate.open();
  waiter.calls.wait(0); // comes though the load has not ended
  EXPECT_EQ(waiter.calls, 1);
  go_on.count_down();
  end();
  EXPECT_EQ(number_in(answer), 5);
}

TEST_F(OvertakenReader, LearnsThatTheBrickCannotBeHad)
{
  source.bad = { 5 };
  begin(5);
  const Lookup faster = source.try_get(brick(5));
  end();
  ASSERT_EQ(answer.state, Lookup::State::Failed);
  EXPECT_EQ(answer.error, faster.error);
  EXPECT_EQ(source.loads, 1);
  EXPECT_TRUE(source.reads(6));
  const Lookup pinned = source.try_get(brick(6));
  EXPECT_TRUE(source.reads(7)); // both slots can be had
}

TEST_F(OvertakenReader, LoadsABrickThatCameAndWentMeanwhile)
{
  begin(5);
  EXPECT_TRUE(source.reads(5));
  EXPECT_TRUE(source.reads(6)); // in the slot of 5: the reader has the other
  end();
  EXPECT_EQ(number_in(answer), 5);
  EXPECT_EQ(source.loads, 3);
}

TEST_F(OvertakenReader, GivesItsSlotToTheProcessIfTheBudgetShrank)
{
  const std::int64_t before = MemoryAccount::process().used();
  begin(5);
  {
    const Lookup faster = source.try_get(brick(5));
    EXPECT_EQ(MemoryAccount::process().used(), before + 2 * kSlot);
    source.cache.set_memory_budget(kSlot);
    end();
    EXPECT_EQ(MemoryAccount::process().used(), before + kSlot);
  }
  EXPECT_EQ(number_in(answer), 5);
}

/// One thread wants a brick that another is loading, and waits for it.
class JoiningReader : public testing::Test
{
protected:
  void begin(std::int64_t index)
  {
    slot = source.cache.begin_load(brick(index));
    reader = std::jthread([this, index] { answer = source.try_get(brick(index)); });
    waits.wait();
  }
  /// What the loading thread has of it.
  Lookup end(std::int64_t index, bool good = true)
  {
    Lookup loaded = source.cache.end_load(*slot, fill(index, slot->data, good));
    reader.join();
    return loaded;
  }

  CacheUnderTest source{ 1, 1 };
  std::latch waits{ 1 };
  AtSyncPoint hold{ kWaits, [this]
    {
      waits.count_down();
    } };
  Slot* slot = nullptr;
  Lookup answer;
  std::jthread reader;
};

TEST_F(JoiningReader, SharesTheBrickAndTheSlotIsInUseUntilBothLetGo)
{
  begin(5);
  Lookup loaded = end(5);
  EXPECT_EQ(number_in(answer), 5);
  EXPECT_EQ(answer.pin.view().data, loaded.pin.view().data);
  EXPECT_EQ(source.loads, 0);
  loaded = {};
  EXPECT_EQ(source.try_get(brick(6)).state, Lookup::State::Miss);
  answer = {};
  EXPECT_TRUE(source.reads(6));
}

TEST_F(JoiningReader, CountsTheTimeThatItWaits)
{
  begin(5);
  const Lookup loaded = end(5);
  EXPECT_GT(source.statistics().stall_seconds, 0.0);
  EXPECT_EQ(source.statistics().cache_hits, 1);
}

TEST_F(JoiningReader, FailsWithTheLoadAndLeavesTheSlotToOthers)
{
  begin(5);
  const Lookup loaded = end(5, false);
  ASSERT_EQ(answer.state, Lookup::State::Failed);
  EXPECT_EQ(answer.error, loaded.error);
  EXPECT_TRUE(source.reads(6));
  EXPECT_EQ(source.statistics().peak_bytes, kSlot);
}

TEST_F(JoiningReader, HasTheBrickThoughTheBudgetShrinksMeanwhile)
{
  source.cache.set_memory_budget(4 * kSlot);
  const Lookup others = source.try_get(brick(1));
  begin(5);
  source.cache.set_memory_budget(0);
  static_cast<void>(end(5));
  EXPECT_EQ(number_in(answer), 5);
}

/// A slot comes free between a request that is noted and the look whether there is one.
TEST(AskingCache, TellsAWaiterOnceThoughASlotComesFreeMeanwhile)
{
  CacheUnderTest source(1, 1);
  Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  const AtSyncPoint meanwhile(kHasAsked, [&] { pinned = {}; });
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 1);
}

TEST(AskingCache, TellsAWaiterThoughTheSlotIsTakenAgainMeanwhile)
{
  CacheUnderTest source(1, 1);
  Lookup pinned = source.try_get(brick(1));
  CountingWaiter waiter;
  const AtSyncPoint meanwhile(kHasAsked,
      [&]
      {
        pinned = {};
        pinned = source.try_get(brick(3));
      });
  source.request(brick(2), waiter);
  EXPECT_EQ(waiter.calls, 1); // it asks again, and waits again
}

/// The brick is in the cache, and those who wait for it are not told yet.
TEST(DeliveringCache, HandsABrickToWhoAsksJustThen)
{
  FetchedUnderTest source(1);
  PatientWaiter early;
  PatientWaiter late;
  const AtSyncPoint meanwhile(kIsInTheCache, [&] { source.request(brick(5), late); });
  source.start(1);
  source.request(brick(5), early);
  EXPECT_EQ(number_in(early.wait_for(1)), 5);
  EXPECT_EQ(number_in(late.wait_for(1)), 5);
  EXPECT_EQ(source.loader.order().size(), 1U);
}

TEST(DeliveringCache, ShowsABrickToWhoLooksJustThen)
{
  FetchedUnderTest source(1);
  std::int64_t seen = -1;
  const AtSyncPoint meanwhile(kIsInTheCache, [&] { seen = number_in(source.try_get(brick(5))); });
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
  EXPECT_EQ(seen, 5);
}

TEST(DeliveringCache, KeepsABrickThoughTheBudgetShrinksJustThen)
{
  FetchedUnderTest source(4);
  const AtSyncPoint meanwhile(kIsInTheCache, [&] { source.cache.set_memory_budget(0); });
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
}

TEST(DeliveringCache, KeepsABrickThatAllWithdrewFromJustThen)
{
  FetchedUnderTest source(1);
  PatientWaiter waiter;
  const AtSyncPoint meanwhile(kIsInTheCache, [&] { source.withdraw(waiter); });
  source.start(1);
  source.request(brick(5), waiter);
  EXPECT_EQ(waiter.wait_for(1).state, Lookup::State::Miss);
  std::shared_ptr<const Error> error;
  EXPECT_TRUE(wait_for_brick(source, brick(5), error));
  EXPECT_EQ(source.loader.order().size(), 1U);
  EXPECT_EQ(waiter.calls(), 1U);
}

TEST(DeliveringCache, TellsOfAFailureWhoAsksJustThen)
{
  FetchedUnderTest source(1);
  source.loader.bad = { 5 };
  PatientWaiter early;
  PatientWaiter late;
  const AtSyncPoint meanwhile(kIsInTheCache, [&] { source.request(brick(5), late); });
  source.start(1);
  source.request(brick(5), early);
  EXPECT_EQ(early.wait_for(1).state, Lookup::State::Failed);
  EXPECT_EQ(late.wait_for(1).error, early.wait_for(1).error);
}

/// A thread that found nothing to make must not fall asleep over what is asked for just then.
TEST(RestingMakers, SeeWhatIsAskedForJustBeforeTheyRest)
{
  FetchedUnderTest source(2);
  Gate gate;
  const AtSyncPoint hold(kFoundNothing, [&] { gate.pass(); });
  source.start(1);
  gate.wait_for(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  gate.open();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
}

/// The fetcher says that it sleeps before it looks for news: who comes between the two is seen.
TEST(SleepyFetcher, SeesWhatIsAskedForWhileItFallsAsleep)
{
  Script script;
  Gate gate;
  const AtSyncPoint hold(kIsToBeWoken, [&] { gate.pass(); });
  FetchedUnderTest source(4);
  source.cache.start(std::make_unique<PlainReads>(script), std::make_unique<ScriptedEngine>(script));
  gate.wait_for(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  gate.open();
  script.wait_until_submitted(1);
  script.answer();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
  EXPECT_EQ(script.overslept(), 0);
}

TEST(EndingMakers, BeginNoMoreBricksAndAnswerEveryRequestOnce)
{
  auto source = std::make_unique<FetchedUnderTest>(8);
  Gate& gate = source->hold(0);
  GatedLoader& loader = source->loader;
  Gate ending;
  std::vector<std::int64_t> made;
  const AtSyncPoint noted(kAreToEnd,
      [&]
      {
        gate.open(); // only now: what is queued is not begun any more
        made = loader.order();
      });
  source->start(1);
  PatientWaiter under_way;
  source->request(brick(0), under_way);
  gate.wait_for(1);
  PatientWaiter queued;
  for (std::int64_t index = 1; index < 6; ++index)
  {
    source->request(brick(index), queued);
  }
  source->withdraw(under_way); // a cache must outlive its pins
  source.reset();
  EXPECT_EQ(under_way.calls(), 1U);
  EXPECT_EQ(queued.calls(), 5U);
  for (std::size_t i = 1; i <= queued.calls(); ++i)
  {
    EXPECT_EQ(queued.wait_for(i).state, Lookup::State::Miss); // read, they would have been handed over
  }
  EXPECT_EQ(made, std::vector<std::int64_t>{ 0 });
}

} // namespace rivulet::test
