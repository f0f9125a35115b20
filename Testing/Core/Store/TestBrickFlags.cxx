// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/BrickFlags.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <thread>
#include <vector>

namespace rivulet::test
{

TEST(BrickFlags, AreKeptApart)
{
  BrickFlags flags(100);
  EXPECT_TRUE(flags.set(17, BrickFlags::kResident));
  EXPECT_TRUE(flags.set(17, BrickFlags::kFailed));
  EXPECT_FALSE(flags.set(17, BrickFlags::kFailed));
  EXPECT_EQ(flags.get(17), BrickFlags::kResident | BrickFlags::kFailed);
  EXPECT_EQ(flags.get(16) | flags.get(18), 0U);
}

TEST(BrickFlags, AreClearedOnce)
{
  BrickFlags flags(100);
  flags.set(99, BrickFlags::kResident | BrickFlags::kChecked);
  EXPECT_TRUE(flags.clear(99, BrickFlags::kResident));
  EXPECT_FALSE(flags.clear(99, BrickFlags::kResident));
  EXPECT_EQ(flags.get(99), BrickFlags::kChecked);
}

TEST(BrickFlags, SkipWhatHasNone)
{
  BrickFlags flags(1000);
  flags.set(555, BrickFlags::kChecked);
  EXPECT_LE(flags.skip_empty(0), 555);
  EXPECT_GT(flags.skip_empty(0), 540);
  EXPECT_EQ(flags.skip_empty(600), 1000);
}

TEST(BrickFlags, SkipNoRecordThatHasOne)
{
  for (const std::int64_t count : { 1, 7, 8, 9, 64, 1001 })
  {
    for (std::int64_t number = 0; number < count; number += 1 + count / 20)
    {
      BrickFlags flags(count);
      flags.set(number, BrickFlags::kFailed);
      for (std::int64_t from = 0; from <= count; from += 1 + count / 20)
      {
        const std::int64_t next = flags.skip_empty(from);
        EXPECT_GE(next, from);
        EXPECT_LE(next, count);
        EXPECT_TRUE(from > number || next <= number) << from << " to " << next << " over " << number;
      }
    }
  }
}

TEST(BrickFlags, AreNoneAtFirst)
{
  const BrickFlags flags(20);
  EXPECT_EQ(flags.count(), 20);
  for (std::int64_t number = 0; number < 20; ++number)
  {
    EXPECT_EQ(flags.get(number), 0U);
  }
  EXPECT_EQ(flags.skip_empty(0), 20);
}

/// Neighbours share a word.
TEST(BrickFlags, AreSetByOneThreadOnlyThoughManyTry)
{
  constexpr std::int64_t kCount = 4000;
  BrickFlags flags(kCount);
  std::atomic<std::int64_t> set{ 0 };
  std::atomic<std::int64_t> cleared{ 0 };
  for (const bool setting : { true, false })
  {
    std::vector<std::jthread> team;
    for (int thread = 0; thread < 4; ++thread)
    {
      team.emplace_back(
          [&]
          {
            for (std::int64_t number = 0; number < kCount; ++number)
            {
              set += setting && flags.set(number, BrickFlags::kChecked) ? 1 : 0;
              cleared += !setting && flags.clear(number, BrickFlags::kChecked) ? 1 : 0;
            }
          });
    }
  }
  EXPECT_EQ(set, kCount);
  EXPECT_EQ(cleared, kCount);
  EXPECT_EQ(flags.skip_empty(0), kCount);
}

TEST(BrickFlags, CannotBeOfMoreRecordsThanThereAreAddresses)
{
  EXPECT_THROW(BrickFlags flags(std::int64_t{ 1 } << 60), std::bad_alloc);
}

} // namespace rivulet::test
