// SPDX-License-Identifier: BSD-3-Clause
// Bricks that are visited in any order: each comes once, whenever it arrives, with an error if it cannot be read.
#include "Store/Source/VisitBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

namespace rivulet::test
{
namespace
{

using Answer = FaultyBricks::Answer;

class VisitBricks : public ::testing::Test
{
protected:
  AnalyticBricks good_{ analytic_field("uniform"), uniform_grid({ 17, 17, 17 }, { { 0, 0, 0 }, { 1, 1, 1 } }),
    { .brick_cells = { 2, 2, 2 } } };

  [[nodiscard]] std::vector<BrickKey> keys() const
  {
    std::vector<BrickKey> all;
    for (std::int64_t index = 0; index < good_.bricks(0).size(); ++index)
    {
      all.push_back({ 0, 0, index });
    }
    return all;
  }
};

struct Seen
{
  int times = 0;
  bool good = false;
};

std::map<std::int64_t, Seen> visit(BrickSource& source, const std::vector<BrickKey>& keys)
{
  std::map<std::int64_t, Seen> seen;
  visit_bricks(source, keys,
      [&](const BrickKey& key, const Lookup& found)
      {
        Seen& brick = seen[key.index];
        ++brick.times;
        brick.good = found.state == Lookup::State::Ready && found.pin;
        EXPECT_EQ(found.error == nullptr, brick.good);
      });
  return seen;
}

} // namespace

TEST_F(VisitBricks, ShowsEachBrickOnce)
{
  for (const Answer answer :
      { Answer::Ready, Answer::AtOnce, Answer::Later, Answer::LaterNewestFirst, Answer::LaterInRandomOrder })
  {
    for (const bool hands_over : { false, true })
    {
      FaultyBricks source(good_, { .answer = answer, .seed = 3, .hits = 1, .hands_over = hands_over });
      const std::map<std::int64_t, Seen> seen = visit(source, keys());
      ASSERT_EQ(seen.size(), keys().size());
      for (const auto& [index, brick] : seen)
      {
        EXPECT_EQ(brick.times, 1) << index;
        EXPECT_TRUE(brick.good) << index;
      }
    }
  }
}

TEST_F(VisitBricks, ShowsTheErrorsOfBricksThatCannotBeRead)
{
  FaultyBricks source(good_, { .answer = Answer::Later, .hands_over = true });
  source.fail({ 0, 0, 7 });
  std::map<std::int64_t, Seen> seen = visit(source, keys());
  ASSERT_EQ(seen.size(), keys().size());
  EXPECT_FALSE(seen[7].good);
  EXPECT_TRUE(seen[8].good);
}

TEST_F(VisitBricks, HasManyRequestsUnderWay)
{
  constexpr std::size_t kMany = 32;
  FaultyBricks source(good_, { .answer = Answer::OnCommand, .hands_over = true });
  std::atomic<bool> done{ false };
  std::size_t most = 0;
  std::thread storage(
      [&]
      {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!done)
        {
          most = std::max(most, source.waiting().size());
          if ((most >= kMany || std::chrono::steady_clock::now() > deadline) && !source.waiting().empty())
          {
            source.deliver(0);
          }
        }
      });
  EXPECT_EQ(visit(source, keys()).size(), keys().size());
  done = true;
  storage.join();
  EXPECT_GE(most, kMany);
}

TEST_F(VisitBricks, NeedsNoBrick)
{
  EXPECT_TRUE(visit(good_, {}).empty());
}

} // namespace rivulet::test
