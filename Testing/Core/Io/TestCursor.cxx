// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Cursor.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>

namespace rivulet::hdf5
{

namespace
{

/// 1, 2, 3 ...
template <std::size_t Count>
std::array<std::byte, Count> numbered()
{
  std::array<std::byte, Count> bytes{};
  for (std::size_t i = 0; i < Count; ++i)
  {
    bytes[i] = static_cast<std::byte>(i + 1);
  }
  return bytes;
}

} // namespace

TEST(Cursor, ReadsLittleEndianNumbersOneAfterTheOther)
{
  const auto bytes = numbered<15>();
  Cursor cursor(bytes);
  EXPECT_EQ(cursor.u8(), 0x01U);
  EXPECT_EQ(cursor.u16(), 0x0302U);
  EXPECT_EQ(cursor.u32(), 0x07060504U);
  EXPECT_EQ(cursor.u64(), 0x0f0e0d0c0b0a0908U);
  EXPECT_EQ(cursor.left(), 0U);
  EXPECT_TRUE(cursor.ok()) << "all bytes were there";
}

TEST(Cursor, KeepsEveryBit)
{
  std::array<std::byte, 8> bytes{};
  bytes.fill(std::byte{ 0xff });
  EXPECT_EQ(Cursor(bytes).u8(), 0xffU);
  EXPECT_EQ(Cursor(bytes).u16(), 0xffffU);
  EXPECT_EQ(Cursor(bytes).u32(), 0xffffffffU);
  EXPECT_EQ(Cursor(bytes).u64(), std::numeric_limits<std::uint64_t>::max());
}

TEST(Cursor, TakesAndSkipsBytes)
{
  const auto bytes = numbered<9>();
  Cursor cursor(bytes);
  cursor.skip(2);
  const std::span<const std::byte> taken = cursor.take(3);
  EXPECT_EQ(taken.data(), bytes.data() + 2) << "without a copy";
  EXPECT_EQ(taken.size(), 3U);
  EXPECT_EQ(cursor.left(), 4U);
  EXPECT_EQ(cursor.u8(), 6U);
  EXPECT_TRUE(cursor.ok());
}

/// Half a number is none, and the bytes of it are no other number.
TEST(Cursor, GivesZerosFromTheFirstMissingByteOn)
{
  const auto bytes = numbered<7>();
  Cursor cursor(bytes);
  EXPECT_EQ(cursor.u32(), 0x04030201U);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.u32(), 0U);
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.left(), 0U);
  EXPECT_EQ(cursor.u8(), 0U);
  EXPECT_TRUE(cursor.take(1).empty());
  EXPECT_FALSE(cursor.ok()) << "nothing makes it good again";
}

TEST(Cursor, KnowsThatTooMuchWasSkippedHoweverMuch)
{
  const auto bytes = numbered<4>();
  for (const std::size_t count : { std::size_t{ 5 }, std::numeric_limits<std::size_t>::max() })
  {
    Cursor cursor(bytes);
    cursor.skip(1);
    cursor.skip(count);
    EXPECT_FALSE(cursor.ok()) << count;
    EXPECT_EQ(cursor.left(), 0U);
  }
}

TEST(Cursor, OfNoBytesIsGoodUntilItIsAskedForOne)
{
  Cursor cursor({});
  EXPECT_TRUE(cursor.take(0).empty());
  cursor.skip(0);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.u8(), 0U);
  EXPECT_FALSE(cursor.ok());
}

} // namespace rivulet::hdf5
