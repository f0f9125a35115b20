// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BovWriter.h"
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
