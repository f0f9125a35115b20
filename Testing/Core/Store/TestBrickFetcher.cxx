// SPDX-License-Identifier: BSD-3-Clause
// The thread that reads bricks, with an engine that answers when the test says so and a source of reads that does
// nothing but the least.
#include "Core/Store/ScriptedReads.h"
#include "Support/NoMoreThreads.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <system_error>

namespace rivulet::test
{

namespace
{

class Fetcher : public testing::Test
{
protected:
  ~Fetcher() override { EXPECT_EQ(script.overslept(), 0); }

  void start(std::int64_t slots)
  {
    source = std::make_unique<FetchedUnderTest>(slots);
    source->cache.start(std::make_unique<PlainReads>(script), std::make_unique<ScriptedEngine>(script));
    asleep_again();
  }
  /// Until its thread sleeps once more; every sleep must be waited for.
  void asleep_again() { script.wait_until_asleep(++sleeps); }
  void ask(std::int64_t index) { source->request(brick(index), waiter); }

  int sleeps = 0;
  Script script;
  std::unique_ptr<FetchedUnderTest> source;
  PatientWaiter waiter; ///< its pins go before the source
};

} // namespace

TEST_F(Fetcher, ReadsWhatIsAskedFor)
{
  start(4);
  EXPECT_EQ(source->try_get(brick(5)).state, Lookup::State::Miss);
  ask(5);
  script.wait_until_submitted(1);
  EXPECT_EQ(source->try_get(brick(5)).state, Lookup::State::Miss); // it is on its way
  script.answer();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
  EXPECT_EQ(number_in(source->try_get(brick(5))), 5);
  EXPECT_EQ(script.submitted(), 1);
  waiter.let_go();
}

TEST_F(Fetcher, IsWokenWhereverItSleeps)
{
  start(8);
  ask(1);
  script.wait_until_submitted(1);
  asleep_again(); // with a read under way
  ask(2);
  script.wait_until_submitted(2);
  asleep_again();
  script.answer();
  static_cast<void>(waiter.wait_for(1));
  asleep_again();
  script.answer();
  static_cast<void>(waiter.wait_for(2));
  asleep_again();
  ask(3);
  script.wait_until_submitted(3);
  script.answer();
  static_cast<void>(waiter.wait_for(3));
  waiter.let_go();
}

/// It has found nothing to read, and is not asleep yet.
TEST_F(Fetcher, SeesWhatIsAskedForJustBeforeItSleeps)
{
  Gate gate;
  script.at_nothing = [&]
  {
    gate.pass();
  };
  source = std::make_unique<FetchedUnderTest>(4);
  source->cache.start(std::make_unique<PlainReads>(script), std::make_unique<ScriptedEngine>(script));
  gate.wait_for(1);
  ask(5);
  gate.open();
  script.wait_until_submitted(1);
  script.answer();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
}

TEST_F(Fetcher, LeavesRoomForRequestsWhileItPrefetches)
{
  script.depth = 6;
  start(64);
  for (std::int64_t index = 1; index <= 5; ++index)
  {
    source->cache.prefetch({ brick(index), index }, 0);
  }
  script.wait_until_submitted(3);
  ask(10);
  script.wait_until_submitted(4);
  for (int read = 1; read <= 6; ++read)
  {
    script.wait_until_submitted(read);
    script.answer();
  }
  EXPECT_EQ(number_in(waiter.wait_for(1)), 10);
  EXPECT_EQ(script.most(), 4) << "three that nobody had asked for, and one that was";
  waiter.let_go();
}

TEST_F(Fetcher, KeepsNoMoreReadsUnderWayThanTheEngineTakes)
{
  start(20);
  for (std::int64_t index = 0; index < 12; ++index)
  {
    ask(index);
  }
  for (int read = 1; read <= 12; ++read)
  {
    script.wait_until_submitted(std::min(12, read + script.depth - 1));
    script.answer();
  }
  static_cast<void>(waiter.wait_for(12));
  EXPECT_EQ(script.most(), script.depth);
  waiter.let_go();
}

TEST_F(Fetcher, FailsTheBrickWhoseReadFailedAndNoOther)
{
  start(4);
  ask(1);
  ask(2);
  script.wait_until_submitted(2);
  script.answer(-EIO);
  script.answer();
  ASSERT_EQ(waiter.wait_for(1).state, Lookup::State::Failed);
  EXPECT_EQ(number_in(waiter.wait_for(2)), 2);
  EXPECT_EQ(waiter.keys(), (std::vector<std::int64_t>{ 1, 2 }));
  EXPECT_EQ(source->try_get(brick(1)).state, Lookup::State::Failed);
  waiter.let_go();
}

TEST_F(Fetcher, ReadsOnceWhatSeveralWantMeanwhile)
{
  start(4);
  PatientWaiter other;
  ask(1);
  script.wait_until_submitted(1);
  source->request(brick(1), other);
  script.answer();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 1);
  EXPECT_EQ(number_in(other.wait_for(1)), 1);
  EXPECT_EQ(script.submitted(), 1);
  waiter.let_go();
  other.let_go();
}

