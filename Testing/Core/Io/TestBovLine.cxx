// SPDX-License-Identifier: BSD-3-Clause
// Lines and words of BOV headers. TestBovHeader has what their keys mean.
#include "Io/Blocks/BovLine.h"

#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace rivulet::test
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<BovLine> lines_of(std::string_view text)
{
  std::vector<BovLine> all;
  for (BovLines lines(text); lines.next();)
  {
    all.push_back(lines.line());
  }
  return all;
}

/// The line `KEY: values`, 7 bytes into a header.
BovLine line_of(const std::string& values)
{
  const std::vector<BovLine> lines = lines_of("A: b c\nKEY: " + values + "\nZ:\n");
  EXPECT_EQ(lines.size(), 3U);
  return lines.at(1);
}

template <class T>
std::string refusal(const Result<T>& read)
{
  EXPECT_FALSE(read);
  if (read)
  {
    return {};
  }
  EXPECT_EQ(read.error().code, ErrorCode::Corrupt);
  EXPECT_EQ(read.error().offset, 7);
  EXPECT_THAT(read.error().what, testing::StartsWith("KEY: "));
  EXPECT_FALSE(read.error().remedy.empty());
  return read.error().what;
}

} // namespace

TEST(BovLines, HaveTheOffsetOfTheirFirstByte)
{
  const std::vector<BovLine> lines = lines_of("\nA: 1\n\n no key\n  B: 2\r\nC:");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].offset, 1);
  EXPECT_EQ(lines[1].offset, 15) << "of the line, with its blanks";
  EXPECT_EQ(lines[2].offset, 23);
  EXPECT_THAT(lines[1].words, ElementsAre("2"));
  EXPECT_THAT(lines[2].words, IsEmpty());
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("\n\n"), IsEmpty());
}

TEST(BovLines, HaveKeysInUpperCaseWithoutBlanks)
{
  const std::vector<BovLine> lines = lines_of("  data size\t: 1\n# a comment: with a colon\nData_Size:2\n: 3\nA:B:C\n");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].key, "DATA_SIZE");
  EXPECT_EQ(lines[1].key, "DATA_SIZE");
  EXPECT_EQ(lines[2].key, "");
  EXPECT_EQ(lines[3].key, "A");
  EXPECT_THAT(lines[3].words, ElementsAre("B:C"));
}

TEST(BovLines, AreCutAtBlanksOutsideOfQuotes)
{
  EXPECT_THAT(line_of("a  b\tc \r").words, ElementsAre("a", "b", "c"));
  EXPECT_THAT(line_of("\"a b\" c").words, ElementsAre("a b", "c"));
  EXPECT_THAT(line_of("a\" \"b").words, ElementsAre("a b")) << "quotes within a word";
  EXPECT_THAT(line_of("\"\" a").words, ElementsAre("", "a"));
  EXPECT_THAT(line_of("\"a b").words, ElementsAre("a b")) << "the line ends the quotes";
}

TEST(BovLines, EndAtAComment)
{
  EXPECT_THAT(line_of("a # b").words, ElementsAre("a"));
  EXPECT_THAT(line_of("#a").words, IsEmpty());
  EXPECT_THAT(line_of("a#b \"#c\" d").words, ElementsAre("a#b", "#c", "d")) << "only where a word begins";
}

TEST(BovLine, GivesOneWord)
{
  EXPECT_EQ(*read_word(line_of("Flow")), "Flow");
  EXPECT_EQ(*read_upper(line_of("Flow")), "FLOW");
  EXPECT_THAT(refusal(read_word(line_of(""))), HasSubstr("has 0 values where 1 is expected"));
  EXPECT_THAT(refusal(read_word(line_of("a b"))), HasSubstr("has 2 values"));
  EXPECT_THAT(refusal(read_upper(line_of("\"\""))), HasSubstr("the value is empty"));
}

