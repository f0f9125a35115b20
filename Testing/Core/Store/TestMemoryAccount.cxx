// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/MemoryAccount.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

namespace
{

/// A lease whose owner gives back all that is asked for, as a cache does that pins nothing.
struct Owner
{
  Owner(MemoryAccount& account, std::int64_t minimum, std::int64_t weight)
    : lease({ .use = MemoryUse::Bricks,
                .minimum = minimum,
                .weight = weight,
                .reclaim =
                    [this](std::int64_t bytes)
                {
                  return reclaim(bytes);
                } },
          account)
  {
  }

  std::int64_t reclaim(std::int64_t bytes)
  {
    const std::int64_t given = std::min(bytes, lease.held() - pinned);
    lease.give_back(given);
    return given;
  }

  std::int64_t pinned = 0;
  MemoryLease lease;
};

/// Takes one byte after the other until the account refuses.
void take_all(MemoryLease& lease)
{
  while (lease.try_take(1))
  {
  }
}

/// Leases that nobody uses meanwhile are idle then.
void let_time_pass()
{
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

} // namespace

TEST(MemoryAccount, AddsUpByUseAndRemembersThePeaks)
{
  MemoryAccount account(100);
  ASSERT_TRUE(account.try_take(MemoryUse::Copies, 50));
  account.take(MemoryUse::Lines, 10);
  EXPECT_EQ(account.used(), 60);
  EXPECT_EQ(account.used(MemoryUse::Lines), 10);
  account.give_back(MemoryUse::Copies, 50);
  EXPECT_EQ(account.used(), 10);
  EXPECT_EQ(account.peak(), 60);
  EXPECT_EQ(account.peak(MemoryUse::Copies), 50);
}

TEST(MemoryAccount, RefusesWhatIsPastItsLimit)
{
  MemoryAccount account(100);
  EXPECT_FALSE(account.try_take(MemoryUse::Copies, 101));
  EXPECT_TRUE(account.try_take(MemoryUse::Copies, 100));
  EXPECT_FALSE(account.try_take(MemoryUse::Copies, 1));
  account.take(MemoryUse::Lines, 1);
  EXPECT_EQ(account.used(), 101);
}

TEST(MemoryAccount, LosesNothingBetweenThreads)
{
  MemoryAccount account(1000);
  {
    Owner first(account, 100, 1);
    Owner second(account, 100, 1);
    std::vector<std::jthread> team;
    for (int i = 0; i < 4; ++i)
    {
      team.emplace_back(
          [&account, &lease = i % 2 == 0 ? first.lease : second.lease]
          {
            for (int n = 0; n < 10000; ++n)
            {
              if (lease.try_take(3))
              {
                lease.give_back(n % 2 == 0 ? 3 : 2);
              }
              account.take(MemoryUse::Tiles, 1);
              account.give_back(MemoryUse::Tiles, 1);
            }
          });
    }
    team.clear();
    EXPECT_EQ(account.used(), first.lease.held() + second.lease.held());
    EXPECT_LE(account.peak(), 1004);
  }
  EXPECT_EQ(account.used(), 0);
}

TEST(MemoryLease, TakesAllThatIdleOnesHold)
{
  MemoryAccount account(100);
  Owner idle(account, 20, 1);
  take_all(idle.lease);
  EXPECT_EQ(idle.lease.held(), 100);
  Owner busy(account, 20, 1);
  EXPECT_TRUE(busy.lease.try_take(1));
  let_time_pass();
  take_all(busy.lease);
  let_time_pass(); // one look notes that it was used before, the next that it was not since
  take_all(busy.lease);
  EXPECT_EQ(busy.lease.held(), 100);
  EXPECT_EQ(idle.lease.held(), 0);
  EXPECT_EQ(account.peak(), 100);
}

TEST(MemoryLease, TakesItsShareOfWhatBusyOnesHold)
{
  MemoryAccount account(100);
  Owner first(account, 10, 3);
  take_all(first.lease);
  Owner second(account, 10, 1);
  take_all(second.lease);
  EXPECT_EQ(second.lease.held(), 10 + 80 / 4);
  EXPECT_EQ(first.lease.held(), 10 + 80 * 3 / 4);
}

TEST(MemoryLease, TakesFirstBytesFromWhatOthersHoldBeyondTheirMinimum)
{
  MemoryAccount account(100);
  Owner first(account, 90, 1);
  take_all(first.lease);
  Owner second(account, 90, 1);
  EXPECT_TRUE(second.lease.try_take(10));
  EXPECT_FALSE(second.lease.try_take(1));
  EXPECT_EQ(first.lease.held(), 90);
}

TEST(MemoryLease, IsRefusedWhereNobodyCanGive)
{
  MemoryAccount account(100);
  Owner first(account, 0, 1);
  take_all(first.lease);
  first.pinned = 100;
  Owner second(account, 10, 1);
  EXPECT_FALSE(second.lease.try_take(1));
  second.lease.take(1);
  EXPECT_EQ(account.used(), 101);
}

TEST(MemoryLease, IsAskedForNothingAfterEndReclaim)
{
  MemoryAccount account(100);
  Owner first(account, 0, 1);
  take_all(first.lease);
  first.lease.end_reclaim();
  Owner second(account, 0, 1);
  EXPECT_FALSE(second.lease.try_take(1));
  EXPECT_EQ(first.lease.held(), 100);
}

TEST(MemoryPart, IsGivenBackOnce)
{
  MemoryAccount& account = MemoryAccount::process();
  const std::int64_t before = account.used(MemoryUse::Lines);
  {
    MemoryPart first(MemoryUse::Lines);
    first.take(10);
    MemoryPart second(std::move(first));
    second.take(5);
    EXPECT_EQ(account.used(MemoryUse::Lines), before + 15);
  }
  EXPECT_EQ(account.used(MemoryUse::Lines), before);
}

TEST(DefaultBudget, IsBetweenItsBounds)
{
  EXPECT_GE(default_memory_budget(), 16 * kMiB);
  EXPECT_LE(default_memory_budget(), 2 * kGiB);
}

TEST(DefaultBudget, IsSharedByTheRanksOfANode)
{
  const std::int64_t alone = default_memory_budget();
  ::setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  const std::int64_t shared = default_memory_budget();
  ::unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  EXPECT_LE(shared, std::max(16 * kMiB, alone / 3)); // what is free may change between the two
}

} // namespace rivulet::test
