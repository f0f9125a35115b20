// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintFile.h"

#include "Support/TemporaryFolder.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

constexpr std::uint64_t kField = 7;

HintGraph way(std::int64_t first, std::int64_t count)
{
  HintGraph hints;
  for (std::int64_t i = first; i < first + count; ++i)
  {
    hints.add_hint({ 1, 2, i }, { 1, 2, i + 1 }, { 1, 2, i + 2 });
  }
  return hints;
}

std::vector<BrickKey> after(const HintGraph& hints, std::int64_t at)
{
  return hints.look({ 1, 2, at }, { 1, 2, at + 1 }, 1);
}

} // namespace

TEST(HintFile, KeepsEachHint)
{
  const Result<HintGraph> read = unpack_hints(pack_hints(way(3, 5), kField), kField);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 5U);
  EXPECT_THAT(after(*read, 4), testing::ElementsAre(BrickKey{ 1, 2, 6 }));
}

TEST(HintFile, RefusesEachDamagedByteAndEachMissingOne)
{
  const std::vector<std::byte> sound = pack_hints(way(3, 2), kField);
  for (std::size_t i = 0; i < sound.size(); ++i)
  {
    std::vector<std::byte> damaged = sound;
    damaged[i] ^= std::byte{ 1 };
    EXPECT_FALSE(unpack_hints(damaged, kField)) << i;
    EXPECT_FALSE(unpack_hints(std::span(sound).first(i), kField)) << i;
  }
}

TEST(HintFile, RefusesAnotherField)
{
  const Result<HintGraph> read = unpack_hints(pack_hints(way(3, 2), kField), kField + 1);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().what, testing::HasSubstr("another field"));
}

TEST(HintFile, AddsToWhatIsThere)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("folder/hints");
  EXPECT_EQ(read_hints(path, kField)->size(), 0U) << "no file, no hints";
  ASSERT_TRUE(merge_hints(path, kField, way(0, 3)));
  ASSERT_TRUE(merge_hints(path, kField, way(100, 3)));
  EXPECT_EQ(read_hints(path, kField)->size(), 6U);
}

TEST(HintFile, ReplacesAFileThatCannotBeUsed)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("hints");
  std::ofstream(path) << "something else";
  const Result<HintGraph> read = read_hints(path, kField);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path, path);
  ASSERT_TRUE(merge_hints(path, kField, way(0, 3)));
  EXPECT_EQ(read_hints(path, kField)->size(), 3U);
}

TEST(HintFile, LosesNothingWhenSeveralWriteAtOnce)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("hints");
  std::vector<std::thread> writers;
  for (std::int64_t i = 0; i < 6; ++i)
  {
    writers.emplace_back([&path, i] { EXPECT_TRUE(merge_hints(path, kField, way(1000 * i, 3))); });
  }
  for (std::thread& writer : writers)
  {
    writer.join();
  }
  EXPECT_EQ(read_hints(path, kField)->size(), 18U);
}

TEST(HintFile, GivesUpWhenAnotherHoldsTheLock)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("hints");
  ASSERT_TRUE(merge_hints(path, kField, way(0, 3)));
  const int other = ::open((path + ".lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const Result<void> merged = merge_hints(path, kField, way(100, 3));
  ::close(other);
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error().describe(), testing::HasSubstr("another process holds the lock"));
  EXPECT_EQ(read_hints(path, kField)->size(), way(0, 3).size());
}

TEST(HintFile, DoesNotMakeARemovedStoreAgain)
{
  const TemporaryFolder folder;
  const std::string store = folder.file("flow.rvs");
  EXPECT_FALSE(merge_hints(store + "/hints/flow.hints", 1, HintGraph()));
  EXPECT_FALSE(std::filesystem::exists(store));
}

TEST(HintFile, SaysThatAFolderCannotBeWritten)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "not a folder";
  EXPECT_FALSE(merge_hints(folder.file("file") + "/hints", kField, way(0, 1)));
}

} // namespace rivulet::test
