// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/MemoryPool.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

TEST(MemoryPool, AddsUpAndRemembersThePeak)
{
  MemoryPool& pool = MemoryPool::process();
  const std::int64_t before = pool.used();
  ASSERT_TRUE(pool.try_take(5 * kGiB));
  pool.take(kGiB);
  EXPECT_EQ(pool.used(), before + 6 * kGiB);
  pool.give_back(6 * kGiB);
  EXPECT_EQ(pool.used(), before);
  EXPECT_GE(pool.peak(), before + 6 * kGiB);
}

TEST(MemoryPool, LosesNothingBetweenThreads)
{
  MemoryPool& pool = MemoryPool::process();
  const std::int64_t before = pool.used();
  std::vector<std::jthread> team;
  for (int i = 0; i < 4; ++i)
  {
    team.emplace_back(
        [&]
        {
          for (int n = 0; n < 1000 && pool.try_take(3); ++n)
          {
            pool.give_back(2);
          }
        });
  }
  team.clear();
  EXPECT_EQ(pool.used(), before + 4000);
  pool.give_back(4000);
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
