// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

TEST(Bytes, AreWrittenWithTheLargestUnitThatFits)
{
  EXPECT_EQ(format_bytes(12), "12 B");
  EXPECT_EQ(format_bytes(128 * kMiB), "128 MiB");
  EXPECT_EQ(format_bytes(kGiB + kGiB / 2), "1.5 GiB");
  EXPECT_EQ(format_bytes(5000 * 1024 * kGiB), "5000 TiB");
}

TEST(Bytes, AreReadInEitherUnit)
{
  EXPECT_EQ(parse_bytes("4096").value_or(-1), 4096);
  EXPECT_EQ(parse_bytes("1.5GiB").value_or(-1), kGiB + kGiB / 2);
  EXPECT_EQ(parse_bytes("128 MiB").value_or(-1), 128 * kMiB);
  EXPECT_EQ(parse_bytes("2k").value_or(-1), 2048);
  EXPECT_EQ(parse_bytes("2MB").value_or(-1), 2000000);
  EXPECT_EQ(parse_bytes("0").value_or(-1), 0);
}

TEST(Bytes, AreRefusedWhereTheyMakeNoSense)
{
  for (const char* text : { "", "MiB", "-1", "1 XB", "12 MiBs", "nan", "1e30", "inf" })
  {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(Bytes, AreReadAsTheyAreWritten)
{
  for (const std::int64_t bytes : { std::int64_t{ 1 }, 3 * kKiB, 7 * kMiB, 5 * kGiB })
  {
    EXPECT_EQ(parse_bytes(format_bytes(bytes)).value_or(-1), bytes);
  }
}

TEST(Bytes, RoundUpToWholePages)
{
  EXPECT_EQ(round_up(0, kPage), 0);
  EXPECT_EQ(round_up(1, kPage), kPage);
  EXPECT_EQ(round_up(kPage, kPage), kPage);
}

} // namespace rivulet::test
