// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintBook.h"

#include "Store/Hints/HintFile.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::uint64_t kField = 7;

HintGraph some()
{
  HintGraph hints;
  hints.add_hint(HintGraph::kNoBrick, { 0, 0, 1 }, { 0, 0, 2 });
  return hints;
}

} // namespace

TEST(HintBook, KeepsWhatWasLearntForTheNextRunAndTheNextBook)
{
  const TemporaryFolder folder;
  {
    HintBook book(folder.file("hints"), kField);
    const std::shared_ptr<const HintGraph> before = book.known();
    book.learn(some());
    EXPECT_EQ(before->size(), 0U) << "a run's graph does not change under it";
    EXPECT_EQ(book.known()->size(), 1U);
  }
  const HintBook again(folder.file("hints"), kField);
  EXPECT_EQ(again.known()->size(), 1U);
  EXPECT_THAT(again.notice(), testing::IsEmpty());
}

TEST(HintBook, LeavesNoFileWhenNothingWasLearnt)
{
  const TemporaryFolder folder;
  {
    HintBook book(folder.file("hints"), kField);
    book.learn({});
  }
  EXPECT_FALSE(std::ifstream(folder.file("hints")).is_open());
}

TEST(HintBook, IgnoresADamagedFileWithANotice)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("hints")) << "damaged";
  const HintBook book(folder.file("hints"), kField);
  EXPECT_EQ(book.known()->size(), 0U);
  EXPECT_THAT(book.notice(), testing::HasSubstr(folder.file("hints")));
}

} // namespace rivulet::test