TEST_F(Fetcher, GoesOnWhenAPinnedSlotComesFree)
{
  start(1);
  ask(1);
  asleep_again();
  script.answer();
  asleep_again();
  static_cast<void>(waiter.wait_for(1));
  PatientWaiter other;
  source->request(brick(2), other);
  asleep_again(); // it found no slot
  EXPECT_EQ(script.submitted(), 1);
  waiter.let_go();
  script.wait_until_submitted(2);
  script.answer();
  EXPECT_EQ(number_in(other.wait_for(1)), 2);
  other.let_go();
}

TEST_F(Fetcher, AnswersAtOnceWhoWithdrawsFromAReadUnderWay)
{
  start(4);
  ask(1);
  script.wait_until_submitted(1);
  source->withdraw(waiter);
  EXPECT_EQ(waiter.calls(), 1U);
  EXPECT_EQ(waiter.wait_for(1).state, Lookup::State::Miss);
  script.answer();
  PatientWaiter other;
  source->request(brick(1), other); // joins the read, or finds what it brought
  EXPECT_EQ(number_in(other.wait_for(1)), 1);
  EXPECT_EQ(script.submitted(), 1);
  EXPECT_EQ(waiter.calls(), 1U);
  other.let_go();
}

TEST_F(Fetcher, DeliversAReadThoughTheBudgetShrankMeanwhile)
{
  start(4);
  for (const std::int64_t index : { 1, 2, 3 })
  {
    ask(index);
  }
  script.wait_until_submitted(3);
  source->cache.set_memory_budget(0);
  for (int read = 0; read < 3; ++read)
  {
    script.answer();
  }
  static_cast<void>(waiter.wait_for(3));
  for (std::size_t i = 0; i < 3; ++i)
  {
    EXPECT_EQ(number_in(waiter.wait_for(i + 1)), waiter.keys()[i]);
  }
  waiter.let_go();
  EXPECT_EQ(source->cache.held_bytes(), kSlot); // of the one slot that is always there
}

/// The thread that asks is still within request() when the brick arrives.
TEST_F(Fetcher, MayTellAWaiterBeforeRequestReturns)
{
  bool forced = false;
  script.at_wake = [&]
  {
    script.wait_until_submitted(1);
    script.answer();
    static_cast<void>(waiter.wait_for(1));
    forced = true;
  };
  start(4);
  ask(5);
  EXPECT_TRUE(forced);
  EXPECT_EQ(waiter.calls(), 1U);
  EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
  waiter.let_go();
}

/// What is under way is waited for; what is queued is answered, and not begun any more.
TEST_F(Fetcher, EndsWhenAllThatIsUnderWayIsAnswered)
{
  script.depth = 2;
  start(8);
  PatientWaiter under_way;
  for (std::int64_t index = 0; index < 2; ++index)
  {
    source->request(brick(index), under_way);
    asleep_again();
  }
  for (std::int64_t index = 2; index < 7; ++index)
  {
    ask(index);
    asleep_again(); // the engine has no room for it
  }
  std::atomic<bool> gone{ false };
  source->withdraw(under_way); // a cache must outlive its pins
  std::jthread end(
      [&]
      {
        source.reset();
        gone = true;
        script.end();
      });
  script.wait_until_woken(8); // seven requests, and the end
  asleep_again();
  EXPECT_FALSE(gone);
  script.answer();
  asleep_again(); // the engine has room, but no more is begun
  EXPECT_FALSE(gone);
  EXPECT_EQ(script.submitted(), 2);
  script.answer();
  end.join();
  EXPECT_EQ(waiter.calls(), 5U);
  for (std::size_t i = 1; i <= 5; ++i)
  {
    EXPECT_EQ(waiter.wait_for(i).state, Lookup::State::Miss);
  }
  EXPECT_EQ(under_way.calls(), 2U);
}

TEST_F(Fetcher, SaysThatTheSystemGivesNoThread)
{
  source = std::make_unique<FetchedUnderTest>(4);
  const NoMoreThreads refused;
  EXPECT_THROW(source->cache.start(std::make_unique<PlainReads>(script), std::make_unique<ScriptedEngine>(script)),
      std::system_error);
}

} // namespace rivulet::test
