// SPDX-License-Identifier: BSD-3-Clause
// Tables that are written, read by the library and by Rivulet's own parser.
#include "Hdf5/LibraryFile.h"
#include "Hdf5/OldStyleFile.h"
#include "Hdf5/TableWriter.h"
#include "Io/Files/File.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet;
using namespace rivulet::hdf5;
using rivulet::test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Record
{
  double number;
  std::array<std::int32_t, 2> pair;
  std::int8_t flag;
};

TEST(TableWriter, TablesAreThoseThatTheLibraryReads)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("tables.h5");
  const std::array<Record, 2> records{ { { 1.5, { 2, 3 }, 1 }, { -2.5, { 4, 5 }, 0 } } };
  const std::array<RecordMember, 3> members{ { { "flag", offsetof(Record, flag), RecordMember::Type::Int8 },
      { "number", offsetof(Record, number), RecordMember::Type::Float64 },
      { "pair", offsetof(Record, pair), RecordMember::Type::Int32, 2 } } };
  const Result<void> written = write_tables(path,
      [&](TableWriter& to)
      {
        to.group("a group");
        to.integers("a group/ints", std::array{ 1, -2, 3, 4, 5, 6 }, 3);
        to.numbers("numbers", std::array{ 0.5, 1e300 });
        to.floats("floats", std::array{ 2.0F });
        to.texts("texts", std::array<std::string, 2>{ "one", "three::3" });
        to.records("records", members, std::as_bytes(std::span(records)), records.size());
      });
  ASSERT_TRUE(written) << written.error().describe();
  const Result<LibraryFile> file = LibraryFile::open(path);
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_THAT(*file->integers("/a group/ints"), ElementsAre(1, -2, 3, 4, 5, 6));
  EXPECT_THAT(*file->dimensions("/a group/ints"), ElementsAre(2, 3));
  EXPECT_THAT(*file->numbers("/numbers"), ElementsAre(0.5, 1e300));
  EXPECT_THAT(*file->numbers("/floats"), ElementsAre(2.0));
  EXPECT_THAT(*file->texts("/texts"), ElementsAre("one", "three::3"));
  EXPECT_THAT(*file->member("/records", "flag"), ElementsAre(1, 0));
  EXPECT_THAT(*file->member("/records", "number"), ElementsAre(1.5, -2.5));
  EXPECT_THAT(*file->member("/records", "pair"), ElementsAre(2, 3, 4, 5));
}

TEST(TableWriter, ValuesAreWrittenIntoTheirRoomLater)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("values.h5");
  std::int64_t place = 0;
  ASSERT_TRUE(write_tables(path,
      [&](TableWriter& to)
      {
        to.group("patch");
        place = to.room("patch/density", ScalarType::Float64, 1000);
      }));
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = 0.25 * static_cast<double>(i);
  }
  Result<File> file = File::open(path, File::Mode::ReadWrite);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->pwrite_full(values.data(), 8000, place));
  EXPECT_EQ(*LibraryFile::open(path)->numbers("/patch/density"), values);
  BufferedFile bytes(*file, *file->size(), BufferedFile::kLittle, nullptr);
  const Result<OldStyleFile> parsed = OldStyleFile::open(bytes);
  ASSERT_TRUE(parsed) << parsed.error().describe();
  EXPECT_TRUE(parsed->complete());
}

TEST(TableWriter, TheSameTablesHaveTheSameBytes)
{
  const TemporaryFolder folder;
  std::array<std::string, 2> texts;
  for (std::size_t i = 0; i < 2; ++i)
  {
    const std::string path = folder.file(std::to_string(i));
    ASSERT_TRUE(write_tables(path,
        [](TableWriter& to)
        {
          to.group("g");
          to.numbers("g/x", std::array{ 1.0, 2.0 });
          (void)to.room("g/y", ScalarType::Float32, 10);
        }));
    std::ifstream file(path, std::ios::binary);
    texts.at(i) = { std::istreambuf_iterator<char>(file), {} };
  }
  EXPECT_GT(texts[0].size(), 1000U);
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(TableWriter, NamesWhatCannotBeWritten)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("twice.h5");
  const Result<void> twice = write_tables(path,
      [](TableWriter& to)
      {
        to.floats("x", std::array{ 1.0F });
        to.floats("x", std::array{ 1.0F });
      });
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::CannotWrite);
  EXPECT_THAT(twice.error().describe(), HasSubstr("dataset \"x\" cannot be created"));
  const Result<void> nowhere = write_tables("/proc/none/x.h5", [](TableWriter&) {});
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().describe(), HasSubstr("/proc/none/x.h5"));
}

} // namespace
