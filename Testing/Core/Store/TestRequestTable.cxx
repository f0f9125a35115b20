// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/RequestTable.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

class Nobody final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey& key, Lookup&&) override { told.push_back(key.index); }
  std::vector<std::int64_t> told;
};

WantedBrick brick(std::int64_t number, std::int32_t step = 0)
{
  return { { 0, step, 100 + number }, number };
}

class Requests : public testing::Test
{
protected:
  bool ask(const WantedBrick& wanted, BrickWaiter& waiter, std::int64_t particles = 1, bool settled = false)
  {
    return table.add(wanted, waiter, particles, [settled] { return settled; });
  }
  bool prefetch(const WantedBrick& wanted, std::int64_t priority, bool settled = false, std::int64_t most = 100)
  {
    return table.prefetch(wanted, priority, most, [settled] { return settled; });
  }
  std::int64_t best()
  {
    const std::optional<WantedBrick> wanted = table.take_best();
    return wanted ? wanted->number : -1;
  }

  RequestTable table;
  Nobody first;
  Nobody second;
};

} // namespace

TEST_F(Requests, ServeTheBrickFirstThatMostParticlesWaitFor)
{
  EXPECT_TRUE(ask(brick(1), first, 3));
  EXPECT_TRUE(ask(brick(2), first, 5));
  EXPECT_TRUE(ask(brick(3), first, 4));
  EXPECT_TRUE(ask(brick(1), second, 3));
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(best(), 2);
  EXPECT_EQ(best(), 3);
  EXPECT_EQ(best(), -1);
}

TEST_F(Requests, ServeEqualsInTurn)
{
  EXPECT_TRUE(ask(brick(9), first));
  EXPECT_TRUE(ask(brick(4), first));
  EXPECT_EQ(best(), 9);
  EXPECT_EQ(best(), 4);
}

TEST_F(Requests, KeepNothingOfWhatIsThereAlready)
{
  EXPECT_FALSE(ask(brick(1), first, 1, true));
  EXPECT_EQ(best(), -1);
}

TEST_F(Requests, JoinAReadThatIsUnderWay)
{
  EXPECT_TRUE(ask(brick(1), first));
  EXPECT_EQ(best(), 1);
  EXPECT_TRUE(ask(brick(1), second, 1, true)); // not asked whether it is there: the read has not been finished
  tell(table.finish(1));
  EXPECT_EQ(first.told, std::vector<std::int64_t>{ 101 });
  EXPECT_EQ(second.told, std::vector<std::int64_t>{ 101 });
}

TEST_F(Requests, TellAWaiterOncePerRequest)
{
  EXPECT_TRUE(ask(brick(1), first));
  EXPECT_TRUE(ask(brick(1), first));
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(table.finish(1).size(), 2U);
}

TEST_F(Requests, FindNeighboursOfTheSameStepOnly)
{
  EXPECT_TRUE(ask(brick(10), first));
  EXPECT_TRUE(ask(brick(12, 1), first));
  EXPECT_TRUE(ask(brick(13), first));
  EXPECT_TRUE(ask(brick(8), first));
  const WantedBrick middle = *table.take_best();
  EXPECT_EQ(middle.number, 10);
  EXPECT_FALSE(table.take_after(middle, 11, 12));
  EXPECT_EQ(table.take_after(middle, 11, 13)->number, 13);
  EXPECT_FALSE(table.take_before(middle, 9, 9));
  EXPECT_EQ(table.take_before(middle, 7, 9)->number, 8);
  EXPECT_FALSE(table.take_before(middle, 7, 9)); // taken
}

TEST_F(Requests, TakeABrickBack)
{
  EXPECT_TRUE(ask(brick(1), first));
  const WantedBrick taken = *table.take_best();
  table.put_back(taken);
  EXPECT_EQ(best(), 1);
}

TEST_F(Requests, AnswerTheRequestsOfAWaiterThatIsGoing)
{
  EXPECT_TRUE(ask(brick(1), first));
  EXPECT_TRUE(ask(brick(2), first));
  EXPECT_TRUE(ask(brick(2), second));
  EXPECT_TRUE(ask(brick(3), first, 9));
  const WantedBrick under_way = *table.take_best();
  EXPECT_EQ(under_way.number, 3);
  EXPECT_EQ(table.withdraw(first).size(), 3U);
  EXPECT_EQ(best(), 2); // somebody else still wants it
  EXPECT_EQ(best(), -1);
  EXPECT_TRUE(table.finish(3).empty());
}

