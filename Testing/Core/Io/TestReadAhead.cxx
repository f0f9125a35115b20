// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Io/Reads/ReadAhead.h"
#include "Support/PageCache.h"
#include "Support/TemporaryFolder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

constexpr std::int64_t kBytes = 32 * kMiB;

/// A file of which the page cache holds nothing.
class ColdFile : public testing::Test
{
protected:
  void SetUp() override
  {
    const std::vector<char> values(static_cast<std::size_t>(kBytes), 'x');
    ASSERT_TRUE(File::create(path_)->append(values.data(), kBytes));
    file_ = cold_file(path_);
    if (!file_)
    {
      GTEST_SKIP() << "files are always in memory here";
    }
  }

  [[nodiscard]] bool comes(std::int64_t at) const { return comes_into_cache(path_, at, at + 1); }
  [[nodiscard]] double cached(std::int64_t at) const { return cached_pages(path_, at, at + 1); }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("file");
  std::optional<File> file_;
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
  ReadAhead ahead(*file_, parts_of(8000));
  ahead.reach(0);
  EXPECT_TRUE(comes(ReadAhead::kAhead - kPage));
  EXPECT_EQ(cached(ReadAhead::kAhead + 2 * kMiB), 0.0);
  for (std::size_t i = 1; static_cast<std::int64_t>(i) * 8000 < 16 * kMiB; ++i)
  {
    ahead.reach(i);
  }
  EXPECT_TRUE(comes(16 * kMiB + ReadAhead::kAhead - kPage));
  EXPECT_EQ(cached(16 * kMiB + ReadAhead::kAhead + 2 * kMiB), 0.0);
}

TEST_F(ColdFile, ComesAsAWholeWhenAllIsAskedFor)
{
  ReadAhead(*file_, parts_of(3 * kMiB)).prefetch_all();
  EXPECT_TRUE(comes_into_cache(path_, 0, kBytes));
}

TEST_F(ColdFile, PartsThatAreFarApartLeaveOutWhatIsBetween)
{
  ReadAhead(*file_, { { 0, 100 }, { 10 * kMiB, 100 }, { 5 * kMiB, 100 } }).prefetch_all();
  EXPECT_TRUE(comes(0) && comes(5 * kMiB) && comes(10 * kMiB));
  EXPECT_EQ(cached(3 * kMiB), 0.0);
  EXPECT_EQ(cached(8 * kMiB), 0.0);
}

TEST(ReadAhead, PartsOutsideTheFileDoNoHarm)
{
  const TemporaryFolder folder;
  const File file = *File::create(folder.file("short"));
  ReadAhead ahead(file, { { 1 << 20, 100 }, { 0, 0 } });
  ahead.reach(0);
  ahead.reach(1);
  ReadAhead(file, {}).prefetch_all();
  EXPECT_EQ(*file.size(), 0);
}

} // namespace rivulet::test
