// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"

#include "Io/Blocks/BovHeader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace rivulet
{
namespace
{

using test::TemporaryFolder;
using testing::HasSubstr;

constexpr const char* kGood = "TIME: 1.5\n"
                              "DATA_FILE: flow_%04d.raw\n"
                              "DATA_SIZE: 8 6 4\n"
                              "DATA_FORMAT: FLOAT\n"
                              "VARIABLE: velocity\n"
                              "DATA_ENDIAN: LITTLE\n"
                              "CENTERING: zonal\n"
                              "BRICK_ORIGIN: 0. -1. 2.5\n"
                              "BRICK_SIZE: 8. 6. 2.\n"
                              "DATA_BRICKLETS: 4 3 2\n"
                              "DATA_COMPONENTS: 3\n"
                              "BYTE_OFFSET: 4\n";

BovHeader parsed(const std::string& text)
{
  Result<BovHeader> header = BovHeader::parse(text, "/data/flow.bov");
  EXPECT_TRUE(header) << header.error().describe();
  return header.value_or(BovHeader{});
}

// The least that a header needs, and more lines.
std::string with(const std::string& lines)
{
  return "DATA_FILE: a.raw\nDATA_SIZE: 4 4 4\nDATA_FORMAT: BYTE\n" + lines;
}

TEST(BovHeader, ReadsEveryKey)
{
  const BovHeader header = parsed(kGood);
  EXPECT_EQ(header.time, 1.5);
  EXPECT_EQ(header.data.path(12), "/data/flow_0012.raw");
  EXPECT_EQ(header.size, (Int3{ 8, 6, 4 }));
  EXPECT_EQ(header.block, (Int3{ 4, 3, 2 }));
  EXPECT_EQ(header.format.type, StoredType::Float32);
  EXPECT_FALSE(header.format.swapped);
  EXPECT_EQ(header.variable, "velocity");
  EXPECT_EQ(header.centering, Centering::Cell);
  EXPECT_EQ(header.origin, (Vec3{ 0, -1, 2.5 }));
  EXPECT_EQ(header.extent, (Vec3{ 8, 6, 2 }));
  EXPECT_EQ(header.components, 3);
  EXPECT_EQ(header.byte_offset, 4);
  EXPECT_THAT(header.notes, testing::IsEmpty());
}

TEST(BovHeader, HasVisItsDefaults)
{
  const BovHeader header = parsed("DATA_FILE: /elsewhere/a.raw\nDATA_SIZE: 4 3 1\n");
  EXPECT_EQ(header.data.path(0), "/elsewhere/a.raw");
  EXPECT_EQ(header.format.type, StoredType::UInt8);
  EXPECT_EQ(header.variable, "var");
  EXPECT_EQ(header.centering, Centering::Node);
  EXPECT_EQ(header.components, 1);
  EXPECT_EQ(header.extent, (Vec3{ 1, 1, 1 }));
  EXPECT_FALSE(header.time);
}

TEST(BovHeader, IsLenientWithTheWayItIsWritten)
{
  const BovHeader header = parsed("# a comment: with a colon\r\n"
                                  "  data file :  \"my flow.raw\"  # the values\r\n"
                                  "Data_Size:\t4 +3 2\r\n"
                                  "no colon here\r\n"
                                  "data_format: floats\r\n"
                                  "Data_Endian: big\r\n"
                                  "DATA_COMPONENTS: complex");
  EXPECT_EQ(header.data.path(0), "/data/my flow.raw");
  EXPECT_EQ(header.size, (Int3{ 4, 3, 2 }));
  EXPECT_TRUE(header.format.swapped);
  EXPECT_EQ(header.components, 2);
}

TEST(BovHeader, NotesWhatItIgnoresOrAssumes)
{
  const BovHeader header = parsed("DATA_FILE: a.raw\nDATA_SIZE: 4 4 4\nDATA_FORMAT: SHORT\nDATA_SIZE: 2 2 2\n"
                                  "COLOUR: blue\nDATA_BRICKLETS: 1 1 1\nVARIABLE_MIN: 3\n");
  EXPECT_EQ(header.size, (Int3{ 2, 2, 2 }));
  EXPECT_EQ(header.block, (Int3{ 2, 2, 2 }));
  EXPECT_THAT(header.notes,
      testing::ElementsAre(HasSubstr("DATA_SIZE is given more than once"), HasSubstr("COLOUR is not known"),
          HasSubstr("DATA_BRICKLETS was ignored"), HasSubstr("VARIABLE_MIN"), HasSubstr("DATA_ENDIAN is missing")));
}

TEST(BovHeader, MakesAFlatGridOfOneLayer)
{
  const Grid grid = parsed("DATA_FILE: a\nDATA_SIZE: 4 3 1\nCENTERING: zonal\nBRICK_SIZE: 4 3 0\n").grid();
  EXPECT_EQ(grid.nodes, (Int3{ 5, 4, 1 }));
  EXPECT_EQ(grid.spacing, (Vec3{ 1, 1, 1 }));
}

struct BadHeader
{
  const char* name;
  std::string text;
  ErrorCode code;
  const char* words;
};

class EveryBadHeader : public testing::TestWithParam<BadHeader>
{
};

TEST_P(EveryBadHeader, IsRefusedInClearWords)
{
  const Result<BovHeader> header = BovHeader::parse(GetParam().text, "/data/flow.bov");
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, GetParam().code);
  EXPECT_THAT(header.error().describe(), HasSubstr(GetParam().words));
  EXPECT_THAT(header.error().describe(), HasSubstr("/data/flow.bov"));
  EXPECT_FALSE(header.error().remedy.empty());
}

const ErrorCode kCorrupt = ErrorCode::Corrupt;
const std::vector<BadHeader> kBadHeaders{
  { "Empty", "", ErrorCode::NotThisFormat, "has no DATA_FILE" },
  { "Binary", std::string("DATA_FILE: a\0b\n", 15), ErrorCode::NotThisFormat, "not a text" },
  { "Huge", std::string(2 << 20, '#'), ErrorCode::NotThisFormat, "not a text" },
  { "OtherBov", "nx=1024, ny=1024, nz=512\n", ErrorCode::NotThisFormat, "has no DATA_FILE" },
  { "NoSize", "DATA_FILE: a.raw\n", ErrorCode::NotThisFormat, "has no DATA_SIZE" },
  { "NoFile", "DATA_SIZE: 4 4 4\n", ErrorCode::NotThisFormat, "has no DATA_FILE" },
  { "FileWithoutName", "DATA_FILE:\nDATA_SIZE: 4 4 4\n", kCorrupt, "DATA_FILE: has 0 values" },
  { "FileEmptyInQuotes", with("DATA_FILE: \"\"\n"), kCorrupt, "DATA_FILE: the value is empty" },
  { "FileWithBlanks", with("DATA_FILE: my flow.raw\n"), kCorrupt, "in double quotes" },
  { "Gzip", with("DATA_FILE: a.raw.gz\n"), ErrorCode::Unsupported, "gunzip" },
  { "PatternOfText", with("DATA_FILE: a_%s.raw\n"), kCorrupt, "a pattern that is not understood" },
  { "PatternTwice", with("DATA_FILE: a_%d_%d.raw\n"), kCorrupt, "a pattern that is not understood" },
  { "PatternThatWrites", with("DATA_FILE: a%n\n"), kCorrupt, "a pattern that is not understood" },
  { "PatternOfBlanks", with("DATA_FILE: a%4d\n"), kCorrupt, "a pattern that is not understood" },
  { "PatternTooWide", with("DATA_FILE: a%0999999999999d\n"), kCorrupt, "a pattern that is not understood" },
  { "PatternUnfinished", with("DATA_FILE: a%\n"), kCorrupt, "a pattern that is not understood" },
  { "SizeOfTwo", with("DATA_SIZE: 4 4\n"), kCorrupt, "DATA_SIZE: has 2 values where 3 are expected" },
  { "SizeOfFour", with("DATA_SIZE: 4 4 4 4\n"), kCorrupt, "has 4 values" },
  { "SizeZero", with("DATA_SIZE: 4 0 4\n"), kCorrupt, "'0' is not a whole number from 1" },
  { "SizeNegative", with("DATA_SIZE: 4 -4 4\n"), kCorrupt, "'-4' is not a whole number" },
  { "SizeFraction", with("DATA_SIZE: 4 4.5 4\n"), kCorrupt, "'4.5' is not a whole number" },
  { "SizeTooLarge", with("DATA_SIZE: 4 4 2147483647\n"), kCorrupt, "to 2147483646" },
  { "SizeFarTooLarge", with("DATA_SIZE: 99999999999999999999 4 4\n"), kCorrupt, "is not a whole number" },
  { "BytesOverflow", with("DATA_SIZE: 2000000000 2000000000 2000000000\n"), kCorrupt, "more bytes than any file" },
  { "OffsetOverflow", with("BYTE_OFFSET: 9223372036854775807\n"), kCorrupt, "more bytes than any file" },
  { "OffsetNegative", with("BYTE_OFFSET: -4\n"), kCorrupt, "BYTE_OFFSET: '-4'" },
  { "Format", with("DATA_FORMAT: HALF\n"), kCorrupt, "Use BYTE, SHORT, INT, FLOAT or DOUBLE" },
  { "Endian", with("DATA_ENDIAN: MIDDLE\n"), kCorrupt, "Use LITTLE or BIG" },
  { "Centering", with("CENTERING: edge\n"), kCorrupt, "'edge' is not known here" },
  { "NoComponents", with("DATA_COMPONENTS: 0\n"), kCorrupt, "from 1 to 9" },
  { "ManyComponents", with("DATA_COMPONENTS: 10\n"), kCorrupt, "from 1 to 9" },
  { "Origin", with("BRICK_ORIGIN: 0 zero 0\n"), kCorrupt, "'zero' is not a finite number" },
  { "OriginNotFinite", with("BRICK_ORIGIN: 0 nan 0\n"), kCorrupt, "'nan' is not a finite number" },
  { "Extent", with("BRICK_SIZE: 1 inf 1\n"), kCorrupt, "'inf' is not a finite number" },
  { "ExtentZero", with("BRICK_SIZE: 1 0 1\n"), kCorrupt, "BRICK_SIZE is 0" },
  { "ExtentTooLarge", with("BRICK_SIZE: 1 1e999 1\n"), kCorrupt, "'1e999' is not a finite number" },
  { "Time", with("TIME: noon\n"), kCorrupt, "TIME: 'noon'" },
  { "Bricklets", with("DATA_FILE: a%d\nDATA_BRICKLETS: 3 4 4\n"), kCorrupt, "3 does not divide DATA_SIZE 4" },
  { "BrickletsZero", with("DATA_FILE: a%d\nDATA_BRICKLETS: 0 4 4\n"), kCorrupt, "DATA_BRICKLETS: '0'" },
  { "TooManyFiles", with("DATA_FILE: a%d\nDATA_SIZE: 500 500 500\nDATA_BRICKLETS: 1 1 1\n"), ErrorCode::Unsupported,
      "more than 1048576 files" },
  { "Divide", with("DIVIDE_BRICK: perhaps\n"), kCorrupt, "Use TRUE or FALSE" },
  { "Boundary", with("HAS_BOUNDARY: true\n"), ErrorCode::Unsupported, "HAS_BOUNDARY" },
};

INSTANTIATE_TEST_SUITE_P(
    Bov, EveryBadHeader, testing::ValuesIn(kBadHeaders), [](const auto& each) { return std::string(each.param.name); });

TEST(BovHeader, NamesTheByteOfABadLine)
{
  const Result<BovHeader> header = BovHeader::parse(with("TIME: noon\n"), "flow.bov");
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().offset, static_cast<std::int64_t>(with("").size()));
}

