// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Curve/Hilbert.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <gmock/gmock.h>

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

} // namespace rivulet
