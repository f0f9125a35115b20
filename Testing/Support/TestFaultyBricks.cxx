// SPDX-License-Identifier: BSD-3-Clause
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using Answer = FaultyBricks::Answer;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// Remembers what arrived, in order.
class Arrivals final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey& key, Lookup&&) override
  {
    const std::lock_guard lock(mutex_);
    indices_.push_back(key.index);
    changed_.notify_all();
  }
  std::vector<std::int64_t> wait_for(std::size_t count)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return indices_.size() >= count; });
    return indices_;
  }
  std::size_t count()
  {
    const std::lock_guard lock(mutex_);
    return indices_.size();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::int64_t> indices_;
};

class FaultyBricksTest : public ::testing::Test
{
protected:
  AnalyticBricks good_{ analytic_field("uniform"), uniform_grid({ 9, 9, 9 }, { { 0, 0, 0 }, { 1, 1, 1 } }),
    { .brick_cells = { 4, 4, 4 } } };
  Arrivals arrivals_; // outlives the sources that the tests make

  static BrickKey key(std::int64_t index) { return { 0, 0, index }; }
  void request(FaultyBricks& source, std::initializer_list<std::int64_t> indices)
  {
    std::for_each(indices.begin(), indices.end(), [&](std::int64_t index) { source.request(key(index), arrivals_); });
  }
};

TEST_F(FaultyBricksTest, ReadySourceNeverMisses)
{
  FaultyBricks source(good_, {});
  EXPECT_EQ(source.try_get(key(3)).state, Lookup::State::Ready);
  EXPECT_EQ(source.misses(), 0);
}

TEST_F(FaultyBricksTest, BrickMissesUntilItArrives)
{
  FaultyBricks source(good_, { .answer = Answer::AtOnce });
  EXPECT_EQ(source.try_get(key(3)).state, Lookup::State::Miss);
  request(source, { 3 });
  EXPECT_EQ(arrivals_.count(), 1U);
  EXPECT_EQ(source.try_get(key(3)).state, Lookup::State::Ready);
  EXPECT_EQ(source.try_get(key(4)).state, Lookup::State::Miss);
}

TEST_F(FaultyBricksTest, BrickIsEvictedAfterItsHits)
{
  FaultyBricks source(good_, { .answer = Answer::AtOnce, .hits = 2 });
  request(source, { 0 });
  EXPECT_EQ(source.try_get(key(0)).state, Lookup::State::Ready);
  EXPECT_EQ(source.try_get(key(0)).state, Lookup::State::Ready);
  EXPECT_EQ(source.try_get(key(0)).state, Lookup::State::Miss);
}

TEST_F(FaultyBricksTest, BrickThatFailsArrivesAndFails)
{
  FaultyBricks source(good_, { .answer = Answer::Later });
  source.fail(key(5));
  request(source, { 5 });
  arrivals_.wait_for(1);
  const Lookup found = source.try_get(key(5));
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::CannotRead);
}

TEST_F(FaultyBricksTest, LaterKeepsTheOrderOfRequests)
{
  FaultyBricks source(good_, { .answer = Answer::Later });
  request(source, { 4, 2, 7 });
  EXPECT_THAT(arrivals_.wait_for(3), ElementsAre(4, 2, 7));
}

TEST_F(FaultyBricksTest, RandomOrderStillAnnouncesEachRequestOnce)
{
  FaultyBricks source(good_, { .answer = Answer::LaterInRandomOrder, .seed = 3, .gather = 4 });
  request(source, { 4, 2, 7, 2 });
  EXPECT_THAT(arrivals_.wait_for(4), UnorderedElementsAre(4, 2, 7, 2));
}

TEST_F(FaultyBricksTest, CommandChoosesWhatArrives)
{
  FaultyBricks source(good_, { .answer = Answer::OnCommand });
  request(source, { 1, 6 });
  EXPECT_THAT(source.waiting(), ElementsAre(key(1), key(6)));
  source.deliver(1);
  EXPECT_THAT(arrivals_.wait_for(1), ElementsAre(6));
  EXPECT_EQ(source.try_get(key(1)).state, Lookup::State::Miss);
  EXPECT_EQ(source.try_get(key(6)).state, Lookup::State::Ready);
}

TEST_F(FaultyBricksTest, NobodyIsLeftWaitingAtTheEnd)
{
  {
    FaultyBricks source(good_, { .answer = Answer::OnCommand });
    request(source, { 1, 6 });
  }
  EXPECT_EQ(arrivals_.count(), 2U);
}

TEST_F(FaultyBricksTest, HealthIsWhatTheTestSays)
{
  FaultyBricks source(good_, {});
  EXPECT_TRUE(source.health());
  source.set_health(fail(ErrorCode::Truncated, "cut short"));
  EXPECT_EQ(source.health().error().code, ErrorCode::Truncated);
}

} // namespace
