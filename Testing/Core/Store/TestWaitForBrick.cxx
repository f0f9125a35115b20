// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/WaitForBrick.h"

#include "Core/Store/CacheUnderTest.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"

#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

using Answer = FaultyBricks::Answer;

class WaitForBrick : public testing::Test
{
protected:
  /// The brick of `source`, whose pin must be of the analytic source behind it.
  [[nodiscard]] bool comes(BrickSource& source)
  {
    std::shared_ptr<const Error> error;
    const BrickPin pin = wait_for_brick(source, key, error);
    EXPECT_EQ(error, nullptr);
    const Lookup direct = inner.try_get(key);
    return pin && pin.view().lattice == direct.pin.view().lattice;
  }

  std::shared_ptr<const AnalyticField> field = analytic_field("rotation");
  Grid grid = uniform_grid({ 20, 20, 20 }, field->domain());
  AnalyticBricks inner{ field, grid, { .brick_cells = { 8, 8, 8 } } };
  const BrickKey key{ 0, 0, 5 };
};

} // namespace

TEST_F(WaitForBrick, TakesABrickThatIsThereWithoutARequest)
{
  FaultyBricks source(inner, { .answer = Answer::Ready });
  EXPECT_TRUE(comes(source));
  EXPECT_EQ(source.requests(), 0);
}

TEST_F(WaitForBrick, WaitsForABrickHoweverItComes)
{
  for (const Answer answer : { Answer::AtOnce, Answer::Later, Answer::LaterNewestFirst, Answer::LaterInRandomOrder })
  {
    for (const bool hands_over : { false, true })
    {
      FaultyBricks source(inner, { .answer = answer, .hits = 1, .hands_over = hands_over });
      EXPECT_TRUE(comes(source));
      EXPECT_GE(source.requests(), 1);
    }
  }
}

TEST_F(WaitForBrick, UsesWhatItIsHandedWithoutAskingAgain)
{
  FaultyBricks source(inner, { .answer = Answer::Later, .hits = 1, .hands_over = true });
  EXPECT_TRUE(comes(source));
  EXPECT_EQ(source.misses(), 1);
  EXPECT_EQ(source.requests(), 1);
}

TEST_F(WaitForBrick, AsksAgainAfterAMiss)
{
  FaultyBricks source(inner, { .answer = Answer::OnCommand, .hits = 1 });
  std::atomic<bool> came{ false };
  std::jthread waiting([&] { came = comes(source); });
  while (source.waiting().empty())
  {
    std::this_thread::yield();
  }
  EXPECT_EQ(source.waiting().front(), key);
  EXPECT_FALSE(came);
  source.deliver(0);
  waiting.join();
  EXPECT_TRUE(came);
}

TEST_F(WaitForBrick, SaysWhyABrickCannotBeHad)
{
  for (const Answer answer : { Answer::Ready, Answer::AtOnce, Answer::Later })
  {
    FaultyBricks source(inner, { .answer = answer });
    source.fail(key);
    std::shared_ptr<const Error> error;
    EXPECT_FALSE(wait_for_brick(source, key, error));
    ASSERT_NE(error, nullptr);
    EXPECT_FALSE(error->what.empty());
  }
}

TEST_F(WaitForBrick, LeavesTheErrorOfAnEarlierBrickAlone)
{
  const auto before = std::make_shared<const Error>();
  std::shared_ptr<const Error> error = before;
  EXPECT_TRUE(wait_for_brick(inner, key, error));
  EXPECT_EQ(error, before);
}

/// A synchronous source answers at once though all its slots are pinned.
TEST_F(WaitForBrick, WaitsForASlotThatOthersPin)
{
  CacheUnderTest source(1, 1);
  Lookup pinned = source.try_get(brick(1));
  std::atomic<bool> came{ false };
  std::jthread waiting(
      [&]
      {
        std::shared_ptr<const Error> error;
        Lookup found{ Lookup::State::Ready, wait_for_brick(source, brick(2), error), nullptr };
        EXPECT_EQ(number_in(found), 2);
        came = true;
      });
  EXPECT_FALSE(came);
  pinned = {};
  waiting.join();
  EXPECT_TRUE(came);
  EXPECT_EQ(source.loads, 2);
}

} // namespace rivulet::test
