// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/DataFiles.h"
#include "Support/TemporaryFolder.h"

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace rivulet::test
{
namespace
{

constexpr std::size_t kPageBytes = 4096;

/// Fingerprints that files of other contents get whose path, size and times are those of the first.
class Fingerprint : public testing::Test
{
protected:
  /// A file whose time of the last change has so many nanoseconds.
  std::string write(const std::string& name, const std::string& content, long nanoseconds)
  {
    const std::string path = folder_.file(name);
    std::ofstream(path, std::ios::binary) << content;
    const timespec times[2] = { { 1000, nanoseconds }, { 1000, nanoseconds } };
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    return path;
  }
  /// Identity of a file that was not changed just now.
  static FileIdentity identity_of(const std::string& path)
  {
    std::this_thread::sleep_for(std::chrono::nanoseconds(FileIdentity::kTick) + std::chrono::milliseconds(10));
    return *FileIdentity::of(path);
  }
  static std::uint64_t of(const FileIdentity& identity, const std::string& path)
  {
    return identity.fingerprint(*File::open(path, File::Mode::Read));
  }

  TemporaryFolder folder_;
};

TEST_F(Fingerprint, OfTimesInWholeSecondsDependsOnTheBytes)
{
  const std::string zeros(100 * kPageBytes + 7, '\0');
  const std::string first = write("first", zeros, 0);
  const FileIdentity identity = identity_of(first);
  const std::uint64_t same = of(identity, first);
  EXPECT_NE(same, 0);
  EXPECT_EQ(of(identity, write("first", zeros, 0)), same);
  for (const std::size_t changed : { std::size_t{ 0 }, 99 * kPageBytes + 4095 })
  {
    std::string other = zeros;
    other[changed] = 1;
    EXPECT_NE(of(identity, write("first", other, 0)), same) << changed;
  }
}

TEST_F(Fingerprint, OfFewPagesDependsOnEach)
{
  for (const std::size_t pages : { std::size_t{ 1 }, std::size_t{ 2 }, std::size_t{ 16 } })
  {
    const std::string zeros(pages * kPageBytes, '\0');
    const std::string first = write("first", zeros, 0);
    const FileIdentity identity = identity_of(first);
    const std::uint64_t same = of(identity, first);
    for (std::size_t page = 0; page < pages; ++page)
    {
      std::string other = zeros;
      other[page * kPageBytes + 5] = 1;
      EXPECT_NE(of(identity, write("first", other, 0)), same) << page << " of " << pages;
    }
  }
}

TEST_F(Fingerprint, OfFinerTimesReadsNothing)
{
  const std::string first = write("first", std::string(kPageBytes, '\0'), 5);
  const FileIdentity identity = identity_of(first);
  const std::uint64_t same = of(identity, first);
  EXPECT_NE(same, 0);
  EXPECT_EQ(of(identity, write("first", std::string(kPageBytes, '\1'), 5)), same);
}

TEST_F(Fingerprint, IsNoneOfAFileThatWasChangedJustNow)
{
  const std::string first = write("first", std::string(kPageBytes, '\0'), 5);
  EXPECT_EQ(of(*FileIdentity::of(first), first), 0);
  EXPECT_NE(of(identity_of(first), first), 0);
}

TEST_F(Fingerprint, DependsOnPathAndTimes)
{
  const std::string content(kPageBytes, '\0');
  const std::string first = write("first", content, 5);
  const std::string second = write("second", content, 5);
  const std::uint64_t before = of(identity_of(first), first);
  EXPECT_NE(of(identity_of(second), second), before);
  write("first", content, 6);
  EXPECT_NE(of(identity_of(first), first), before);
}

TEST_F(Fingerprint, IsNoneWherePagesCannotBeRead)
{
  const FileIdentity identity = identity_of(write("first", std::string(3 * kPageBytes, '\0'), 0));
  EXPECT_EQ(of(identity, write("first", std::string(kPageBytes, '\0'), 0)), 0);
}

TEST_F(Fingerprint, OfDirectReadsIsTheSame)
{
  const std::string path = write("first", std::string(3 * kPageBytes + 100, 'a'), 0);
  static_cast<void>(identity_of(path));
  const auto direct = DataFile::open(path, true);
  if (!direct)
  {
    GTEST_SKIP() << direct.error().describe();
  }
  EXPECT_EQ((*direct)->fingerprint(), (*DataFile::open(path))->fingerprint());
}

} // namespace
} // namespace rivulet::test
