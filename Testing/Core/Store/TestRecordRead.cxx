// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordRead.h"

#include <array>
#include <cerrno>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kStride = 8192;

class Reads : public testing::Test
{
protected:
  Reads()
  {
    for (std::size_t i = 0; i < slots.size(); ++i)
    {
      slots[i].data = memory[i].data();
    }
  }
  RecordRead::Brick brick(std::int64_t number, std::size_t slot)
  {
    return { { { 0, 0, number }, number }, number * kStride, &slots[slot], slots[slot].data };
  }
  std::int64_t bytes_of(const FileRead& read)
  {
    std::int64_t sum = 0;
    for (const iovec& part : read.parts)
    {
      sum += static_cast<std::int64_t>(part.iov_len);
    }
    return sum;
  }

  std::array<std::array<std::byte, kStride>, 3> memory{};
  std::array<Slot, 3> slots;
};

} // namespace

TEST_F(Reads, NameRecordsAndTheGapsBetween)
{
  RecordRead read(2, kStride, true);
  read.add_behind(brick(5, 0));
  read.add_behind(brick(7, 1));
  read.add_before(brick(4, 2));
  const FileRead& prepared = read.prepare();
  EXPECT_EQ(prepared.file, 2);
  EXPECT_EQ(prepared.offset, 4 * kStride);
  ASSERT_EQ(prepared.parts.size(), 4U);
  EXPECT_EQ(prepared.parts[0].iov_base, slots[2].data);
  EXPECT_EQ(prepared.parts[2].iov_base, nullptr);
  EXPECT_EQ(bytes_of(prepared), 4 * kStride);
  EXPECT_EQ(read.gaps(), kStride);
  EXPECT_FALSE(prepared.same_memory);
}

TEST_F(Reads, AreDoneWhenAllBytesAreThere)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  EXPECT_TRUE(read.prepare().same_memory);
  EXPECT_EQ(read.judge(kStride), RecordRead::Next::Done);
  EXPECT_TRUE(read.outcome(read.bricks()[0], "f.rvf"));
}

TEST_F(Reads, GoOnAtWholePagesAfterAShortAnswer)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(5000), RecordRead::Next::Again);
  const FileRead& rest = read.prepare();
  EXPECT_EQ(rest.offset, kStride + 4096);
  EXPECT_EQ(rest.parts[0].iov_base, slots[0].data + 4096);
  EXPECT_EQ(bytes_of(rest), kStride - 4096);
  EXPECT_FALSE(rest.same_memory);
}

TEST_F(Reads, GoOnAtAnyByteThroughThePageCache)
{
  RecordRead read(0, kStride, false);
  read.add_behind(brick(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(5000), RecordRead::Next::Again);
  EXPECT_EQ(read.prepare().offset, kStride + 5000);
}

TEST_F(Reads, ComeAgainWhenTheSystemIsBusyButNotForEver)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  int attempts = 0;
  while (attempts < 1000 && read.judge(attempts % 2 == 0 ? -EAGAIN : -EINTR) == RecordRead::Next::Again)
  {
    read.prepare();
    ++attempts;
  }
  EXPECT_GT(attempts, 10);
  EXPECT_LT(attempts, 1000);
  const Result<void> outcome = read.outcome(read.bricks()[0], "f.rvf");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotRead);
}

TEST_F(Reads, SplitAfterAnErrorSoThatEachBrickSpeaksForItself)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  read.add_behind(brick(2, 1));
  read.prepare();
  EXPECT_EQ(read.judge(-EIO), RecordRead::Next::Split);
}

TEST_F(Reads, SayWhereTheFirstByteIsMissing)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(-EIO), RecordRead::Next::Done);
  const Result<void> outcome = read.outcome(read.bricks()[0], "f.rvf");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotRead);
  EXPECT_EQ(outcome.error().path, "f.rvf");
  EXPECT_EQ(outcome.error().offset, kStride);
  EXPECT_EQ(outcome.error().sys_errno, EIO);
}

TEST_F(Reads, TellBricksBeforeTheEndOfTheFileFromThoseBehind)
{
  RecordRead read(0, kStride, true);
  read.add_behind(brick(1, 0));
  read.add_behind(brick(2, 1));
  read.prepare();
  EXPECT_EQ(read.judge(kStride + 100), RecordRead::Next::Again);
  read.prepare();
  // At the end of the file a direct read answers the odd bytes again and again.
  RecordRead::Next next = RecordRead::Next::Again;
  for (int turn = 0; turn < 1000 && next == RecordRead::Next::Again; ++turn)
  {
    next = read.judge(100);
    read.prepare();
  }
  EXPECT_EQ(next, RecordRead::Next::Done);
  EXPECT_TRUE(read.outcome(read.bricks()[0], "f.rvf"));
  const Result<void> outcome = read.outcome(read.bricks()[1], "f.rvf");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::Truncated);
  EXPECT_EQ(outcome.error().offset, 2 * kStride + 100);
}

} // namespace rivulet::test
