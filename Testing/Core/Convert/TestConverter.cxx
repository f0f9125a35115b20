// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Converter.h"
#include "Curve/Hilbert.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rivulet
{

namespace
{

using test::cell_pressure;
using test::NumberedSource;
using test::TemporaryFolder;
using test::velocity;

ConvertOptions with(std::int64_t memory, int threads, const Int3& cells = { 9, 9, 9 })
{
  ConvertOptions options;
  options.memory = memory;
  options.threads = threads;
  options.file.brick_cells = cells;
  return options;
}

// The first value of the brick's record that is not what the source says there, in words; empty when all are right.
std::string wrong_value(const FieldFile& file, const std::vector<char>& bytes, const BrickKey& key)
{
  const BrickLayout& layout = file.layouts[static_cast<std::size_t>(key.variable)];
  const Variable& variable = file.info.variables[static_cast<std::size_t>(key.variable)];
  const Int3 brick = from_row_major(key.index, layout.grid.count);
  const std::int64_t record = layout.steps[static_cast<std::size_t>(key.step)].offset +
                              HilbertCurve(layout.grid.count).index(brick) * layout.stride;
  const char* value = bytes.data() + record;
  for (std::int64_t point = 0; point < volume(layout.nodes); ++point)
  {
    Int3 at = from_row_major(point, layout.nodes);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] = std::min(at[axis] + brick[axis] * layout.cells[axis], layout.grid.lattice[axis] - 1);
    }
    for (int component = 0; component < variable.components; ++component)
    {
      float single = 0;
      double found = 0;
      std::memcpy(&single, value, sizeof single);
      std::memcpy(&found, value, size_of(variable.type));
      found = variable.type == ScalarType::Float32 ? static_cast<double>(single) : found;
      if (found != test::value_at(key.variable, key.step, at, component))
      {
        return "brick " + std::to_string(key.index) + ", point " + std::to_string(point);
      }
      value += size_of(variable.type);
    }
  }
  return "";
}

// Every value of every brick against the source.
void expect_all_values(const std::string& path)
{
  const Result<FieldFile> file = FieldFile::open(path);
  ASSERT_TRUE(file.has_value()) << file.error().describe();
  const std::vector<char> bytes = test::bytes_of(path);
  for (int variable = 0; variable < static_cast<int>(file->layouts.size()); ++variable)
  {
    for (int step = 0; step < static_cast<int>(file->info.times.size()); ++step)
    {
      for (std::int64_t brick = 0; brick < file->layouts[static_cast<std::size_t>(variable)].grid.size(); ++brick)
      {
        ASSERT_EQ(wrong_value(*file, bytes, { variable, step, brick }), "");
      }
    }
  }
}

void expect_converts(NumberedSource& source, const ConvertOptions& options)
{
  const TemporaryFolder folder;
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), options);
  ASSERT_TRUE(report.has_value()) << report.error().describe();
  EXPECT_LE(report->memory_bytes, options.memory);
  expect_all_values(folder.file("field.rvf"));
}

// All records of a file, one after the other, then its ranges: what must not depend on how it was made.
std::string content_of(const std::string& path)
{
  const Result<FieldFile> file = FieldFile::open(path);
  EXPECT_TRUE(file.has_value());
  const std::vector<char> bytes = test::bytes_of(path);
  std::string content;
  for (std::size_t variable = 0; variable < file->layouts.size(); ++variable)
  {
    const BrickLayout& layout = file->layouts[variable];
    for (std::size_t step = 0; step < layout.steps.size(); ++step)
    {
      content.append(
          bytes.data() + layout.steps[step].offset, static_cast<std::size_t>(layout.grid.size() * layout.stride));
      const auto ranges = file->brick_ranges(static_cast<int>(variable), static_cast<int>(step));
      EXPECT_TRUE(ranges.has_value());
      content.append(reinterpret_cast<const char*>(ranges->data()), ranges->size() * sizeof(ranges->front()));
    }
    content += testing::PrintToString(file->info.ranges[variable].components);
  }
  return content;
}

std::string converted(const ConvertOptions& options)
{
  const TemporaryFolder folder;
  NumberedSource source({ 61, 47, 33 }, { velocity(), cell_pressure() }, 2);
  source.preferred = { 61, 47, 0 };
  ConvertOptions same = options;
  same.file.uuid = std::string(36, 'a'); // checksums cover it
  EXPECT_TRUE(convert(source, folder.file("field.rvf"), same).has_value());
  return content_of(folder.file("field.rvf"));
}

} // namespace

TEST(Converter, keeps_every_value_of_an_odd_sized_field)
{
  NumberedSource source({ 47, 31, 23 }, { velocity() });
  source.preferred = { 47, 31, 0 };
  expect_converts(source, with(kGiB, 2));
}

TEST(Converter, keeps_every_value_in_the_smallest_memory)
{
  NumberedSource source({ 47, 31, 23 }, { velocity() });
  source.preferred = { 47, 31, 0 };
  expect_converts(source, with(12000 + 12288 + 100, 4));
}

