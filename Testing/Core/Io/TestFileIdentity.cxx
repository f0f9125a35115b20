// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/DataFiles.h"
#include "Support/TemporaryFolder.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace rivulet::test
{
namespace
{

constexpr std::size_t kPageBytes = 4096;

/// Fingerprints that files of other contents get whose number, size and times are those of the first.
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
  const FileIdentity identity = *FileIdentity::of(first);
  const std::uint64_t same = of(identity, first);
  EXPECT_NE(same, 0);
  EXPECT_EQ(of(identity, write("copy", zeros, 0)), same);
  for (const std::size_t changed : { std::size_t{ 0 }, 99 * kPageBytes + 4095 })
  {
    std::string other = zeros;
    other[changed] = 1;
    EXPECT_NE(of(identity, write("other", other, 0)), same) << changed;
  }
}

TEST_F(Fingerprint, OfFewPagesDependsOnEach)
{
  for (const std::size_t pages : { std::size_t{ 1 }, std::size_t{ 2 }, std::size_t{ 16 } })
  {
    const std::string zeros(pages * kPageBytes, '\0');
    const std::string first = write("first", zeros, 0);
    const FileIdentity identity = *FileIdentity::of(first);
    for (std::size_t page = 0; page < pages; ++page)
    {
      std::string other = zeros;
      other[page * kPageBytes + 5] = 1;
      EXPECT_NE(of(identity, write("other", other, 0)), of(identity, first)) << page << " of " << pages;
    }
  }
}

TEST_F(Fingerprint, OfFinerTimesReadsNothing)
{
  const std::string first = write("first", std::string(kPageBytes, '\0'), 5);
  const FileIdentity identity = *FileIdentity::of(first);
  EXPECT_NE(of(identity, first), 0);
  EXPECT_EQ(of(identity, write("other", std::string(kPageBytes, '\1'), 5)), of(identity, first));
}

TEST_F(Fingerprint, IsNoneWherePagesCannotBeRead)
{
  const FileIdentity identity = *FileIdentity::of(write("first", std::string(3 * kPageBytes, '\0'), 0));
  EXPECT_EQ(of(identity, write("short", std::string(kPageBytes, '\0'), 0)), 0);
}

TEST_F(Fingerprint, OfDirectReadsIsTheSame)
{
  const std::string path = write("first", std::string(3 * kPageBytes + 100, 'a'), 0);
  const auto direct = DataFile::open(path, true);
  if (!direct)
  {
    GTEST_SKIP() << direct.error().describe();
  }
  EXPECT_EQ((*direct)->fingerprint(), (*DataFile::open(path))->fingerprint());
}

} // namespace
} // namespace rivulet::test
