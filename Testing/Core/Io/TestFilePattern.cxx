// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FilePattern.h"

#include <cstdio>
#include <gmock/gmock.h>
#include <limits>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

TEST(FilePattern, NamesFilesAsPrintfDoes)
{
  for (const char* const text : { "flow_%d.raw", "%d", "%05d.bin", "a%018db", "run.%03d" })
  {
    const Result<FilePattern> pattern = FilePattern::parse(text);
    ASSERT_TRUE(pattern.has_value()) << text;
    EXPECT_TRUE(pattern->numbered());
    for (const std::int64_t number : { 0LL, 7LL, 99999LL, 100000LL, 1234567890123LL })
    {
      std::string format = text;
      format.replace(format.find('d'), 1, "lld");
      char expected[64];
      std::snprintf(expected, sizeof(expected), format.c_str(), static_cast<long long>(number));
      EXPECT_EQ(pattern->path(number), expected);
    }
  }
}

TEST(FilePattern, MayNameOneFileAlone)
{
  const Result<FilePattern> pattern = FilePattern::parse("100%% of it.raw");
  ASSERT_TRUE(pattern.has_value());
  EXPECT_FALSE(pattern->numbered());
  EXPECT_EQ(pattern->path(3), "100% of it.raw");
  EXPECT_EQ(FilePattern::plain("a%d%s%n").path(1), "a%d%s%n");
}

/// The text comes from files: nothing of it may reach printf.
TEST(FilePattern, RefusesAllOtherConversions)
{
  for (const char* const text : { "%s", "%n", "%x", "%5d", "%-3d", "%0d", "%0*d", "%019d", "%099999999999d", "%", "a%",
           "%0", "%05", "%d%d", "%d_%03d", "%lld", "%i" })
  {
    const Result<FilePattern> pattern = FilePattern::parse(text);
    ASSERT_FALSE(pattern.has_value()) << text;
    EXPECT_EQ(pattern.error().code, ErrorCode::Corrupt);
    EXPECT_THAT(pattern.error().what, HasSubstr(text));
  }
}

TEST(FilePattern, LiesBelowAFolderUnlessItIsAbsolute)
{
  EXPECT_EQ(FilePattern::parse("%02d.raw")->under("/data").path(7), "/data/07.raw");
  EXPECT_EQ(FilePattern::parse("%02d.raw")->under("/data/").path(7), "/data/07.raw");
  EXPECT_EQ(FilePattern::parse("%02d.raw")->under("").path(7), "07.raw");
  EXPECT_EQ(FilePattern::parse("/other/%02d.raw")->under("/data").path(7), "/other/07.raw");
  EXPECT_EQ(FilePattern::plain("x").under("50%d").path(1), "50%d/x") << "folders have no patterns";
}

TEST(FilePattern, ComesBackFromItsEscapedForm)
{
  for (const char* const path : { "plain.raw", "100%.raw", "%d", "%%", "a%b%c" })
  {
    const Result<FilePattern> pattern = FilePattern::parse(FilePattern::escaped(path));
    ASSERT_TRUE(pattern.has_value());
    EXPECT_EQ(pattern->path(5), path);
  }
}

} // namespace
} // namespace rivulet::test
