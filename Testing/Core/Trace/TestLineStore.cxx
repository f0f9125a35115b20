// SPDX-License-Identifier: BSD-3-Clause
// Records of points in blocks, in which each part of all records lies together.
#include "Trace/Kernel/LineStore.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

constexpr std::int32_t kBlock = 4;

/// All records that a store can have, by what they keep.
class LineRecords : public testing::TestWithParam<int>
{
protected:
  LineRecords()
    : layout_(RecordLayout::make(static_cast<VelocityRecord>(GetParam() % 3), (GetParam() / 3 & 1) != 0,
          (GetParam() / 3 & 2) != 0, (GetParam() / 3 & 4) != 0))
    , store_(layout_, std::make_shared<LineRoom>(1.0), kBlock)
  {
  }
  /// The bytes of a record: no two records of a test have the same, nor two bytes that are near each other.
  [[nodiscard]] std::vector<std::byte> record(int number) const
  {
    std::vector<std::byte> bytes(static_cast<std::size_t>(layout_.bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
      bytes[i] = static_cast<std::byte>(static_cast<std::size_t>(number) * 37 + i);
    }
    return bytes;
  }

  RecordLayout layout_;
  LineStore store_;
};

} // namespace

TEST_P(LineRecords, HavePartsWithoutGaps)
{
  std::int32_t end = 0;
  for (const RecordPart& part : layout_.parts())
  {
    EXPECT_EQ(part.at, end);
    EXPECT_GT(part.bytes, 0);
    end += part.bytes;
  }
  EXPECT_EQ(end, layout_.bytes);
}

TEST_P(LineRecords, AreReadAsTheyWereWritten)
{
  std::array<PointChain, 2> chains;
  std::array<LineCursor, 2> cursors;
  for (int number = 0; number < 22; ++number)
  {
    const std::size_t which = number % 3 == 0 ? 1 : 0;
    ASSERT_TRUE(store_.make_room(1));
    store_.write(store_.append(chains[which], cursors[which]), record(number).data());
  }
  std::array<std::vector<std::vector<std::byte>>, 2> found;
  for (std::size_t which = 0; which < 2; ++which)
  {
    store_.close(chains[which], cursors[which]);
    for (const PointBlock* block = chains[which].head; block != nullptr; block = block->next)
    {
      for (std::int32_t row = 0; row < block->used; ++row)
      {
        found[which].emplace_back(static_cast<std::size_t>(layout_.bytes));
        store_.read(*block, row, found[which].back().data());
      }
    }
    EXPECT_EQ(static_cast<std::int64_t>(found[which].size()), chains[which].points);
  }
  std::array<std::size_t, 2> next{ 0, 0 };
  for (int number = 0; number < 22; ++number)
  {
    const std::size_t which = number % 3 == 0 ? 1 : 0;
    ASSERT_EQ(found[which].at(next[which]++), record(number)) << number;
  }
}

/// As a recorder writes them, and as they are copied to arrays.
TEST_P(LineRecords, HaveTheValuesOfAPartTogether)
{
  PointChain chain;
  LineCursor cursor;
  ASSERT_TRUE(store_.make_room(1));
  for (int number = 0; number < kBlock; ++number)
  {
    store_.write(store_.append(chain, cursor), record(number).data());
  }
  store_.close(chain, cursor);
  for (const RecordPart& part : layout_.parts())
  {
    for (int number = 0; number < kBlock; ++number)
    {
      EXPECT_EQ(std::memcmp(chain.head->part(part.at) + std::ptrdiff_t{ part.bytes } * number,
                    record(number).data() + part.at, static_cast<std::size_t>(part.bytes)),
          0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kept, LineRecords, testing::Range(0, 24));

} // namespace rivulet::test
