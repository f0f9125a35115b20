// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Store/FieldOnDisk.h"
#include "Store/Derived/DistributedBricks.h"
#include "Store/Source/WaitForBrick.h"
#include "Support/TemporaryFolder.h"
#include "Support/ThreadRanks.h"

#include <gmock/gmock.h>
#include <numeric>

namespace rivulet
{

using namespace test;
using namespace std::chrono_literals;

namespace
{

constexpr std::int64_t kSlot = 64 * 1024;

/// What a rank does: a tracer of its own thread asks, and the rank polls.
struct Told
{
  std::int64_t bricks = 0; ///< that were had
  std::int64_t wrong = 0;
  std::vector<std::string> errors;
  std::int64_t bricks_read = 0; ///< from the file
  DistributedStatistics ranked;
};

class TestDistributedBricks : public testing::Test
{
protected:
  void SetUp() override { write_field(path_, small_field({ 0.0, 1.0 })); }

  /// Asks for every brick once, or for `share` of them.
  Told work(RankLink& link, double share, std::chrono::milliseconds late = 0ms,
      std::chrono::milliseconds patience = 20s, std::int64_t budget = 64 * kSlot)
  {
    Told told;
    const auto file = *open_field({ path_ }, { .strategy = AccessStrategy::Asynchronous });
    std::this_thread::sleep_for(late);
    {
      DistributedBricks bricks(file, { &link, link.begin_session() },
          { .budget = budget, .first_patience = patience, .least_patience = patience });
      std::atomic<bool> done{ false };
      std::thread tracer(
          [&]
          {
            std::vector<BrickKey> keys = all_keys(bricks);
            keys.resize(static_cast<std::size_t>(share * static_cast<double>(keys.size())));
            std::rotate(keys.begin(),
                keys.begin() + static_cast<std::ptrdiff_t>(keys.size()) * link.rank() / link.size(), keys.end());
            for (const BrickKey& key : keys)
            {
              std::shared_ptr<const Error> error;
              const BrickPin pin = wait_for_brick(bricks, key, error);
              told.bricks += pin ? 1 : 0;
              told.wrong += pin ? wrong_values(pin.view(), key, bricks.bricks(key.variable)) : 0;
              if (error)
              {
                told.errors.push_back(error->describe());
              }
            }
            done = true;
          });
      while (!done)
      {
        bricks.poll();
        std::this_thread::sleep_for(100us);
      }
      tracer.join();
      bricks.close();
      told.ranked = bricks.ranked();
    }
    told.bricks_read = file->statistics().bricks_read;
    return told;
  }

