// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordFlags.h"

#include <gtest/gtest.h>

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

} // namespace rivulet::test
