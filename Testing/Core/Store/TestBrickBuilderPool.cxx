// SPDX-License-Identifier: BSD-3-Clause
// Bricks that threads make for those who wait for them (FetchedCache with BrickBuilderPool): each race is forced by a
// loader that does not return before the test says so.
#include "Core/Store/FetchedUnderTest.h"
#include "Store/Cache/BrickBuilderPool.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/WaitForBrick.h"
#include "Support/NoMoreThreads.h"

#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <random>
#include <system_error>

namespace rivulet::test
{

TEST(BrickBuilderPool, MakeWhatIsAskedForAndNothingElse)
{
  FetchedUnderTest source(4);
  source.start(1);
  EXPECT_EQ(source.try_get(brick(5)).state, Lookup::State::Miss);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  const Lookup& found = waiter.wait_for(1);
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(number_in(found), 5);
  EXPECT_EQ(source.loader.order(), std::vector<std::int64_t>{ 5 });
}

TEST(BrickBuilderPool, MakeABrickOnceForAllWhoWantItMeanwhile)
{
  FetchedUnderTest source(4);
  Gate& gate = source.hold(5);
  source.start(4);
  std::array<PatientWaiter, 3> waiters;
  source.request(brick(5), waiters[0]);
  gate.wait_for(1); // it is being made
  source.request(brick(5), waiters[1]);
  std::jthread([&] { source.request(brick(5), waiters[2]); }).join();
  EXPECT_EQ(source.try_get(brick(5)).state, Lookup::State::Miss);
  gate.open();
  for (PatientWaiter& waiter : waiters)
  {
    EXPECT_EQ(number_in(waiter.wait_for(1)), 5);
  }
  EXPECT_EQ(source.loader.order().size(), 1U);
}

TEST(BrickBuilderPool, AnswerAtOnceWhoWithdrawsFromABrickThatIsBeingMade)
{
  FetchedUnderTest source(4);
  Gate& gate = source.hold(5);
  source.start(1);
  PatientWaiter leaving;
  PatientWaiter staying;
  source.request(brick(5), leaving);
  source.request(brick(5), staying);
  source.request(brick(6), leaving);
  gate.wait_for(1);
  source.withdraw(leaving);
  EXPECT_EQ(leaving.calls(), 2U);
  EXPECT_EQ(leaving.wait_for(1).state, Lookup::State::Miss);
  gate.open();
  EXPECT_EQ(number_in(staying.wait_for(1)), 5);
  PatientWaiter last;
  source.request(brick(7), last);
  static_cast<void>(last.wait_for(1));
  EXPECT_EQ(leaving.calls(), 2U);
  EXPECT_EQ(source.loader.order(), (std::vector<std::int64_t>{ 5, 7 })); // nobody wanted 6
}

TEST(BrickBuilderPool, KeepABrickThatNobodyWantsAnyMoreWhenItIsThere)
{
  FetchedUnderTest source(4);
  Gate& gate = source.hold(5);
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  gate.wait_for(1);
  source.withdraw(waiter);
  gate.open();
  std::shared_ptr<const Error> error;
  EXPECT_TRUE(wait_for_brick(source, brick(5), error));
  EXPECT_EQ(source.loader.order().size(), 1U);
  EXPECT_EQ(waiter.calls(), 1U);
}

TEST(BrickBuilderPool, DeliverABrickThoughTheBudgetShrankWhileItWasMade)
{
  const std::int64_t before = MemoryAccount::process().used();
  FetchedUnderTest source(4);
  Gate& gate = source.hold(5);
  source.start(1);
  PatientWaiter waiter;
  for (const std::int64_t index : { 1, 2, 3 })
  {
    source.request(brick(index), waiter);
  }
  static_cast<void>(waiter.wait_for(3));
  waiter.let_go();
  PatientWaiter last;
  source.request(brick(5), last);
  gate.wait_for(1);
  EXPECT_EQ(MemoryAccount::process().used(), before + 4 * kSlot);
  source.cache.set_memory_budget(0);
  EXPECT_EQ(MemoryAccount::process().used(), before + kSlot); // the one that is being made
  gate.open();
  EXPECT_EQ(number_in(last.wait_for(1)), 5);
  EXPECT_EQ(source.try_get(brick(1)).state, Lookup::State::Miss);
  source.request(brick(1), waiter); // must wait for the only slot
  last.let_go();
  EXPECT_EQ(number_in(waiter.wait_for(1)), 1);
  EXPECT_EQ(MemoryAccount::process().used(), before + kSlot);
}

TEST(BrickBuilderPool, FailABrickForAllWhoWaitAndRememberIt)
{
  FetchedUnderTest source(4);
  source.loader.bad = { 5 };
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  ASSERT_EQ(waiter.wait_for(1).state, Lookup::State::Failed);
  EXPECT_EQ(source.try_get(brick(5)).error, waiter.wait_for(1).error);
  source.request(brick(5), waiter); // is told before this returns
  EXPECT_EQ(waiter.calls(), 2U);
  EXPECT_EQ(waiter.wait_for(2).error, waiter.wait_for(1).error);
  EXPECT_EQ(source.loader.order().size(), 1U);
}

TEST(BrickBuilderPool, HandOverABrickThatIsThereBeforeRequestReturns)
{
  FetchedUnderTest source(4);
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  static_cast<void>(waiter.wait_for(1));
  source.request(brick(5), waiter);
  ASSERT_EQ(waiter.calls(), 2U);
  EXPECT_EQ(number_in(waiter.wait_for(2)), 5);
}

TEST(BrickBuilderPool, FailABrickForWhichTheSystemHasNoMemory)
{
  FetchedUnderTest source(4);
  source.loader.huge = 5;
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(5), waiter);
  const Lookup& found = waiter.wait_for(1);
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::BudgetTooSmall);
  EXPECT_NE(found.error->remedy.find("ulimit"), std::string::npos);
  source.request(brick(6), waiter); // the thread goes on
  EXPECT_EQ(number_in(waiter.wait_for(2)), 6);
}