TEST(BovLine, GivesFiniteNumbers)
{
  EXPECT_EQ(*read_number(line_of("-1.5e-3")), -1.5e-3);
  EXPECT_EQ(*read_number(line_of("+2")), 2.0);
  EXPECT_EQ(*read_number(line_of(".5")), 0.5);
  EXPECT_EQ(*read_number(line_of("8.")), 8.0);
  for (const char* word : { "nan", "inf", "-inf", "+inf", "1e999", "0x10", "1,5", "1.5f", "1d3", "+", "-", "++1", "+-1",
           "-+1", "--1", "one" })
  {
    EXPECT_THAT(refusal(read_number(line_of(word))), HasSubstr(std::string("'") + word + "' is not a finite number"));
  }
  EXPECT_EQ(*read_numbers(line_of("1 -2.5 +3e2")), (Vec3{ 1, -2.5, 300 }));
  EXPECT_THAT(refusal(read_numbers(line_of("1 2"))), HasSubstr("has 2 values where 3 are expected"));
  EXPECT_THAT(refusal(read_numbers(line_of("1 2 3 4"))), HasSubstr("has 4 values"));
  EXPECT_THAT(refusal(read_numbers(line_of("1 2 x"))), HasSubstr("'x'"));
}

TEST(BovLine, GivesWholeNumbersWithinTheirLimits)
{
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(*read_integer(line_of("-3"), -3, 9), -3);
  EXPECT_EQ(*read_integer(line_of("+9"), -3, 9), 9);
  EXPECT_EQ(*read_integer(line_of("9223372036854775807"), 0, kMost), kMost);
  for (const char* word : { "-4", "10", "1.0", "1e0", "0x1", "", "99999999999999999999", "+-3" })
  {
    EXPECT_THAT(refusal(read_integer(line_of('"' + std::string(word) + '"'), -3, 9)),
        HasSubstr("is not a whole number from -3 to 9"))
        << word;
  }
}

TEST(BovLine, GivesSizesThatLeaveRoomForOneMore)
{
  EXPECT_EQ(*read_sizes(line_of("1 2 2147483646")), (Int3{ 1, 2, 2147483646 }));
  EXPECT_THAT(refusal(read_sizes(line_of("1 2 2147483647"))), HasSubstr("from 1 to 2147483646"));
  EXPECT_THAT(refusal(read_sizes(line_of("0 2 3"))), HasSubstr("'0'"));
  EXPECT_THAT(refusal(read_sizes(line_of("1 2"))), HasSubstr("3 are expected"));
}

TEST(BovLine, GivesFlags)
{
  EXPECT_TRUE(*read_flag(line_of("True")));
  EXPECT_FALSE(*read_flag(line_of("FALSE")));
  EXPECT_THAT(refusal(read_flag(line_of("yes"))), HasSubstr("'yes' is neither TRUE nor FALSE"));
  EXPECT_THAT(refusal(read_flag(line_of(""))), HasSubstr("has 0 values"));
}

TEST(BovWord, IsReadAsTheWordThatItWas)
{
  std::mt19937 random(9);
  const std::string palette = "ab#: \t\r\v%'\\\x7f\xc3";
  for (int round = 0; round < 2000; ++round)
  {
    std::string word;
    for (std::size_t letters = 1 + random() % 6; letters > 0; --letters)
    {
      word += palette[random() % palette.size()];
    }
    const Result<std::string> written = bov_word(word);
    ASSERT_TRUE(written) << word;
    ASSERT_THAT(line_of(*written).words, ElementsAre(word));
    ASSERT_THAT(line_of("a " + *written + " b").words, ElementsAre("a", word, "b"));
  }
  EXPECT_EQ(*bov_word("u.raw"), "u.raw") << "quotes only where they are needed";
}

TEST(BovWord, IsRefusedWhereNoLineCanHoldIt)
{
  for (const std::string& word : { std::string(), std::string("a\"b"), std::string("a\nb"), std::string("a\0b", 3) })
  {
    const Result<std::string> written = bov_word(word);
    ASSERT_FALSE(written) << word;
    EXPECT_EQ(written.error().code, ErrorCode::BadArgument);
    EXPECT_FALSE(written.error().remedy.empty());
  }
}

} // namespace rivulet::test
