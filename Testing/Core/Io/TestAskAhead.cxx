// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Io/AskAhead.h"
#include "Io/StorageProbe.h"
#include "Support/TemporaryFolder.h"

#include <chrono>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{
namespace
{

constexpr std::int64_t kBytes = 32 * kMiB;

/// A file of which nothing is in the page cache.
class ColdFile : public testing::Test
{
protected:
  ColdFile()
  {
    const std::vector<char> values(static_cast<std::size_t>(kBytes), 'x');
    File file = *File::create(path_);
    EXPECT_TRUE(file.append(values.data(), kBytes) && file.sync());
    EXPECT_EQ(::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED), 0);
  }
  void SetUp() override
  {
    if (cached(0) != 0.0)
    {
      GTEST_SKIP() << "files are always in memory here";
    }
  }

  [[nodiscard]] double cached(std::int64_t at) const { return cached_share(path_, { at }).value_or(1.0); }
  [[nodiscard]] bool comes(std::int64_t at) const
  {
    for (int turn = 0; turn < 1000 && cached(at) == 0.0; ++turn)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return cached(at) == 1.0;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("file");
};

/// Parts of so many bytes one after the other.
std::vector<FilePart> parts_of(std::int64_t bytes)
{
  std::vector<FilePart> parts;
  for (std::int64_t begin = 0; begin < kBytes; begin += bytes)
  {
    parts.push_back({ begin, std::min(bytes, kBytes - begin) });
  }
  return parts;
}

} // namespace

TEST_F(ColdFile, ComesWhileItsPartsAreReached)
{
  const File file = *File::open(path_, File::Mode::Read);
  AskAhead ahead(file, parts_of(8000));
  ahead.reach(0);
  EXPECT_TRUE(comes(AskAhead::kAhead - kPage));
  EXPECT_EQ(cached(AskAhead::kAhead + 2 * kMiB), 0.0);
  std::size_t i = 1;
  for (; static_cast<std::int64_t>(i) * 8000 < 16 * kMiB; ++i)
  {
    ahead.reach(i);
  }
  EXPECT_TRUE(comes(16 * kMiB + AskAhead::kAhead - kPage));
  EXPECT_EQ(cached(16 * kMiB + AskAhead::kAhead + 2 * kMiB), 0.0);
}

TEST_F(ColdFile, ComesAsAWholeWhenAllIsAskedFor)
{
  const File file = *File::open(path_, File::Mode::Read);
  AskAhead(file, parts_of(3 * kMiB)).ask_for_all();
  for (std::int64_t at = 0; at < kBytes; at += kMiB)
  {
    EXPECT_TRUE(comes(at)) << at;
  }
}

TEST_F(ColdFile, PartsThatAreFarApartLeaveOutWhatIsBetween)
{
  const File file = *File::open(path_, File::Mode::Read);
  AskAhead(file, { { 0, 100 }, { 10 * kMiB, 100 }, { 5 * kMiB, 100 } }).ask_for_all();
  EXPECT_TRUE(comes(0) && comes(5 * kMiB) && comes(10 * kMiB));
  EXPECT_EQ(cached(3 * kMiB), 0.0);
  EXPECT_EQ(cached(8 * kMiB), 0.0);
}

TEST(AskAhead, PartsOutsideTheFileDoNoHarm)
{
  const TemporaryFolder folder;
  const File file = *File::create(folder.file("short"));
  AskAhead ahead(file, { { 1 << 20, 100 }, { 0, 0 } });
  ahead.reach(0);
  ahead.reach(1);
  AskAhead(file, {}).ask_for_all();
  EXPECT_EQ(*file.size(), 0);
}

} // namespace rivulet::test