  std::vector<Told> run(int size, const std::function<Told(RankLink&)>& rank, double faults = 0.0)
  {
    std::vector<Told> told(static_cast<std::size_t>(size));
    ThreadRanks ranks(size, faults);
    ranks.run([&](RankLink& link) { told[static_cast<std::size_t>(link.rank())] = rank(link); });
    return told;
  }
  [[nodiscard]] std::int64_t count() const
  {
    return static_cast<std::int64_t>(all_keys(**open_field({ path_ })).size());
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("flow.rvf");
};

std::int64_t sum(const std::vector<Told>& all, std::int64_t Told::*what)
{
  return std::accumulate(all.begin(), all.end(), std::int64_t{ 0 },
      [&](std::int64_t so_far, const Told& one) { return so_far + one.*what; });
}

std::int64_t sum(const std::vector<Told>& all, std::int64_t DistributedStatistics::*what)
{
  return std::accumulate(all.begin(), all.end(), std::int64_t{ 0 },
      [&](std::int64_t so_far, const Told& one) { return so_far + one.ranked.*what; });
}

} // namespace

TEST_F(TestDistributedBricks, are_read_once_by_their_owner_for_all)
{
  for (const int size : { 1, 2, 4 })
  {
    const std::vector<Told> told = run(size, [&](RankLink& link) { return work(link, 1.0); });
    EXPECT_EQ(sum(told, &Told::bricks), size * count());
    EXPECT_EQ(sum(told, &Told::wrong), 0);
    EXPECT_EQ(sum(told, &Told::bricks_read), count()) << size << " ranks";
    EXPECT_EQ(sum(told, &DistributedStatistics::received), (size - 1) * count());
    EXPECT_EQ(sum(told, &DistributedStatistics::served), (size - 1) * count());
    EXPECT_EQ(sum(told, &DistributedStatistics::late) + sum(told, &DistributedStatistics::refused), 0);
  }
}

TEST_F(TestDistributedBricks, owners_are_many_and_the_same_on_all_ranks)
{
  std::vector<std::vector<int>> owners(3);
  run(3,
      [&](RankLink& link)
      {
        const auto file = *open_field({ path_ }, { .strategy = AccessStrategy::Asynchronous });
        DistributedBricks bricks(file, { &link, link.begin_session() }, { .budget = kSlot });
        for (const BrickKey& key : all_keys(bricks))
        {
          owners[static_cast<std::size_t>(link.rank())].push_back(bricks.owner_of(key));
        }
        bricks.close();
        return Told();
      });
  EXPECT_EQ(owners[0], owners[1]);
  EXPECT_EQ(owners[0], owners[2]);
  EXPECT_THAT(owners[0], testing::AllOf(testing::Contains(0), testing::Contains(1), testing::Contains(2)));
}

TEST_F(TestDistributedBricks, come_from_the_file_while_their_owner_is_not_there)
{
  const auto started = std::chrono::steady_clock::now();
  const std::vector<Told> told = run(3,
      [&](RankLink& link) { return work(link, 1.0, link.rank() == 2 ? 1500ms : 0ms, link.rank() == 2 ? 20s : 50ms); });
  EXPECT_LT(std::chrono::steady_clock::now() - started, 60s);
  EXPECT_EQ(sum(told, &Told::bricks), 3 * count());
  EXPECT_EQ(sum(told, &Told::wrong), 0);
  EXPECT_GT(told[0].ranked.late, 0);
  EXPECT_EQ(told[2].ranked.late, 0) << "the others serve until all are done";
}

TEST_F(TestDistributedBricks, are_served_by_ranks_that_want_none_or_are_done)
{
  const std::vector<Told> told = run(3, [&](RankLink& link) { return work(link, link.rank() == 0 ? 1.0 : 0.0); });
  EXPECT_EQ(told[0].bricks, count());
  EXPECT_EQ(sum(told, &Told::wrong), 0);
  EXPECT_EQ(sum(told, &Told::bricks_read), count());
  EXPECT_EQ(told[0].ranked.late, 0);
  EXPECT_EQ(told[1].ranked.asked + told[2].ranked.asked, 0);
}

TEST_F(TestDistributedBricks, come_from_the_file_where_ranks_cannot_share)
{
  const std::vector<Told> told = run(2,
      [&](RankLink& link)
      {
        Told alone;
        const auto file = *open_field({ path_ });
        DistributedBricks bricks(file, { &link, link.begin_session() }, { .budget = 64 * kSlot });
        bricks.read_alone();
        for (const BrickKey& key : all_keys(bricks)) // and nothing is polled
        {
          std::shared_ptr<const Error> error;
          const BrickPin pin = wait_for_brick(bricks, key, error);
          alone.bricks += pin ? 1 : 0;
          alone.wrong += pin ? wrong_values(pin.view(), key, bricks.bricks(key.variable)) : 0;
        }
        return alone;
      });
  EXPECT_EQ(sum(told, &Told::bricks), 2 * count());
  EXPECT_EQ(sum(told, &Told::wrong), 0);
}

TEST_F(TestDistributedBricks, do_not_need_memory_for_messages)
{
  for (const double faults : { 0.1, 0.6 })
  {
    const std::vector<Told> told = run(
        3, [&](RankLink& link) { return work(link, 1.0, 0ms, 20ms); }, faults);
    EXPECT_EQ(sum(told, &Told::bricks), 3 * count());
    EXPECT_EQ(sum(told, &Told::wrong), 0);
    EXPECT_GT(sum(told, &DistributedStatistics::received), 0);
  }
}

TEST_F(TestDistributedBricks, of_which_many_are_prefetched_leave_room_for_those_that_are_wanted)
{
  const std::vector<Told> told = run(2,
      [&](RankLink& link)
      {
        const auto file = *open_field({ path_ }, { .strategy = AccessStrategy::Asynchronous });
        DistributedBricks bricks(file, { &link, link.begin_session() }, { .budget = 64 * kSlot, .most_asked = 4 });
        Told mine;
        if (link.rank() == 0) // the other rank answers nothing until it closes
        {
          const std::vector<BrickKey> keys = all_keys(bricks);
          bricks.prefetch(keys, 1);
          bricks.poll();
          mine.bricks = bricks.ranked().asked;
        }
        bricks.close();
        return mine;
      });
  EXPECT_EQ(told[0].bricks, 2);
}

TEST_F(TestDistributedBricks, are_refused_where_answers_wait_to_be_sent)
{
  const std::vector<Told> told = run(2,
      [&](RankLink& link)
      {
        const auto file = *open_field({ path_ }, { .strategy = AccessStrategy::Asynchronous });
        DistributedBricks bricks(file, { &link, link.begin_session() },
            { .budget = 64 * kSlot, .most_asked = 16, .most_unsent = 4096, .first_patience = 20s });
        Told mine;
        if (link.rank() == 0)
        {
          const std::vector<BrickKey> keys = all_keys(bricks);
          bricks.prefetch(keys, 1);
          bricks.poll();
          std::this_thread::sleep_for(300ms); // the owner answers, and this rank does not look
          const auto end = std::chrono::steady_clock::now() + 20s;
          while (bricks.ranked().received + bricks.ranked().refused < 8 && std::chrono::steady_clock::now() < end)
          {
            bricks.poll();
          }
        }
        bricks.close();
        mine.ranked = bricks.ranked();
        return mine;
      });
  EXPECT_GE(told[0].ranked.asked, 8); // and more, where room is free again
  EXPECT_GE(told[1].ranked.served, 1);
  EXPECT_GE(told[0].ranked.received, 1);
  EXPECT_GE(told[0].ranked.received + told[0].ranked.refused, 8);
  EXPECT_GT(told[0].ranked.refused, 0);
}

TEST_F(TestDistributedBricks, stay_within_the_budget)
{
  const std::vector<Told> told = run(2, [&](RankLink& link) { return work(link, 1.0, 0ms, 20s, 2 * kSlot); });
  EXPECT_EQ(sum(told, &Told::bricks), 2 * count());
  EXPECT_EQ(sum(told, &Told::wrong), 0);
}

TEST_F(TestDistributedBricks, that_are_damaged_fail_for_all_with_the_name_of_the_file)
{
  const BrickKey bad{ 0, 1, 3 };
  damage_byte(path_, offset_of(path_, bad) + 5);
  const std::vector<Told> told = run(3, [&](RankLink& link) { return work(link, 1.0); });
  for (const Told& one : told)
  {
    EXPECT_EQ(one.bricks, count() - 1);
    EXPECT_EQ(one.wrong, 0);
    EXPECT_THAT(one.errors, testing::ElementsAre(testing::HasSubstr("flow.rvf")));
  }
  EXPECT_EQ(sum(told, &DistributedStatistics::refused), 2);
}

TEST_F(TestDistributedBricks, that_do_not_exist_are_refused_here)
{
  run(2,
      [&](RankLink& link)
      {
        const auto file = *open_field({ path_ }, { .strategy = AccessStrategy::Asynchronous });
        DistributedBricks bricks(file, { &link, link.begin_session() }, { .budget = kSlot });
        for (const BrickKey& key : { BrickKey{ 7, 0, 0 }, { 0, 9, 0 }, { 0, 0, 1 << 20 }, { 0, 0, -1 }, { -1, 0, 0 } })
        {
          EXPECT_EQ(bricks.try_get(key).state, Lookup::State::Failed);
        }
        bricks.close();
        return Told();
      });
}

} // namespace rivulet