TEST(Converter, keeps_every_value_when_a_row_of_bricks_fits_but_not_a_layer)
{
  NumberedSource source({ 101, 60, 20 }, { velocity() });
  source.preferred = { 101, 60, 0 };
  expect_converts(source, with(200 * kKiB, 1));
}

TEST(Converter, keeps_every_value_of_several_variables_and_steps)
{
  NumberedSource source({ 30, 21, 14 }, { velocity(), cell_pressure() }, 3);
  expect_converts(source, with(256 * kKiB, 3));
}

TEST(Converter, keeps_every_value_of_double_precision)
{
  NumberedSource source({ 25, 26, 27 }, { { "force", ScalarType::Float64, 9, Centering::Node } });
  expect_converts(source, with(kMiB, 2, { 4, 5, 6 }));
}

TEST(Converter, keeps_every_value_of_a_plane_and_of_a_line)
{
  NumberedSource plane({ 50, 40, 1 }, { velocity(), cell_pressure() });
  expect_converts(plane, with(kGiB, 2));
  NumberedSource line({ 1, 1, 77 }, { velocity() });
  expect_converts(line, with(kGiB, 2));
}

TEST(Converter, keeps_every_value_of_a_field_smaller_than_a_brick)
{
  NumberedSource source({ 3, 2, 2 }, { velocity() });
  expect_converts(source, with(kGiB, 8));
}

TEST(Converter, writes_the_same_bytes_with_any_number_of_threads)
{
  const std::string one = converted(with(kMiB, 1));
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(one == converted(with(kMiB, 2)));
  EXPECT_TRUE(one == converted(with(kMiB, 4)));
}

TEST(Converter, writes_the_same_bytes_in_any_memory)
{
  EXPECT_TRUE(converted(with(kGiB, 2)) == converted(with(100 * kKiB, 2)));
}

TEST(Converter, reads_little_more_than_once)
{
  const TemporaryFolder folder;
  NumberedSource source({ 200, 150, 90 }, { velocity() });
  source.preferred = { 200, 150, 0 };
  ASSERT_TRUE(convert(source, folder.file("field.rvf"), with(64 * kMiB, 2)).has_value());
  EXPECT_LT(source.points_read, 200 * 150 * 90 * 1.13);
}

TEST(Converter, writes_long_stretches_of_the_curve_at_once)
{
  const TemporaryFolder folder;
  NumberedSource source({ 200, 150, 90 }, { velocity() });
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), with(64 * kMiB, 1));
  ASSERT_TRUE(report.has_value());
  EXPECT_GT(report->bricks, 5 * report->runs);
}

TEST(Converter, counts_the_source_bytes_once_and_to_the_end)
{
  const TemporaryFolder folder;
  NumberedSource source({ 40, 30, 20 }, { velocity() }, 2);
  std::int64_t last = 0;
  ConvertOptions options = with(kMiB, 2);
  options.progress = [&](std::int64_t done, std::int64_t total)
  {
    EXPECT_LE(last, done);
    EXPECT_EQ(total, 40 * 30 * 20 * 12 * 2);
    last = done;
  };
  ASSERT_TRUE(convert(source, folder.file("field.rvf"), options).has_value());
  EXPECT_EQ(last, 40 * 30 * 20 * 12 * 2);
}

TEST(Converter, leaves_nothing_behind_when_cancelled)
{
  const TemporaryFolder folder;
  NumberedSource source({ 100, 100, 100 }, { velocity() });
  std::atomic<bool> cancel{ false };
  std::atomic<int> reads{ 0 };
  source.before_read = [&]
  {
    cancel = ++reads > 3;
    return Result<void>();
  };
  ConvertOptions options = with(kMiB, 2);
  options.cancel = &cancel;
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), options);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
  EXPECT_LE(reads, 5) << "each of two workers may finish the read that it was in";
  EXPECT_TRUE(test::names_in(folder).empty());
}

TEST(Converter, says_what_the_source_said_and_leaves_nothing_behind)
{
  const TemporaryFolder folder;
  NumberedSource source({ 60, 60, 60 }, { velocity() });
  std::atomic<int> reads{ 0 };
  source.before_read = [&]() -> Result<void>
  {
    return ++reads == 3 ? fail(ErrorCode::CannotRead, "bad sector", "", "raw.bin", 4711) : Result<void>();
  };
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), with(kMiB, 2));
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().describe(), "raw.bin: bad sector (at byte 4711).");
  EXPECT_TRUE(test::names_in(folder).empty());
}

TEST(Converter, refuses_a_memory_limit_below_one_brick)
{
  const TemporaryFolder folder;
  NumberedSource source({ 60, 60, 60 }, { velocity() });
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), with(12 * kKiB, 2));
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::BudgetTooSmall);
  EXPECT_TRUE(test::names_in(folder).empty());
}

TEST(Converter, reads_large_planes_in_pieces)
{
  const TemporaryFolder folder;
  NumberedSource source({ 400, 300, 40 }, { velocity() });
  source.preferred = { 400, 300, 0 };
  ASSERT_TRUE(convert(source, folder.file("field.rvf"), with(kGiB, 1)).has_value());
  EXPECT_LE(source.largest_read, 8 * kMiB);
}

} // namespace rivulet
