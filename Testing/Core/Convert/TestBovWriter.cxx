// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BovWriter.h"
#include "Io/Blocks/BovReader.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rivulet
{

namespace
{

using test::NumberedSource;
using test::TemporaryFolder;

std::string text_of(const std::string& path)
{
  const std::vector<char> bytes = test::bytes_of(path);
  return { bytes.begin(), bytes.end() };
}

// Whether the file holds the velocities of `box`, x fastest.
void expect_values(const std::string& path, int step, const Box& box)
{
  const std::vector<char> bytes = test::bytes_of(path);
  ASSERT_EQ(bytes.size(), static_cast<std::size_t>(box.count()) * 12);
  for (std::int64_t point = 0; point < box.count(); ++point)
  {
    Int3 at = from_row_major(point, box.size());
    at = { at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
    std::array<float, 3> value{};
    std::memcpy(value.data(), bytes.data() + 12 * point, 12);
    ASSERT_EQ(value[1], test::value_at(0, step, at, 1)) << point;
  }
}

} // namespace

TEST(BovWriter, writes_a_header_that_names_everything)
{
  const TemporaryFolder folder;
  NumberedSource source({ 8, 6, 4 }, { test::velocity() });
  ASSERT_TRUE(write_bov(source, folder.file("flow.bov"), {}).has_value());
  const std::string header = text_of(folder.file("flow.bov"));
  for (const char* line :
      { "TIME: 0\n", "DATA_FILE: flow.raw\n", "DATA_SIZE: 8 6 4\n", "DATA_FORMAT: FLOAT\n", "DATA_COMPONENTS: 3\n",
          "VARIABLE: velocity\n", "CENTERING: nodal\n", "BRICK_ORIGIN: 0 0 0\n", "BRICK_SIZE: 7 5 3\n" })
  {
    EXPECT_NE(header.find(line), std::string::npos) << line;
  }
  expect_values(folder.file("flow.raw"), 0, { { 0, 0, 0 }, { 8, 6, 4 } });
}

TEST(BovWriter, cuts_a_step_into_blocks_x_fastest)
{
  const TemporaryFolder folder;
  NumberedSource source({ 8, 6, 4 }, { test::velocity() });
  BovOptions options;
  options.blocks = { 2, 3, 1 };
  ASSERT_TRUE(write_bov(source, folder.file("flow.bov"), options).has_value());
  EXPECT_NE(text_of(folder.file("flow.bov")).find("DATA_FILE: flow.%05d.raw\n"), std::string::npos);
  EXPECT_NE(text_of(folder.file("flow.bov")).find("DATA_BRICKLETS: 4 2 4\n"), std::string::npos);
  expect_values(folder.file("flow.00001.raw"), 0, { { 4, 0, 0 }, { 8, 2, 4 } });
  expect_values(folder.file("flow.00004.raw"), 0, { { 0, 4, 0 }, { 4, 6, 4 } });
}

TEST(BovWriter, writes_rows_one_by_one_in_the_smallest_memory)
{
  const TemporaryFolder folder;
  NumberedSource source({ 20, 7, 5 }, { test::velocity() }, 2);
  BovOptions options;
  options.memory = 20 * 12;
  options.threads = 3;
  ASSERT_TRUE(write_bov(source, folder.file("flow.bov"), options).has_value());
  EXPECT_EQ(source.largest_read, 20 * 12);
  expect_values(folder.file("flow_0001.raw"), 1, { { 0, 0, 0 }, { 20, 7, 5 } });
}

TEST(BovWriter, names_every_variable_and_step)
{
  const TemporaryFolder folder;
  NumberedSource source({ 4, 4, 4 }, { test::velocity(), test::cell_pressure() }, 2);
  const Result<BovReport> report = write_bov(source, folder.file("flow.bov"), {});
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->headers.size(), 4U);
  EXPECT_EQ(report->bytes, 2 * (64 * 12 + 27 * 8));
  EXPECT_EQ(test::names_in(folder).front(), "flow_pressure_0000.bov");
  EXPECT_NE(text_of(folder.file("flow_pressure_0001.bov")).find("DATA_SIZE: 3 3 3\n"), std::string::npos);
}

namespace
{

// Reads what was written through its header, and compares every value.
void expect_round_trip(const std::string& file, const std::vector<std::string>& names, const Int3& blocks)
{
  const TemporaryFolder folder;
  std::vector<Variable> variables;
  for (const std::string& name : names)
  {
    variables.push_back(test::velocity());
    variables.back().name = name;
  }
  NumberedSource source({ 4, 4, 2 }, variables, 2);
  BovOptions options;
  options.blocks = blocks;
  const Result<BovReport> report = write_bov(source, folder.file(file), options);
  ASSERT_TRUE(report) << file << ": " << report.error().describe();
  const auto reader = open_bov_reader(report->headers);
  ASSERT_TRUE(reader) << file << ": " << reader.error().describe();
  EXPECT_TRUE((*reader)->field().notes.empty()) << (*reader)->field().notes.front();
  ASSERT_EQ((*reader)->info().variables.size(), names.size());
  for (int variable = 0; variable < static_cast<int>(names.size()); ++variable)
  {
    EXPECT_EQ((*reader)->info().variables[static_cast<std::size_t>(variable)].name,
        names[static_cast<std::size_t>(variable)]);
    const Box all{ { 0, 0, 0 }, { 4, 4, 2 } };
    std::array<float, 96> written{};
    std::array<float, 96> read{};
    ASSERT_TRUE(source.read(variable, 1, all, written.data()));
    ASSERT_TRUE((*reader)->read(variable, 1, all, read.data())) << file;
    EXPECT_EQ(written, read) << file << " " << names[static_cast<std::size_t>(variable)];
  }
}

} // namespace

TEST(BovWriter, writes_names_of_all_kinds_so_that_they_are_read_again)
{
  const std::vector<std::string> odd{ "my flow", "50%", "#1", "a#b", "%d", "%05d of", " in front", "tab\tstop", "a: b",
    "it's", "# DATA_FILE: x", "%%", "100% # wet: \\ ", "\xc3\xbc", "behind " };
  for (const std::string& name : odd)
  {
    for (const Int3& blocks : { Int3{ 1, 1, 1 }, Int3{ 2, 1, 1 } })
    {
      expect_round_trip(name + ".bov", { "velocity" }, blocks);
      expect_round_trip("flow.bov", { name }, blocks);
      expect_round_trip(name + ".bov", { name, "p" + name }, blocks);
    }
  }
}

TEST(BovWriter, refuses_names_that_no_header_can_hold_before_it_writes)
{
  for (const std::string name : { "a\"b", "a\nb", "" })
  {
    const TemporaryFolder folder;
    Variable variable = test::velocity();
    variable.name = name;
    NumberedSource source({ 4, 4, 2 }, { variable });
    const Result<BovReport> report = write_bov(source, folder.file("flow.bov"), {});
    ASSERT_FALSE(report.has_value()) << name;
    EXPECT_EQ(report.error().code, ErrorCode::BadArgument);
    EXPECT_FALSE(report.error().remedy.empty());
    EXPECT_TRUE(test::names_in(folder).empty());
  }
  const TemporaryFolder folder;
  NumberedSource source({ 4, 4, 2 }, { test::velocity() });
  EXPECT_FALSE(write_bov(source, folder.file("a\"b.bov"), {}).has_value());
  NumberedSource path({ 4, 4, 2 }, { test::velocity(), test::velocity() });
  EXPECT_FALSE(write_bov(path, folder.file("flow.bov"), {}).has_value());
  EXPECT_TRUE(test::names_in(folder).empty());
}

TEST(BovWriter, leaves_nothing_behind_when_the_source_fails)
{
  const TemporaryFolder folder;
  NumberedSource source({ 8, 8, 8 }, { test::velocity() });
  source.before_read = []
  {
    return Result<void>(fail(ErrorCode::CannotRead, "bad sector"));
  };
  EXPECT_FALSE(write_bov(source, folder.file("flow.bov"), {}).has_value());
  EXPECT_TRUE(test::names_in(folder).empty());
}

TEST(BovWriter, refuses_blocks_that_do_not_divide_the_lattice)
{
  const TemporaryFolder folder;
  NumberedSource source({ 8, 8, 8 }, { test::velocity() });
  BovOptions options;
  options.blocks = { 3, 1, 1 };
  const Result<BovReport> report = write_bov(source, folder.file("flow.bov"), options);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::BadArgument);
}

} // namespace rivulet
