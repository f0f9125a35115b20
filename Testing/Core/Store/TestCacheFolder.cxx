// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Folders and files that can, and that cannot, be a local cache.
#include "Store/LocalCache/CacheFolder.h"
#include "Store/LocalCache/LocalCache.h"
#include "Support/TemporaryFolder.h"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

class CacheFolder : public testing::Test
{
protected:
  [[nodiscard]] std::string folder() const { return folder_.file("cache"); }
  [[nodiscard]] std::string file() const { return folder() + "/" + kCacheFileName; }
  [[nodiscard]] std::string refusal(std::int64_t limit = 32 * kMiB) const
  {
    const Result<CacheDescriptors> opened = open_cache_file(folder(), limit);
    return opened ? "none" : opened.error().describe();
  }

  TemporaryFolder folder_;
};

TEST_F(CacheFolder, IsMadeForItsUserAlone)
{
  const auto opened = open_cache_file(folder_.file("a/b/cache"), 32 * kMiB);
  ASSERT_TRUE(opened) << opened.error().describe();
  struct stat status = {};
  ASSERT_EQ(::stat(folder_.file("a/b/cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  ASSERT_EQ(::stat(opened->path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_size, opened->shape.file_bytes());
  EXPECT_LE(status.st_size, 32 * kMiB);
  EXPECT_LE(status.st_blocks, 64) << "an empty cache takes no room";
}

TEST_F(CacheFolder, IsUsedAsItIsOrMadeAnewForAnotherLimit)
{
  EXPECT_EQ(open_cache_file(folder(), 32 * kMiB)->shape.header().limit, 32 * kMiB);
  EXPECT_EQ(open_cache_file(folder(), 0)->shape.header().limit, 32 * kMiB);
  EXPECT_EQ(open_cache_file(folder(), 64 * kMiB)->shape.header().limit, 64 * kMiB);
  {
    const auto used = open_cache_file(folder(), 64 * kMiB);
    EXPECT_EQ(open_cache_file(folder(), 32 * kMiB)->shape.header().limit, 64 * kMiB) << "while it is used";
  }
  EXPECT_EQ(open_cache_file(folder(), 32 * kMiB)->shape.header().limit, 32 * kMiB);
}

TEST_F(CacheFolder, TakesHalfOfTheFreeSpaceByDefault)
{
  struct statvfs system = {};
  ASSERT_EQ(::statvfs(folder_.path().c_str(), &system), 0);
  const auto half = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize) / 2;
  EXPECT_NEAR(static_cast<double>(open_cache_file(folder(), 0)->shape.header().limit), half, 0.2 * half);
}

TEST_F(CacheFolder, RefusesLimitsThatAreTooSmall)
{
  EXPECT_THAT(refusal(CacheShape::kLeastLimit - 1), HasSubstr("too small"));
  EXPECT_EQ(refusal(CacheShape::kLeastLimit), "none");
  EXPECT_THAT(refusal(std::int64_t{ 1 } << 60), HasSubstr("too large"));
}

TEST_F(CacheFolder, RefusesFoldersOfOthers)
{
  std::filesystem::create_directory(folder());
  ::chmod(folder().c_str(), 0777);
  EXPECT_THAT(refusal(), HasSubstr("other users may write into its folder"));
  ::chmod(folder().c_str(), 0770);
  EXPECT_THAT(refusal(), HasSubstr("other users may write into its folder"));
  ::chmod(folder().c_str(), 0755);
  EXPECT_EQ(refusal(), "none");
  if (::geteuid() == 0 && ::chown(folder().c_str(), 1234, 1234) == 0)
  {
    EXPECT_THAT(refusal(), HasSubstr("its folder belongs to another user"));
    ASSERT_EQ(::rename(folder().c_str(), folder_.file("target").c_str()), 0);
    std::filesystem::create_symlink(folder_.file("target"), folder());
    ASSERT_EQ(::lchown(folder().c_str(), 1234, 1234), 0);
    EXPECT_THAT(refusal(), HasSubstr("a link that another user made"));
  }
}

TEST_F(CacheFolder, RefusesWhatIsNoFolder)
{
  std::ofstream(folder()) << "text";
  EXPECT_THAT(refusal(), HasSubstr("its folder cannot be opened"));
}

TEST_F(CacheFolder, RefusesPlantedLinksAndForeignFiles)
{
  std::filesystem::create_directory(folder());
  ::chmod(folder().c_str(), 0700);
  const std::string precious = folder_.file("precious");
  std::ofstream(precious) << "precious";
  std::filesystem::create_symlink(precious, file());
  EXPECT_THAT(refusal(), HasSubstr("a link has its name"));
  std::filesystem::remove(file());
  std::filesystem::create_hard_link(precious, file());
  EXPECT_THAT(refusal(), HasSubstr("other names"));
  std::filesystem::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("no ordinary file"));
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_THAT(refusal(), HasSubstr("cannot be opened for writing"));
  std::filesystem::remove(file());
  std::ofstream(file()) << "somebody's text";
  EXPECT_THAT(refusal(), HasSubstr("a file that is no cache"));
  EXPECT_EQ(std::filesystem::file_size(file()), 15U);
  std::filesystem::remove(file());
  std::ofstream(folder() + "/notes.txt") << "other files may be there";
  EXPECT_EQ(refusal(), "none");
  EXPECT_TRUE(std::filesystem::exists(folder() + "/notes.txt"));
  EXPECT_EQ(std::filesystem::file_size(precious), 8U);
}

/// Writes other numbers into a header.
void change_header(const std::string& path, const std::function<void(CacheHeader&)>& change)
{
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  CacheHeader header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  change(header);
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
}

TEST_F(CacheFolder, MakesCachesOfOtherVersionsAndDamagedOnesAnew)
{
  using Change = std::function<void(CacheHeader&)>;
  for (const Change& change : { Change([](CacheHeader& header) { ++header.version; }),
           Change([](CacheHeader& header) { header.segments = std::int64_t{ 1 } << 40; }),
           Change([](CacheHeader& header) { header.segment_bytes = -1; }),
           Change([](CacheHeader& header) { header.buckets = 0; }),
           Change([](CacheHeader& header) { header.limit = 64 * kMiB; }) })
  {
    EXPECT_EQ(refusal(), "none");
    change_header(file(), change);
    const auto opened = open_cache_file(folder(), 32 * kMiB);
    ASSERT_TRUE(opened) << opened.error().describe();
    EXPECT_TRUE(opened->shape.is_sound());
    EXPECT_EQ(opened->shape.header().limit, 32 * kMiB);
  }
  std::filesystem::resize_file(file(), 20 * kMiB);
  EXPECT_EQ(refusal(), "none");
  EXPECT_GT(std::filesystem::file_size(file()), static_cast<std::uintmax_t>(30 * kMiB));
}

TEST_F(CacheFolder, IsMadeWhereAnotherProcessEndedBeforeItsHeader)
{
  std::filesystem::create_directory(folder());
  ::chmod(folder().c_str(), 0700);
  std::ofstream(file()).close();
  EXPECT_EQ(refusal(), "none");
  std::filesystem::resize_file(file(), 0);
  std::filesystem::resize_file(file(), 30 * kMiB);
  EXPECT_EQ(refusal(), "none");
  EXPECT_TRUE(open_cache_file(folder(), 0)->shape.is_sound());
}

TEST_F(CacheFolder, IsMadeWhereTheProcessThatHadItAloneGivesUp)
{
  std::filesystem::create_directory(folder());
  ::chmod(folder().c_str(), 0700);
  for (int turn = 0; turn < 20; ++turn)
  {
    const int other = ::open(file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = sizeof(CacheHeader);
    ASSERT_EQ(::fcntl(other, F_OFD_SETLK, &lock), 0);
    std::thread gives_up(
        [other]
        {
          std::this_thread::sleep_for(std::chrono::milliseconds(15));
          ::close(other);
        });
    EXPECT_EQ(refusal(), "none");
    gives_up.join();
    std::filesystem::remove(file());
  }
}

TEST_F(CacheFolder, IsForOneMachineAtATime)
{
  {
    const auto used = open_cache_file(folder(), 32 * kMiB);
    change_header(file(), [](CacheHeader& header) { ++header.machine; });
    EXPECT_THAT(refusal(), HasSubstr("another machine uses it"));
  }
  EXPECT_EQ(refusal(), "none") << "the other machine is done";
}

TEST_F(CacheFolder, IsNotSharedWithOtherVersionsAtATime)
{
  const auto used = open_cache_file(folder(), 32 * kMiB);
  change_header(file(), [](CacheHeader& header) { ++header.version; });
  EXPECT_THAT(refusal(), HasSubstr("another version"));
}

TEST_F(CacheFolder, ComesFromTheEnvironmentWhereNoneIsNamed)
{
  ::unsetenv("RIVULET_CACHE_LIMIT");
  ::setenv("RIVULET_CACHE_DIRECTORY", "/somewhere", 1);
  EXPECT_EQ(or_of_environment({})->folder, "/somewhere");
  EXPECT_EQ(or_of_environment({})->limit, 0);
  EXPECT_EQ(or_of_environment({ "/here", 0 })->folder, "/here");
  ::setenv("RIVULET_CACHE_LIMIT", "64MiB", 1);
  EXPECT_EQ(or_of_environment({})->limit, 64 * kMiB);
  EXPECT_EQ(or_of_environment({ "/here", 32 * kMiB })->limit, 32 * kMiB);
  ::setenv("RIVULET_CACHE_LIMIT", "much", 1);
  EXPECT_EQ(or_of_environment({}).error().code, ErrorCode::BadArgument);
  ::unsetenv("RIVULET_CACHE_LIMIT");
  ::unsetenv("RIVULET_CACHE_DIRECTORY");
  EXPECT_EQ(or_of_environment({})->folder, "");
}

} // namespace
} // namespace rivulet::test
