// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/DirectAccess.h"
#include "Support/TemporaryFolder.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int32_t kValues = 10001; ///< doubles: 19 pages and a part
constexpr std::int64_t kOffset = 13;    ///< bytes before them

/// A file of doubles 0, 1, 2 ..., or no test where its file system has no direct reads.
class DirectReads : public testing::Test
{
protected:
  DirectReads()
  {
    std::string bytes(static_cast<std::size_t>(kOffset + kValues * 8), '#');
    for (std::int64_t i = 0; i < kValues; ++i)
    {
      const auto value = static_cast<double>(i);
      std::memcpy(bytes.data() + kOffset + 8 * i, &value, sizeof(value));
    }
    std::ofstream(path_, std::ios::binary) << bytes;
    variable_.variable = { "p", ScalarType::Float64, 1, Centering::Node };
    variable_.format.type = StoredType::Float64;
    variable_.lattice = variable_.block = { kValues, 1, 1 };
    variable_.steps = { { { { FilePattern::plain(path_), kOffset } } } };
  }
  void SetUp() override
  {
    if (const Result<DirectLimits> limits = direct_limits(path_);
        !limits || limits->memory > kPage || limits->offset > kPage)
    {
      GTEST_SKIP() << "the file system has no direct reads of single pages";
    }
  }
  [[nodiscard]] BlockSpan span(std::int64_t offset, std::int64_t bytes) const
  {
    return { &variable_, &variable_.steps[0].parts[0], 0, offset, bytes };
  }
  void expect_values(std::int32_t begin, std::int32_t end, DirectAccess& access) const
  {
    std::vector<double> values(static_cast<std::size_t>(end - begin));
    const Result<void> done = assemble(variable_, 0, { { begin, 0, 0 }, { end, 1, 1 } }, access, values.data());
    ASSERT_TRUE(done) << done.error().describe();
    for (std::int32_t i = begin; i < end; ++i)
    {
      ASSERT_EQ(values[static_cast<std::size_t>(i - begin)], i);
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("p.raw");
  BlockVariable variable_;
};

} // namespace

TEST_F(DirectReads, GiveBytesThatBeginAndEndAnywhere)
{
  DataFiles files(true);
  DirectAccess one_by_one(files, 1);
  expect_values(505, 520, one_by_one);
  for (const std::int64_t most : { kPage, 64 * kKiB })
  {
    DirectAccess access(files, most);
    expect_values(0, 1, access);
    expect_values(510, 514, access); // over the end of a page
    expect_values(kValues - 1, kValues, access);
    expect_values(0, kValues, access);
    expect_values(3, 9000, access);
  }
}

TEST_F(DirectReads, CountWholePages)
{
  DataFiles files(true);
  DirectAccess access(files, 64 * kKiB);
  ASSERT_TRUE(access.fetch(span(kPage + 100, 8)));
  EXPECT_EQ(access.bytes_read(), kPage);
  ASSERT_TRUE(access.fetch(span(2 * kPage - 4, 8)));
  EXPECT_EQ(access.bytes_read(), 3 * kPage);
}

TEST_F(DirectReads, HaveRoomForTwoPagesMoreThanTheirLimit)
{
  DataFiles files(true);
  DirectAccess access(files, kPage);
  EXPECT_TRUE(access.fetch(span(kPage - 1, kPage + 2))) << "three pages for little more than one";
  const Result<const std::byte*> large = access.fetch(span(kPage - 1, 2 * kPage + 2));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::CannotRead);
  EXPECT_EQ(large.error().path, path_);
}

TEST_F(DirectReads, RefuseAFileThatIsTooShortForItsBlock)
{
  DataFiles files(true);
  DirectAccess access(files, 64 * kKiB);
  std::filesystem::resize_file(path_, 50000);
  const Result<const std::byte*> first = access.fetch(span(kOffset, 8));
  ASSERT_FALSE(first) << "though these bytes are there";
  EXPECT_EQ(first.error().code, ErrorCode::Truncated);
  EXPECT_EQ(first.error().offset, 50000);
  std::filesystem::remove(path_);
  EXPECT_EQ(access.fetch(span(kOffset, 8)).error().code, ErrorCode::NotFound);
}

/// Wherever the bytes lie that are asked for.
TEST_F(DirectReads, NameTheEndOfAFileThatWasCutShort)
{
  DataFiles files(true);
  DirectAccess access(files, 64 * kKiB);
  ASSERT_TRUE(access.fetch(span(kOffset, 8)));
  std::filesystem::resize_file(path_, 10000);
  EXPECT_TRUE(access.fetch(span(kOffset, 8))) << "what is left";
  for (const std::int64_t offset : { 9999, 10000, 12288, 50000 })
  {
    const Result<const std::byte*> behind = access.fetch(span(offset, 8));
    ASSERT_FALSE(behind) << offset;
    EXPECT_EQ(behind.error().code, ErrorCode::Truncated);
    EXPECT_EQ(behind.error().offset, 10000) << offset;
    EXPECT_EQ(behind.error().path, path_);
  }
}

} // namespace rivulet::test