TEST(BovHeader, ReadsFromAFile)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("flow.bov"), kGood);
  const Result<BovHeader> header = BovHeader::read(folder.file("flow.bov"));
  ASSERT_TRUE(header) << header.error().describe();
  EXPECT_EQ(header->data.path(1), folder.file("flow_0001.raw"));
  EXPECT_EQ(BovHeader::read(folder.file("none.bov")).error().code, ErrorCode::NotFound);
  EXPECT_EQ(BovHeader::read(folder.path().string()).error().code, ErrorCode::CannotRead);
}

TEST(BovHeader, ClaimsOnlyItsOwnFiles)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("visit.bov"), kGood);
  test::write_text(folder.file("sciber.bov"), "nx=1024, ny=1024, nz=512\nx0=0\n");
  test::write_text(folder.file("binary.bov"), std::string("DATA_FILE: a\nDATA_SIZE: 1 1 1\n\0", 31));
  test::write_text(folder.file("empty.bov"), "");
  EXPECT_TRUE(BovHeader::can_read(folder.file("visit.bov")));
  for (const char* other : { "sciber.bov", "binary.bov", "empty.bov", "none.bov", "" })
  {
    EXPECT_FALSE(BovHeader::can_read(folder.file(other))) << other;
  }
}

// Whatever is done to a header, it is read or refused, and what is read holds together.
TEST(BovHeader, SurvivesEveryMutation)
{
  std::mt19937 random(7);
  const auto below = [&random](std::size_t end)
  {
    return static_cast<std::size_t>(random() % end);
  };
  using namespace std::string_literals;
  const std::string palette = "\0\n\t :%#\"0123456789-+.eEdnxDATA_\x7F\xFF"s;
  for (int round = 0; round < 4000; ++round)
  {
    std::string text = kGood;
    for (std::size_t changes = 1 + below(6); changes > 0; --changes)
    {
      const std::size_t at = below(text.size());
      const char byte = palette[below(palette.size())];
      const std::size_t kind = below(3);
      kind == 0 ? text.replace(at, 1, 1, byte)
                : (kind == 1 ? text.insert(at, 1 + below(3), byte) : text.erase(at, 1 + below(9)));
    }
    const Result<BovHeader> header = BovHeader::parse(text, "flow.bov");
    ASSERT_TRUE(!header || volume(header->size) % volume(header->block) == 0) << text;
    ASSERT_TRUE(header || !header.error().describe().empty());
  }
}

} // namespace
} // namespace rivulet
