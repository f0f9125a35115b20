// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/PublishFile.h"
#include "Io/Writes/TemporaryPlace.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

void write(const std::string& path, const std::string& text)
{
  std::ofstream(path) << text;
}

std::string text_of(const std::string& path)
{
  std::ifstream file(path);
  return { std::istreambuf_iterator<char>(file), {} };
}

std::size_t count_in(const TemporaryFolder& folder)
{
  const std::filesystem::directory_iterator entries(folder.path());
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

class TakingNames : public testing::TestWithParam<NamePolicy>
{
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    InEveryWay, TakingNames, testing::Values(NamePolicy::Rename, NamePolicy::Link, NamePolicy::Claim));

TEST_P(TakingNames, GivesAFreeName)
{
  const TemporaryFolder folder;
  write(folder.file("new"), "new");
  ASSERT_TRUE(publish_file(folder.file("new"), folder.file("name"), OnExisting::Keep, GetParam()));
  EXPECT_EQ(text_of(folder.file("name")), "new");
  EXPECT_EQ(count_in(folder), 1U);
}

TEST_P(TakingNames, KeepsTheFileThatHasTheName)
{
  const TemporaryFolder folder;
  write(folder.file("new"), "new");
  write(folder.file("name"), "old");
  const Result<void> taken = publish_file(folder.file("new"), folder.file("name"), OnExisting::Keep, GetParam());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(taken.error().path, folder.file("name"));
  EXPECT_EQ(text_of(folder.file("name")), "old");
  EXPECT_EQ(text_of(folder.file("new")), "new");
}

TEST_P(TakingNames, KeepsALinkThatLeadsNowhere)
{
  const TemporaryFolder folder;
  write(folder.file("new"), "new");
  std::filesystem::create_symlink("nowhere", folder.file("name"));
  EXPECT_FALSE(publish_file(folder.file("new"), folder.file("name"), OnExisting::Keep, GetParam()));
  EXPECT_FALSE(std::filesystem::exists(folder.file("nowhere")));
}

TEST_P(TakingNames, ReplacesWhenItIsToldTo)
{
  const TemporaryFolder folder;
  write(folder.file("new"), "new");
  write(folder.file("name"), "old");
  ASSERT_TRUE(publish_file(folder.file("new"), folder.file("name"), OnExisting::Replace, GetParam()));
  EXPECT_EQ(text_of(folder.file("name")), "new");
}

namespace
{

class ExchangingNames : public testing::TestWithParam<ExchangeWay>
{
protected:
  ExchangingNames()
  {
    for (const char* name : { "new", "name" })
    {
      std::filesystem::create_directory(folder.file(name));
      write(folder.file(name) + "/which", name);
    }
  }
  Result<void> exchange()
  {
    return exchange_names(folder.file("new"), folder.file("name"), folder.file("aside"), GetParam());
  }

  TemporaryFolder folder;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(InEveryWay, ExchangingNames, testing::Values(ExchangeWay::AtOnce, ExchangeWay::InTurn));

TEST_P(ExchangingNames, GivesEachFolderTheNameOfTheOther)
{
  ASSERT_TRUE(exchange());
  EXPECT_EQ(text_of(folder.file("name") + "/which"), "new");
  EXPECT_EQ(text_of(folder.file("new") + "/which"), "name");
  EXPECT_EQ(count_in(folder), 2U);
}

TEST_P(ExchangingNames, GivesAFreeName)
{
  std::filesystem::remove_all(folder.file("name"));
  ASSERT_TRUE(exchange());
  EXPECT_EQ(text_of(folder.file("name") + "/which"), "new");
  EXPECT_EQ(count_in(folder), 1U);
}

TEST_P(ExchangingNames, LeavesBothWhereItFails)
{
  std::filesystem::remove_all(folder.file("new"));
  const Result<void> refused = exchange();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(text_of(folder.file("name") + "/which"), "name");
  EXPECT_EQ(count_in(folder), 1U);
}

TEST(TemporaryPlace, IsRemovedWithAllThatIsInItUnlessItIsForgotten)
{
  const TemporaryFolder folder;
  {
    Result<TemporaryPlace> file = TemporaryPlace::file(folder.file("flow.rvf"));
    Result<TemporaryPlace> place = TemporaryPlace::folder(folder.file("flow.bov"));
    ASSERT_TRUE(file && place);
    write(place->path() + "/a", "a");
    EXPECT_EQ(count_in(folder), 2U);
    ASSERT_TRUE(publish_file(file->path(), folder.file("flow.rvf"), OnExisting::Keep));
    file->forget();
  }
  EXPECT_EQ(count_in(folder), 1U);
}

TEST(TemporaryPlace, OfALivingWriterIsLeftAlone)
{
  const TemporaryFolder folder;
  const Result<TemporaryPlace> first = TemporaryPlace::file(folder.file("flow.rvf"));
  const Result<TemporaryPlace> second = TemporaryPlace::file(folder.file("flow.rvf"));
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(std::filesystem::exists(first->path()));
  EXPECT_TRUE(remove_abandoned_places(folder.file("flow.rvf")).removed.empty());
  EXPECT_TRUE(remove_abandoned_places(folder.file("flow.rvf")).left.empty());
}

TEST(TemporaryPlace, TakesNoFileForItsOwnThatIsNamedDifferently)
{
  const TemporaryFolder folder;
  for (const char* name : { ".flow.rvf.tmp-", ".flow.rvf.tmp-notes", ".flow.rvf.tmp-12-0123456-01234567", "flow.rvf",
           ".flow.rvf.tmp-12-01234567-0123456x", ".flow.rvf2.tmp-12-01234567-01234567" })
  {
    write(folder.file(name), "mine");
  }
  const AbandonedPlaces found = remove_abandoned_places(folder.file("flow.rvf"));
  EXPECT_TRUE(found.removed.empty() && found.left.empty());
  EXPECT_EQ(count_in(folder), 6U);
}

TEST(TemporaryPlace, OfALongNameIsStillFound)
{
  const TemporaryFolder folder;
  const std::string name(240, 'n');
  const Result<TemporaryPlace> place = TemporaryPlace::file(folder.file(name));
  ASSERT_TRUE(place);
  std::filesystem::copy_file(place->path(), place->path().substr(0, place->path().size() - 8) + "01234567");
  EXPECT_EQ(remove_abandoned_places(folder.file(name)).removed.size(), 1U);
}

} // namespace rivulet::test
