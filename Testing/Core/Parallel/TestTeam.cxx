// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/Team.h"
#include "Support/LoweredLimit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace rivulet
{

namespace
{

struct Visit
{
  int worker;
  std::thread::id thread;
};

std::vector<Visit> visits(int threads, const std::function<void()>& watch)
{
  std::mutex mutex;
  std::vector<Visit> seen;
  run_team(
      threads,
      [&](int worker)
      {
        const std::lock_guard lock(mutex);
        seen.push_back({ worker, std::this_thread::get_id() });
      },
      watch);
  std::sort(seen.begin(), seen.end(), [](const Visit& a, const Visit& b) { return a.worker < b.worker; });
  return seen;
}

} // namespace

TEST(Team, CallsEveryWorkerOnce)
{
  for (const std::function<void()>& watch : { std::function<void()>{}, std::function<void()>{ [] {
                                             } } })
  {
    const std::vector<Visit> seen = visits(5, watch);
    ASSERT_EQ(seen.size(), 5U);
    for (int worker = 0; worker < 5; ++worker)
    {
      EXPECT_EQ(seen[static_cast<std::size_t>(worker)].worker, worker);
    }
  }
}

TEST(Team, TakesTheCallerInWhereNothingIsWatched)
{
  const std::vector<Visit> seen = visits(3, {});
  EXPECT_EQ(seen[0].thread, std::this_thread::get_id());
  EXPECT_NE(seen[1].thread, std::this_thread::get_id());
  EXPECT_NE(seen[2].thread, std::this_thread::get_id());
}

TEST(Team, LeavesTheCallerFreeToWatch)
{
  for (const Visit& visit : visits(3, [] {}))
  {
    EXPECT_NE(visit.thread, std::this_thread::get_id());
  }
}

TEST(Team, WatchesOnTheCallingThreadUntilTheWorkIsDone)
{
  std::atomic<bool> watched = false;
  run_team(
      2, [&](int) { watched.wait(false); },
      [&, caller = std::this_thread::get_id()]
      {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        watched = true;
        watched.notify_all();
      });
  EXPECT_TRUE(watched);
}

TEST(Team, HandsOnWhatAWorkerThrowsWhenAllHaveReturned)
{
  for (const std::function<void()>& watch : { std::function<void()>{}, std::function<void()>{ [] {
                                             } } })
  {
    for (const int thrower : { 0, 3 })
    {
      std::atomic<int> returned = 0;
      const auto work = [&](int worker)
      {
        if (worker == thrower)
        {
          throw std::bad_alloc();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++returned;
      };
      EXPECT_THROW(run_team(4, work, watch), std::bad_alloc);
      EXPECT_EQ(returned, 3);
    }
  }
}

TEST(Team, HandsOnWhatTheWatchThrowsWhenAllHaveReturned)
{
  std::atomic<bool> watched = false;
  std::atomic<int> returned = 0;
  const auto work = [&](int)
  {
    watched.wait(false);
    ++returned;
  };
  const auto watch = [&]
  {
    watched = true;
    watched.notify_all();
    throw std::bad_alloc();
  };
  EXPECT_THROW(run_team(2, work, watch), std::bad_alloc);
  EXPECT_EQ(returned, 2);
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

TEST(Team, DoesAllTheWorkWithFewerThreadsThanItWants)
{
  for (const bool watched : { false, true })
  {
    std::vector<std::atomic<int>> calls(200);
    const auto work = [&](int worker)
    {
      ++calls[static_cast<std::size_t>(worker)];
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    const test::LoweredLimit little(RLIMIT_AS, test::memory_and(rlim_t{ 64 } << 20)); // stacks of eight threads
    run_team(200, work, watched ? [] {} : std::function<void()>());
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& count) { return count == 1; }));
  }
}

#endif

} // namespace rivulet
