// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ExtentRead.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kStride = 8192;

class ReadScheduler : public testing::Test
{
protected:
  ReadScheduler()
  {
    std::ofstream{ path };
    std::filesystem::resize_file(path, 16 * kStride);
    for (BrickLoad& load : loads)
    {
      load.extents.resize(1);
    }
  }
  [[nodiscard]] ExtentRead read_of(bool direct) const { return { *DataFile::open(path), direct }; }
  ExtentRead::Piece piece(std::int64_t number, std::size_t slot)
  {
    return { &loads[slot], 0, number * kStride, kStride, kStride, memory[slot].data(), false };
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
  std::array<BrickLoad, 3> loads{};
  TemporaryFolder folder;
  std::string path = folder.file("f.rvf");
};

} // namespace

TEST_F(ReadScheduler, NameRecordsAndTheGapsBetween)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(5, 0));
  read.add_behind(piece(7, 1));
  read.add_before(piece(4, 2));
  const FileRead& prepared = read.prepare();
  EXPECT_EQ(prepared.descriptor, read.data_file()->descriptor());
  EXPECT_EQ(prepared.offset, 4 * kStride);
  ASSERT_EQ(prepared.parts.size(), 4U);
  EXPECT_EQ(prepared.parts[0].iov_base, memory[2].data());
  EXPECT_EQ(prepared.parts[2].iov_base, nullptr);
  EXPECT_EQ(bytes_of(prepared), 4 * kStride);
  EXPECT_EQ(read.gaps(), kStride);
}

TEST_F(ReadScheduler, AreDoneWhenAllBytesAreThere)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(kStride), ExtentRead::Next::Done);
  EXPECT_TRUE(read.outcome(read.pieces()[0]));
}

TEST_F(ReadScheduler, GoOnAtWholePagesAfterAShortAnswer)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(5000), ExtentRead::Next::Again);
  const FileRead& rest = read.prepare();
  EXPECT_EQ(rest.offset, kStride + 4096);
  EXPECT_EQ(rest.parts[0].iov_base, memory[0].data() + 4096);
  EXPECT_EQ(bytes_of(rest), kStride - 4096);
}

TEST_F(ReadScheduler, GoOnAtAnyByteThroughThePageCache)
{
  ExtentRead read = read_of(false);
  read.add_behind(piece(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(5000), ExtentRead::Next::Again);
  EXPECT_EQ(read.prepare().offset, kStride + 5000);
}

TEST_F(ReadScheduler, ComeAgainWhenTheSystemIsBusyButNotForEver)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  int attempts = 0;
  while (attempts < 1000 && read.judge(attempts % 2 == 0 ? -EAGAIN : -EINTR) == ExtentRead::Next::Again)
  {
    read.prepare();
    ++attempts;
  }
  EXPECT_GT(attempts, 10);
  EXPECT_LT(attempts, 1000);
  const Result<void> outcome = read.outcome(read.pieces()[0]);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotRead);
}

TEST_F(ReadScheduler, SplitAfterAnErrorSoThatEachBrickSpeaksForItself)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  read.add_behind(piece(2, 1));
  read.prepare();
  EXPECT_EQ(read.judge(-EIO), ExtentRead::Next::Split);
}

TEST_F(ReadScheduler, SayWhereTheFirstByteIsMissing)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  read.prepare();
  EXPECT_EQ(read.judge(-EIO), ExtentRead::Next::Done);
  const Result<void> outcome = read.outcome(read.pieces()[0]);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotRead);
  EXPECT_EQ(outcome.error().path, path);
  EXPECT_EQ(outcome.error().offset, kStride);
  EXPECT_EQ(outcome.error().sys_errno, EIO);
}

TEST_F(ReadScheduler, TellBricksBeforeTheEndOfTheFileFromThoseBehind)
{
  ExtentRead read = read_of(true);
  read.add_behind(piece(1, 0));
  read.add_behind(piece(2, 1));
  read.prepare();
  EXPECT_EQ(read.judge(kStride + 100), ExtentRead::Next::Again);
  read.prepare();
  // At the end of the file a direct read answers the odd bytes again and again.
  ExtentRead::Next next = ExtentRead::Next::Again;
  for (int turn = 0; turn < 1000 && next == ExtentRead::Next::Again; ++turn)
  {
    next = read.judge(100);
    read.prepare();
  }
  EXPECT_EQ(next, ExtentRead::Next::Done);
  EXPECT_TRUE(read.outcome(read.pieces()[0]));
  const Result<void> outcome = read.outcome(read.pieces()[1]);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::Truncated);
  EXPECT_EQ(outcome.error().offset, 2 * kStride + 100);
}

} // namespace rivulet::test