TEST_F(Requests, ForgetABrickThatIsPutBackWhenNobodyWantsItAnyMore)
{
  EXPECT_TRUE(ask(brick(1), first));
  const WantedBrick taken = *table.take_best();
  EXPECT_EQ(table.withdraw(first).size(), 1U);
  table.put_back(taken);
  EXPECT_EQ(best(), -1);
}

TEST_F(Requests, WithdrawAllThatAreQueued)
{
  EXPECT_TRUE(ask(brick(1), first, 2));
  EXPECT_TRUE(ask(brick(2), second));
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(table.withdraw_queued().size(), 1U);
  EXPECT_EQ(best(), -1);
  EXPECT_EQ(table.finish(1).size(), 1U);
}

TEST_F(Requests, ComeBeforeBricksThatNobodyWaitsFor)
{
  EXPECT_TRUE(prefetch(brick(1), 3));
  EXPECT_TRUE(prefetch(brick(2), 5));
  EXPECT_TRUE(ask(brick(3), first));
  EXPECT_TRUE(prefetch(brick(4), 5));
  EXPECT_TRUE(ask(brick(4), first, 2));
  for (const std::int64_t number : { 4, 3, 2, 1, -1 })
  {
    EXPECT_EQ(best(), number);
  }
  EXPECT_EQ(table.finish(4).size(), 1U);
  EXPECT_TRUE(table.finish(2).empty());
}

TEST_F(Requests, KeepNoBrickForLaterThatIsThereOrAskedFor)
{
  EXPECT_FALSE(prefetch(brick(1), 1, true));
  EXPECT_TRUE(ask(brick(2), first));
  EXPECT_FALSE(prefetch(brick(2), 1));
  EXPECT_TRUE(prefetch(brick(3), 1));
  EXPECT_FALSE(prefetch(brick(3), 2));
}

TEST_F(Requests, LeaveBricksForLaterWhereAWaiterGoes)
{
  EXPECT_TRUE(prefetch(brick(1), 1));
  EXPECT_TRUE(prefetch(brick(2), 1));
  EXPECT_TRUE(ask(brick(2), first));
  EXPECT_EQ(table.withdraw(first).size(), 1U);
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(best(), -1) << "the one that was waited for went with its waiter";
}

TEST_F(Requests, ForgetABrickForLaterThatThereIsNoRoomFor)
{
  EXPECT_TRUE(prefetch(brick(1), 1));
  table.put_back(*table.take_best());
  EXPECT_EQ(best(), -1);
}

TEST_F(Requests, BoundTheBricksThatNobodyWaitsFor)
{
  EXPECT_TRUE(prefetch(brick(1), 1, false, 2));
  EXPECT_TRUE(prefetch(brick(2), 1, false, 2));
  EXPECT_FALSE(prefetch(brick(3), 1, false, 2));
  EXPECT_TRUE(ask(brick(1), first)) << "a waiter makes it another one's turn";
  EXPECT_TRUE(prefetch(brick(3), 1, false, 2));
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(best(), 2);
  EXPECT_FALSE(prefetch(brick(4), 1, false, 2)) << "those being read count";
  EXPECT_TRUE(table.finish(2).empty());
  EXPECT_TRUE(prefetch(brick(4), 1, false, 2));
  table.put_back(*table.take_best());
  EXPECT_TRUE(prefetch(brick(5), 1, false, 2)) << "one that found no room is forgotten";
  EXPECT_TRUE(table.withdraw_queued().empty());
  EXPECT_TRUE(prefetch(brick(6), 1, false, 1));
}

TEST_F(Requests, KeepBricksForLaterBackWhileTheStorageIsBusy)
{
  EXPECT_TRUE(prefetch(brick(1), 1));
  EXPECT_FALSE(table.take_best(false));
  EXPECT_TRUE(ask(brick(2), first));
  EXPECT_EQ(table.take_best(false)->number, 2);
  const std::optional<WantedBrick> later = table.take_best();
  ASSERT_TRUE(later);
  EXPECT_TRUE(later->ahead);
  EXPECT_TRUE(prefetch(brick(3), 1));
  EXPECT_TRUE(ask(brick(3), first));
  EXPECT_FALSE(table.take_best(false)->ahead) << "somebody waits for it by now";
}

} // namespace rivulet::test
