// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordFlags.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <thread>
#include <vector>

namespace rivulet::test
{

TEST(RecordFlags, AreKeptApart)
{
  RecordFlags flags(100);
  EXPECT_TRUE(flags.set(17, RecordFlags::kResident));
  EXPECT_TRUE(flags.set(17, RecordFlags::kFailed));
  EXPECT_FALSE(flags.set(17, RecordFlags::kFailed));
  EXPECT_EQ(flags.get(17), RecordFlags::kResident | RecordFlags::kFailed);
  EXPECT_EQ(flags.get(16) | flags.get(18), 0U);
}

TEST(RecordFlags, AreClearedOnce)
{
  RecordFlags flags(100);
  flags.set(99, RecordFlags::kResident | RecordFlags::kVerified);
  EXPECT_TRUE(flags.clear(99, RecordFlags::kResident));
  EXPECT_FALSE(flags.clear(99, RecordFlags::kResident));
  EXPECT_EQ(flags.get(99), RecordFlags::kVerified);
}

TEST(RecordFlags, SkipWhatHasNone)
{
  RecordFlags flags(1000);
  flags.set(555, RecordFlags::kVerified);
  EXPECT_LE(flags.skip_empty(0), 555);
  EXPECT_GT(flags.skip_empty(0), 540);
  EXPECT_EQ(flags.skip_empty(600), 1000);
}

TEST(RecordFlags, SkipNoRecordThatHasOne)
{
  for (const std::int64_t count : { 1, 7, 8, 9, 64, 1001 })
  {
    for (std::int64_t number = 0; number < count; number += 1 + count / 20)
    {
      RecordFlags flags(count);
      flags.set(number, RecordFlags::kFailed);
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

TEST(RecordFlags, AreNoneAtFirst)
{
  const RecordFlags flags(20);
  EXPECT_EQ(flags.count(), 20);
  for (std::int64_t number = 0; number < 20; ++number)
  {
    EXPECT_EQ(flags.get(number), 0U);
  }
  EXPECT_EQ(flags.skip_empty(0), 20);
}

/// Neighbours share a word.
TEST(RecordFlags, AreSetByOneThreadOnlyThoughManyTry)
{
  constexpr std::int64_t kCount = 4000;
  RecordFlags flags(kCount);
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
              set += setting && flags.set(number, RecordFlags::kVerified) ? 1 : 0;
              cleared += !setting && flags.clear(number, RecordFlags::kVerified) ? 1 : 0;
            }
          });
    }
  }
  EXPECT_EQ(set, kCount);
  EXPECT_EQ(cleared, kCount);
  EXPECT_EQ(flags.skip_empty(0), kCount);
}

TEST(RecordFlags, CannotBeOfMoreRecordsThanThereAreAddresses)
{
  EXPECT_THROW(RecordFlags flags(std::int64_t{ 1 } << 60), std::bad_alloc);
}

} // namespace rivulet::test