TEST(BrickBuilderPool, MakeThatBrickFirstForWhichMostParticlesWait)
{
  FetchedUnderTest source(8);
  Gate& gate = source.hold(1);
  source.start(1);
  PatientWaiter waiter;
  source.request(brick(1), waiter);
  gate.wait_for(1);
  source.request_for(brick(2), waiter, 3);
  source.request_for(brick(3), waiter, 5);
  source.request_for(brick(4), waiter, 1);
  source.request_for(brick(4), waiter, 3);
  gate.open();
  static_cast<void>(waiter.wait_for(5));
  EXPECT_EQ(source.loader.order(), (std::vector<std::int64_t>{ 1, 3, 4, 2 }));
}

TEST(BrickBuilderPool, AreAsManyAsMayMakeBricksAtOnce)
{
  FetchedUnderTest source(40);
  std::vector<Gate*> gates;
  for (std::int64_t index = 0; index < 4; ++index)
  {
    gates.push_back(&source.hold(index));
  }
  source.start(4);
  PatientWaiter waiter;
  for (std::int64_t index = 0; index < 4; ++index)
  {
    source.request(brick(index), waiter);
    gates[static_cast<std::size_t>(index)]->wait_for(1); // though the others are still being made
  }
  for (Gate* gate : gates)
  {
    gate->open();
  }
  for (std::int64_t index = 4; index < 40; ++index)
  {
    source.request(brick(index), waiter);
  }
  static_cast<void>(waiter.wait_for(40));
  EXPECT_EQ(source.loader.most(), 4);
}

TEST(BrickBuilderPool, AreNeverMoreThanTheMostThereMayBe)
{
  constexpr std::int64_t kAsked = 3 * BrickBuilderPool::kMost;
  FetchedUnderTest source(kAsked);
  std::vector<Gate*> gates;
  for (std::int64_t index = 0; index < BrickBuilderPool::kMost; ++index)
  {
    gates.push_back(&source.hold(index));
  }
  source.start(1000);
  PatientWaiter waiter;
  for (std::int64_t index = 0; index < kAsked; ++index)
  {
    source.request_for(brick(index), waiter, kAsked - index);
  }
  for (Gate* gate : gates)
  {
    gate->wait_for(1);
  }
  for (Gate* gate : gates)
  {
    gate->open();
  }
  static_cast<void>(waiter.wait_for(kAsked));
  EXPECT_EQ(source.loader.most(), BrickBuilderPool::kMost);
}

