// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Curve/Hilbert.h"
#include "Io/FieldFile/BrickMeasure.h"
#include "Support/TemporaryFolder.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet
{

using namespace test;

TEST(FieldFile, TellsWhatWasWritten)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  write_field(folder.file("flow.rvf"), info, { .brick_cells = { 3, 4, 2 } });
  const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->info.grid.nodes, info.grid.nodes);
  EXPECT_EQ(file->info.grid.first, info.grid.first);
  EXPECT_EQ(file->info.grid.origin, info.grid.origin);
  EXPECT_EQ(file->info.grid.spacing, info.grid.spacing);
  EXPECT_EQ(file->info.grid.direction, info.grid.direction);
  EXPECT_EQ(file->info.times, info.times);
  ASSERT_EQ(file->info.variables.size(), 2U);
  EXPECT_EQ(file->info.variables[1].name, "pressure");
  EXPECT_EQ(file->info.variables[1].type, ScalarType::Float64);
  EXPECT_EQ(file->info.variables[1].centering, Centering::Cell);
  EXPECT_EQ(file->layouts[0].nodes, (Int3{ 4, 5, 3 }));
  EXPECT_EQ(file->layouts[1].nodes, (Int3{ 3, 4, 2 })); // cells share no layer
  EXPECT_EQ(file->layouts[0].grid.count, (Int3{ 4, 2, 3 }));
  EXPECT_EQ(file->uuid.size(), 36U);
  EXPECT_TRUE(file->page_aligned);
}

TEST(FieldFile, TellsTypesOfWholeNumbers)
{
  const TemporaryFolder folder;
  FieldInfo info = small_field();
  info.variables[0].whole = WholeType::UInt16; // the writer does not look at values that floats hold
  for (const Encoding encoding : { Encoding::Plain, Encoding::Fixed16 })
  {
    write_field(folder.file("flow.rvf"), info, { .brick_cells = { 3, 4, 2 }, .encoding = encoding });
    const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
    ASSERT_TRUE(file) << file.error().describe();
    EXPECT_EQ(file->info.variables[0].whole, encoding == Encoding::Plain ? WholeType::UInt16 : WholeType::None);
    EXPECT_EQ(file->info.variables[1].whole, WholeType::None);
  }
}

TEST(FieldFile, HoldsEveryBrickWhereTheCurveSays)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  write_field(folder.file("flow.rvf"), info, { .brick_cells = { 3, 3, 3 } });
  const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
  ASSERT_TRUE(file) << file.error().describe();
  for (const RecordPlace series : { RecordPlace{ 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 } })
  {
    const BrickLayout& layout = file->layouts[static_cast<std::size_t>(series.variable)];
    const HilbertCurve curve(layout.grid.count);
    for (std::int64_t hilbert = 0; hilbert < layout.grid.size(); ++hilbert)
    {
      const RecordPlace place{ series.variable, series.step, hilbert };
      const BrickKey key{ place.variable, place.step, row_major(curve.at(hilbert), layout.grid.count) };
      std::vector<std::byte> record = read_record(*file, place);
      ASSERT_EQ(check_record(record.data(), layout, place), RecordState::Sound);
      record.resize(static_cast<std::size_t>(layout.payload));
      ASSERT_EQ(record, payload_of(info, layout, key));
    }
  }
}

TEST(FieldFile, StaysReadableWhenRepacked)
{
  if (std::system("command -v h5repack > /dev/null") != 0)
  {
    GTEST_SKIP() << "h5repack is not installed";
  }
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  write_field(folder.file("flow.rvf"), info);
  const std::string command = "h5repack '" + folder.file("flow.rvf") + "' '" + folder.file("packed.rvf") + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Result<FieldFile> file = FieldFile::open(folder.file("packed.rvf"));
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_FALSE(file->page_aligned);
  EXPECT_TRUE(file->brick_ranges(0, 1));
  for (std::int64_t hilbert = 0; hilbert < file->layouts[1].grid.size(); ++hilbert)
  {
    const std::vector<std::byte> record = read_record(*file, { 1, 1, hilbert });
    EXPECT_EQ(check_record(record.data(), file->layouts[1], { 1, 1, hilbert }), RecordState::Sound);
  }
}

TEST(FieldFile, KnowsTheRangesOfItsBricks)
{
  const TemporaryFolder folder;
  write_field(folder.file("flow.rvf"), small_field(), { .brick_cells = { 3, 3, 3 } });
  const FieldFile file = *FieldFile::open(folder.file("flow.rvf"));
  const std::vector<std::array<float, 2>> ranges = *file.brick_ranges(1, 1);
  const BrickLayout& layout = file.layouts[1];
  ASSERT_EQ(static_cast<std::int64_t>(ranges.size()), layout.grid.size());
  for (std::int64_t index = 0; index < layout.grid.size(); ++index)
  {
    const Box box = lattice_box(layout, from_row_major(index, layout.grid.count));
    const double low = value_at(1, 1, box.begin, 0);
    const double high = value_at(1, 1, { box.end[0] - 1, box.end[1] - 1, box.end[2] - 1 }, 0);
    EXPECT_EQ(ranges[static_cast<std::size_t>(index)], outer_range({ low, high }));
  }
  EXPECT_EQ(file.brick_ranges(2, 0).error().code, ErrorCode::BadArgument);
  EXPECT_EQ(file.brick_ranges(0, 2).error().code, ErrorCode::BadArgument);
}

TEST(FieldFile, OpensFromManyThreads)
{
  const TemporaryFolder folder;
  write_field(folder.file("flow.rvf"), small_field());
  std::vector<std::thread> team;
  for (int thread = 0; thread < 4; ++thread)
  {
    team.emplace_back(
        [&]
        {
          for (int i = 0; i < 5; ++i)
          {
            EXPECT_TRUE(FieldFile::open(folder.file("flow.rvf")));
            EXPECT_FALSE(FieldFile::open(folder.file("none.rvf")));
          }
        });
  }
  for (std::thread& thread : team)
  {
    thread.join();
  }
}

} // namespace rivulet
