// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/BrickFlags.h"

#include <gtest/gtest.h>

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

} // namespace rivulet::test