TEST(BrickBuilderPool, AreFewerAtOnceFromWhenTheyAreToldSo)
{
  FetchedUnderTest source(80);
  std::atomic<int> at_once{ 3 };
  std::array<Gate*, 3> gates{ &source.hold(0), &source.hold(1), &source.hold(2) };
  source.cache.start(source.loader, [&] { return at_once.load(); });
  PatientWaiter waiter;
  for (std::int64_t index = 0; index < 3; ++index)
  {
    source.request(brick(index), waiter);
    gates[static_cast<std::size_t>(index)]->wait_for(1);
  }
  at_once = 1;
  for (std::int64_t index = 3; index < 60; ++index)
  {
    source.request(brick(index), waiter);
  }
  gates[0]->open();
  gates[1]->open();
  static_cast<void>(waiter.wait_for(2));
  EXPECT_EQ(source.loader.order().size(), 3U); // brick 2 is still being made: no other is begun
  gates[2]->open();
  static_cast<void>(waiter.wait_for(60));
  EXPECT_EQ(source.loader.most(), 3);
}

TEST(BrickBuilderPool, WaitForASlotAndGoOnWhenThereIsOne)
{
  FetchedUnderTest source(1);
  source.start(1);
  PatientWaiter first;
  source.request(brick(1), first);
  static_cast<void>(first.wait_for(1));
  PatientWaiter others;
  source.request(brick(2), others);
  source.request(brick(3), others);
  EXPECT_EQ(others.calls(), 0U); // the only slot is pinned
  first.let_go();
  EXPECT_EQ(others.wait_for(1).state, Lookup::State::Ready);
  EXPECT_EQ(others.calls(), 1U);
  others.let_go();
  EXPECT_EQ(others.wait_for(1).state, Lookup::State::Ready);
  EXPECT_EQ(others.keys(), (std::vector<std::int64_t>{ 2, 3 }));
}

/// Lets go at once: a cache must outlive its pins.
class ForgetfulWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const Lookup gone = std::move(found);
    const std::lock_guard lock(mutex_);
    ++told[key.index];
    missed += gone.state == Lookup::State::Miss ? 1 : 0;
  }
  std::map<std::int64_t, int> told;
  int missed = 0;

private:
  std::mutex mutex_;
};

TEST(BrickBuilderPool, AnswerEveryRequestOnceWhenTheSourceGoes)
{
  ForgetfulWaiter waiter;
  auto source = std::make_unique<FetchedUnderTest>(8);
  Gate& gate = source->hold(0);
  source->start(1);
  source->request(brick(0), waiter);
  gate.wait_for(1);
  for (std::int64_t index = 1; index < 30; ++index)
  {
    source->request(brick(index), waiter);
  }
  std::jthread end([&] { source.reset(); });
  gate.open();
  end.join();
  EXPECT_EQ(waiter.told.size(), 30U);
  for (const auto& [index, calls] : waiter.told)
  {
    EXPECT_EQ(calls, 1) << "brick " << index;
  }
  EXPECT_LT(waiter.missed, 30); // the one that was being made is handed over
}

TEST(BrickBuilderPool, SayThatTheSystemGivesNoThread)
{
  FetchedUnderTest source(4);
  const NoMoreThreads refused;
  EXPECT_THROW(source.start(4), std::system_error);
}

TEST(BrickBuilderPool, DoWithFewerThreadsThanTheyMayBe)
{
  FetchedUnderTest source(8);
  Gate& gate = source.hold(0);
  source.start(4);
  PatientWaiter waiter;
  {
    const NoMoreThreads refused;
    source.request(brick(0), waiter);
    gate.wait_for(1);
    for (std::int64_t index = 1; index < 6; ++index)
    {
      source.request(brick(index), waiter);
    }
  }
  gate.open();
  static_cast<void>(waiter.wait_for(6));
  EXPECT_EQ(source.loader.most(), 1);
}

TEST(BrickBuilderPool, ServeManyThreadsAtTheirWorkingMinimum)
{
  constexpr int kThreads = 4;
  constexpr int kVisits = 400;
  FetchedUnderTest source(kThreads);
  source.loader.bad = { 3 };
  source.start(3);
  std::atomic<int> wrong{ 0 };
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < kThreads; ++i)
  {
    team.emplace_back(
        [&, i]
        {
          std::mt19937 random(i);
          for (int visit = 0; visit < kVisits; ++visit)
          {
            const auto index = static_cast<std::int64_t>(random() % 12);
            std::shared_ptr<const Error> error;
            Lookup found{ Lookup::State::Ready, wait_for_brick(source, brick(index), error), nullptr };
            const bool right = index == 3 ? !found.pin && error != nullptr : found.pin && number_in(found) == index;
            wrong += right ? 0 : 1;
          }
        });
  }
  team.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(source.statistics().peak_bytes, kThreads * kSlot);
}

} // namespace rivulet::test
