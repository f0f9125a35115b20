// SPDX-License-Identifier: BSD-3-Clause
// What every way to read a field file promises to those who ask and go on with something else.
#include "Core/Store/BrickReader.h"
#include "Core/Store/CountingWaiter.h"
#include "Support/TemporaryFolder.h"

#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <thread>

namespace rivulet::test
{

namespace
{

/// Looks at what it is handed, lets go of it, and counts.
class CheckingWaiter final : public BrickWaiter
{
public:
  explicit CheckingWaiter(BrickSource& source)
  {
    for (int variable = 0; variable < 3; ++variable)
    {
      grids_.push_back(source.bricks(variable));
    }
  }
  void brick_arrived(const BrickKey& key, Lookup&& gone) override
  {
    if (gone.state == Lookup::State::Ready)
    {
      const BrickGrid& grid = grids_[static_cast<std::size_t>(key.variable)];
      wrong += wrong_values(gone.pin.view(), key, grid) == 0 ? 0 : 1;
    }
    failed += gone.state == Lookup::State::Failed ? 1 : 0;
    gone = {};
    answers.brick_arrived(key, {});
  }

  CountingWaiter answers;
  std::atomic<int> failed{ 0 };
  std::atomic<int> wrong{ 0 };

private:
  std::vector<BrickGrid> grids_;
};

class RequestsOf : public testing::TestWithParam<AccessStrategy>
{
protected:
  RequestsOf() { write_field(path, small_field({ 0.0, 0.5 })); }

  void open(std::int64_t budget = 64 << 20)
  {
    source = *open_field({ path }, { .strategy = GetParam(), .memory_budget = budget });
  }

  TemporaryFolder folder;
  std::string path = folder.file("field.rvf");
  std::shared_ptr<FileBricks> source;
};

} // namespace

TEST_P(RequestsOf, BricksThatDoNotExistAreAnswered)
{
  open();
  CheckingWaiter waiter(*source);
  int asked = 0;
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  for (const BrickKey& key : std::vector<BrickKey>{ { 3, 0, 0 }, { -1, 0, 0 }, { 0, 2, 0 }, { 0, -1, 0 }, { 0, 0, -1 },
           { kMost, 0, 0 }, { 0, kMost, 0 }, { 0, 0, kFar }, { -kMost, -kMost, -kFar } })
  {
    source->request(key, waiter);
    waiter.answers.wait_for(++asked);
    EXPECT_EQ(waiter.answers.calls, asked);
    EXPECT_EQ(source->try_get(key).state, Lookup::State::Failed);
  }
  source.reset();
  EXPECT_EQ(waiter.answers.calls, asked);
}

TEST_P(RequestsOf, ManyThreadsAreEachAnsweredOnce)
{
  constexpr int kThreads = 4;
  constexpr int kAsked = 150;
  open();
  open(source->working_minimum(kThreads));
  const std::vector<BrickKey> keys = all_keys(*source);
  std::deque<CheckingWaiter> waiters;
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < kThreads; ++i)
  {
    CheckingWaiter& waiter = waiters.emplace_back(*source);
    team.emplace_back(
        [&, i]
        {
          std::mt19937 random(i);
          for (int asked = 0; asked < kAsked; ++asked)
          {
            source->request(keys[random() % keys.size()], waiter);
          }
          waiter.answers.wait_for(kAsked);
        });
  }
  team.clear();
  source.reset();
  for (const CheckingWaiter& waiter : waiters)
  {
    EXPECT_EQ(waiter.answers.calls, kAsked);
    EXPECT_EQ(waiter.failed, 0);
    EXPECT_EQ(waiter.wrong, 0);
  }
}

TEST_P(RequestsOf, OneWhoWithdrawsAreAnsweredOnce)
{
  open();
  CheckingWaiter leaving(*source);
  CheckingWaiter staying(*source);
  int asked = 0;
  for (const BrickKey& key : all_keys(*source))
  {
    source->request(key, leaving);
    asked % 7 == 0 ? source->request(key, staying) : void();
    ++asked;
  }
  source->withdraw(leaving);
  leaving.answers.wait_for(asked);
  staying.answers.wait_for((asked + 6) / 7);
  EXPECT_EQ(wrong_in_all(*source), 0); // it goes on
  source.reset();
  EXPECT_EQ(leaving.answers.calls, asked);
  EXPECT_EQ(staying.answers.calls, (asked + 6) / 7);
  EXPECT_EQ(leaving.wrong + staying.wrong, 0);
}

TEST_P(RequestsOf, ADamagedBrickAreAnsweredLikeOthers)
{
  const BrickKey bad{ 1, 0, 4 };
  damage_byte(path, offset_of(path, bad) + 5);
  open();
  std::deque<CheckingWaiter> waiters;
  for (int i = 0; i < 3; ++i)
  {
    source->request(bad, waiters.emplace_back(*source));
  }
  for (CheckingWaiter& waiter : waiters)
  {
    waiter.answers.wait_for(1);
  }
  const Lookup found = BrickReader(*source).get(bad);
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Corrupt);
  EXPECT_EQ(BrickReader(*source).get(bad).error->offset, found.error->offset);
  EXPECT_EQ(wrong_in_all(*source), 1);
  source.reset();
  for (const CheckingWaiter& waiter : waiters)
  {
    EXPECT_EQ(waiter.answers.calls, 1);
    EXPECT_EQ(waiter.wrong, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, RequestsOf, testing::ValuesIn(kStrategies),
    [](const auto& strategy)
    {
      std::string name = name_of(strategy.param);
      std::erase(name, ' ');
      return name;
    });

} // namespace rivulet::test
