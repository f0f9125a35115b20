// SPDX-License-Identifier: BSD-3-Clause
// Files that are opened more than once must stay the same; checksums of their ranges; identities of new ones.
#include "Base/Bytes.h"
#include "Io/Files/FileChangeGuard.h"
#include "Io/Files/FileHash.h"
#include "Io/Writes/RandomUuid.h"
#include "Support/TemporaryFolder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <thread>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;

struct FileChangeGuardOf : testing::Test
{
  TemporaryFolder folder;
  std::string path = folder.file("flow.raw");

  FileChangeGuardOf() { write("the first contents"); }

  void write(const std::string& text) const { std::ofstream(path) << text; }
  /// Times of files advance in ticks.
  static void wait_for_a_tick() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }
};

TEST_F(FileChangeGuardOf, LetsTheSameFilePass)
{
  wait_for_a_tick();
  FileChangeGuard guard;
  EXPECT_TRUE(guard.see(path).has_value());
  EXPECT_TRUE(guard.see(path).has_value());
  EXPECT_TRUE(guard.check_all().has_value());
}

TEST_F(FileChangeGuardOf, RefusesOneThatWasWrittenTo)
{
  wait_for_a_tick();
  FileChangeGuard guard;
  ASSERT_TRUE(guard.see(path).has_value());
  wait_for_a_tick();
  write("other contents, longer");
  const Result<void> seen = guard.see(path);
  ASSERT_FALSE(seen.has_value());
  EXPECT_EQ(seen.error().path, path);
  EXPECT_FALSE(guard.check_all().has_value());
}

TEST_F(FileChangeGuardOf, TellsAFileThatWasCutOff)
{
  wait_for_a_tick();
  FileChangeGuard guard;
  ASSERT_TRUE(guard.see(path).has_value());
  std::filesystem::resize_file(path, 3);
  ASSERT_FALSE(guard.check_all().has_value());
  EXPECT_EQ(guard.check_all().error().code, ErrorCode::Truncated);
}

TEST_F(FileChangeGuardOf, RefusesAnotherFileUnderTheName)
{
  wait_for_a_tick();
  FileChangeGuard guard;
  ASSERT_TRUE(guard.see(path).has_value());
  std::ofstream(folder.file("other")) << "the first contents"; // of the same length
  std::filesystem::rename(folder.file("other"), path);
  EXPECT_FALSE(guard.see(path).has_value());
}

/// It is opened for the first time after the field was: a writer may be at work.
TEST_F(FileChangeGuardOf, RefusesAFirstLookAtAFileThatIsYoungerThanItself)
{
  FileChangeGuard guard;
  wait_for_a_tick();
  write("written after the field was opened");
  wait_for_a_tick();
  const Result<void> seen = guard.see(path);
  ASSERT_FALSE(seen.has_value());
  EXPECT_THAT(seen.error().what, HasSubstr("after the field was opened"));
  EXPECT_FALSE(guard.see(path).has_value()) << "a second look changes nothing";
}

TEST_F(FileChangeGuardOf, CallsAMissingFileNoChange)
{
  wait_for_a_tick();
  FileChangeGuard guard;
  ASSERT_TRUE(guard.see(path).has_value());
  std::filesystem::remove(path);
  EXPECT_TRUE(guard.check_all().has_value());
  EXPECT_FALSE(guard.see(path).has_value()) << "it cannot be opened";
}

TEST(FileHash, IsThatOfTheBytesInOnePiece)
{
  const TemporaryFolder folder;
  std::string bytes(3 * kMiB + 17, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
  {
    bytes[i] = static_cast<char>(i * 2654435761U >> 13U);
  }
  std::ofstream(folder.file("bytes"), std::ios::binary) << bytes;
  const File file = *File::open(folder.file("bytes"), File::Mode::Read);
  for (const auto& [offset, count] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           { 0, 0 }, { 5, 1 }, { 0, kMiB }, { 1, kMiB + 1 }, { 17, 3 * kMiB } })
  {
    EXPECT_EQ(
        hash_of(file, offset, count).value(), XXH3_64bits(bytes.data() + offset, static_cast<std::size_t>(count)));
  }
  EXPECT_FALSE(hash_of(file, 3 * kMiB, 100).has_value()) << "beyond the end";
}

TEST(RandomUuid, HasTheFormOfTheStandardAndIsNeverTheSame)
{
  std::set<std::string> all;
  for (int i = 0; i < 1000; ++i)
  {
    all.insert(random_uuid());
  }
  EXPECT_THAT(all, SizeIs(1000));
  EXPECT_THAT(*all.begin(), MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

} // namespace
} // namespace rivulet::test
