// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ReadProgress.h"

#include "Base/Bytes.h"

#include <cerrno>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kWanted = 5 * kPage;

/// Both ways to read: their rules differ only in where a read goes on.
class ReadProgressOf : public testing::TestWithParam<bool>
{
protected:
  ReadProgress progress{ GetParam() };
};

} // namespace

TEST_P(ReadProgressOf, AWholeAnswerIsDone)
{
  EXPECT_EQ(progress.judge(kWanted, kWanted), ReadProgress::Next::Done);
  EXPECT_EQ(progress.done(), kWanted);
  EXPECT_EQ(progress.error(), 0);
}

TEST_P(ReadProgressOf, PiecesOfWholePagesAddUp)
{
  EXPECT_EQ(progress.judge(kPage, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), kPage);
  EXPECT_EQ(progress.judge(2 * kPage, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), 3 * kPage);
  EXPECT_EQ(progress.judge(2 * kPage, kWanted), ReadProgress::Next::Done);
  EXPECT_EQ(progress.done(), kWanted);
}

TEST_P(ReadProgressOf, NeverSaysMoreThanWasWanted)
{
  EXPECT_EQ(progress.judge(kWanted + 100, kWanted), ReadProgress::Next::Done);
  EXPECT_EQ(progress.done(), kWanted);
}

TEST_P(ReadProgressOf, NothingIsTheEndOfTheFile)
{
  EXPECT_EQ(progress.judge(kPage, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.judge(0, kWanted), ReadProgress::Next::Done);
  EXPECT_EQ(progress.done(), kPage);
  EXPECT_EQ(progress.error(), 0);
}

TEST_P(ReadProgressOf, AnErrorIsKeptWithWhatWasThereBefore)
{
  EXPECT_EQ(progress.judge(kPage, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.judge(-EIO, kWanted), ReadProgress::Next::Failed);
  EXPECT_EQ(progress.error(), EIO);
  EXPECT_EQ(progress.done(), kPage);
}

TEST_P(ReadProgressOf, OtherErrorsThanNotNowFailAtOnce)
{
  for (const int error : { EINVAL, ENOMEM, ESTALE, ENODATA })
  {
    ReadProgress fresh(GetParam());
    EXPECT_EQ(fresh.judge(-error, kWanted), ReadProgress::Next::Failed);
    EXPECT_EQ(fresh.error(), error);
  }
}

TEST_P(ReadProgressOf, NotNowIsAskedAgainAHundredTimesAtMost)
{
  int asked = 1;
  while (progress.judge(-EAGAIN, kWanted) == ReadProgress::Next::Again)
  {
    ASSERT_LE(++asked, 1000);
  }
  EXPECT_EQ(asked, 100);
  EXPECT_EQ(progress.error(), EAGAIN);
}

TEST_P(ReadProgressOf, ProgressForgivesWhatCameBefore)
{
  for (int piece = 1; piece < 5; ++piece)
  {
    for (int attempt = 0; attempt < 99; ++attempt)
    {
      ASSERT_EQ(progress.judge(-EINTR, kWanted), ReadProgress::Next::Again);
    }
    ASSERT_EQ(progress.judge(kPage, kWanted), ReadProgress::Next::Again);
    ASSERT_EQ(progress.done(), piece * kPage);
  }
  EXPECT_EQ(progress.judge(kPage, kWanted), ReadProgress::Next::Done);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ReadProgressOf, testing::Bool(), [](const auto& way) { return way.param ? "DirectReads" : "BufferedReads"; });

TEST(ReadProgress, OfDirectReadsGoesOnAtWholePages)
{
  ReadProgress progress(true);
  EXPECT_EQ(progress.judge(kPage + 1, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), kPage);
  EXPECT_EQ(progress.judge(kPage - 1, kWanted), ReadProgress::Next::Again); // less than a page: no progress
  EXPECT_EQ(progress.done(), kPage);
  EXPECT_EQ(progress.judge(2 * kPage - 1, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), 2 * kPage);
}

TEST(ReadProgress, OfBufferedReadsGoesOnAtAnyByte)
{
  ReadProgress progress(false);
  EXPECT_EQ(progress.judge(kPage + 1, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), kPage + 1);
  EXPECT_EQ(progress.judge(1, kWanted), ReadProgress::Next::Again);
  EXPECT_EQ(progress.done(), kPage + 2);
}

/// The file ends within a page: the system answers with its last odd bytes whenever it is asked.
TEST(ReadProgress, OfDirectReadsEndsWhereTheFileEndsWithinAPage)
{
  ReadProgress progress(true);
  EXPECT_EQ(progress.judge(kPage + 700, kWanted), ReadProgress::Next::Again);
  int asked = 1;
  while (progress.judge(700, kWanted) == ReadProgress::Next::Again)
  {
    ASSERT_EQ(progress.done(), kPage);
    ASSERT_LE(++asked, 1000);
  }
  EXPECT_EQ(progress.done(), kPage + 700);
  EXPECT_EQ(progress.error(), 0);
}

} // namespace rivulet::test
