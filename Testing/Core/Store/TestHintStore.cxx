// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintStore.h"

#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreWriter.h"
#include "Store/Hints/HintFile.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(HintStore, KeepsWhatWasLearntForTheNextRunAndTheNextBook)
{
  const TemporaryFolder folder;
  {
    HintStore book(folder.file("hints"), kField);
    const std::shared_ptr<const HintGraph> before = book.known();
    book.learn(some());
    EXPECT_EQ(before->size(), 0U) << "a run's graph does not change under it";
    EXPECT_EQ(book.known()->size(), 1U);
  }
  const HintStore again(folder.file("hints"), kField);
  EXPECT_EQ(again.known()->size(), 1U);
  EXPECT_THAT(again.notice(), testing::IsEmpty());
}

TEST(HintStore, LeavesNoFileWhenNothingWasLearnt)
{
  const TemporaryFolder folder;
  {
    HintStore book(folder.file("hints"), kField);
    book.learn({});
  }
  EXPECT_FALSE(std::ifstream(folder.file("hints")).is_open());
}

TEST(HintStore, IgnoresADamagedFileWithANotice)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("hints")) << "damaged";
  const HintStore book(folder.file("hints"), kField);
  EXPECT_EQ(book.known()->size(), 0U);
  EXPECT_THAT(book.notice(), testing::HasSubstr(folder.file("hints")));
}

TEST(HintStore, UsesTheHintsOfAnotherFileAndLeavesThemAsTheyAre)
{
  const TemporaryFolder folder;
  ASSERT_TRUE(merge_hints(folder.file("given"), kField, some()));
  const auto size = std::filesystem::file_size(folder.file("given"));
  {
    HintStore book(folder.file("hints"), kField, folder.file("given"));
    EXPECT_EQ(book.known()->size(), 1U);
    HintGraph more;
    more.add_hint({ 0, 0, 1 }, { 0, 0, 2 }, { 0, 0, 3 });
    book.learn(more);
    EXPECT_EQ(book.known()->size(), 2U);
  }
  EXPECT_EQ(std::filesystem::file_size(folder.file("given")), size);
  EXPECT_EQ(read_hints(folder.file("hints"), kField)->size(), 1U) << "only the hints of this book are written";
}

TEST(HintStore, OfAStoreLiesInItsFolder)
{
  const TemporaryFolder folder;
  const std::string store = folder.file("flow.rvs");
  Result<std::unique_ptr<StoreWriter>> writer = StoreWriter::open(store, {});
  ASSERT_TRUE(writer);
  const std::string user = user_hints_folder();
  for (const std::string& path : { store, store_description(store) })
  {
    EXPECT_EQ(hint_folders(path).kept, store + "/hints");
    EXPECT_EQ(hint_folders(path).more, user);
  }
  EXPECT_EQ(hint_folders(folder.file("flow.rvf")).kept, user);
  EXPECT_EQ(hint_folders(folder.file("flow.rvf")).more, "");
  ASSERT_TRUE(merge_hints(store + "/hints/0007", kField, some()));
  writer->reset();
  EXPECT_TRUE(StoreFolder::open(store)->steps.empty()) << "the folder of hints is no step";
  ASSERT_TRUE((*StoreWriter::open(store, { .start = StoreStart::Replace }))->publish());
  EXPECT_FALSE(std::filesystem::exists(store + "/hints"));
}

TEST(HintStore, OfAStoreThatCannotBeWrittenLiesInTheUsersFolder)
{
  if (::geteuid() == 0)
  {
    GTEST_SKIP() << "root may write everything";
  }
  const TemporaryFolder folder;
  const std::string store = folder.file("flow.rvs");
  const Result<std::unique_ptr<StoreWriter>> writer = StoreWriter::open(store, {});
  ASSERT_TRUE(writer);
  std::filesystem::permissions(store, std::filesystem::perms(0555));
  EXPECT_EQ(hint_folders(store).kept, user_hints_folder());
  EXPECT_EQ(hint_folders(store).more, store + "/hints");
  std::filesystem::permissions(store, std::filesystem::perms(0755));
}

} // namespace rivulet::test
