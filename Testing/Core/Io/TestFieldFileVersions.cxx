// SPDX-License-Identifier: BSD-3-Clause
// Files of versions 1 and 2, as earlier programs wrote them, are read as they were; and from version 3 on no file's
// bricks pass for another's.
#include "Core/Io/FieldFiles.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace rivulet
{

using namespace test;

namespace
{

/// Whether all records, and the ranges, are sound.
void expect_sound(const FieldFile& file)
{
  const BrickLayout& layout = file.layouts[0];
  for (std::int64_t hilbert = 0; hilbert < layout.grid.size(); ++hilbert)
  {
    const std::vector<std::byte> record = read_record(file, { 0, 0, hilbert });
    EXPECT_EQ(check_record(record.data(), layout, { 0, 0, hilbert }), RecordState::Sound) << hilbert;
  }
  EXPECT_TRUE(file.brick_ranges(0, 0));
}

} // namespace

TEST(FieldFileVersions, TheFirstIsRead)
{
  const Result<FieldFile> file = FieldFile::open(RIVULET_OLD_FILES "/version1.rvf");
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->info.grid.nodes, (Int3{ 6, 5, 4 }));
  EXPECT_EQ(file->layouts[0].encoding, Encoding::Plain);
  EXPECT_FALSE(file->hides(Centering::Node, 0));
  expect_sound(*file);
}

TEST(FieldFileVersions, TheSecondIsRead)
{
  const Result<FieldFile> file = FieldFile::open(RIVULET_OLD_FILES "/version2.rvf");
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->layouts[0].encoding, Encoding::Fixed16);
  EXPECT_GT(file->layouts[0].largest_error, 0.0);
  expect_sound(*file);
}

TEST(FieldFileVersions, ABrickOfAnotherFileOfTheSameFieldIsNoticed)
{
  const TemporaryFolder folder;
  write_field(folder.file("one.rvf"), small_field(), { .brick_cells = { 3, 3, 3 } });
  write_field(folder.file("two.rvf"), small_field(), { .brick_cells = { 3, 3, 3 } });
  const FieldFile one = *FieldFile::open(folder.file("one.rvf"));
  const FieldFile two = *FieldFile::open(folder.file("two.rvf"));
  const std::vector<std::byte> record = read_record(one, { 0, 1, 7 });
  EXPECT_EQ(check_record(record.data(), one.layouts[0], { 0, 1, 7 }), RecordState::Sound);
  EXPECT_EQ(check_record(record.data(), two.layouts[0], { 0, 1, 7 }), RecordState::BadChecksum);
}

TEST(FieldFileVersions, AFlagThatIsChangedIsNoticed)
{
  const TemporaryFolder folder;
  write_field(folder.file("one.rvf"), small_field());
  const FieldFile one = *FieldFile::open(folder.file("one.rvf"));
  std::vector<std::byte> record = read_record(one, { 0, 0, 0 });
  record[record.size() - 16] ^= std::byte{ 1 };
  EXPECT_EQ(check_record(record.data(), one.layouts[0], { 0, 0, 0 }), RecordState::BadChecksum);
}

TEST(FieldFileVersions, TheSameIdentityGivesTheSameBytes)
{
  const TemporaryFolder folder;
  const FieldFileOptions options{ .uuid = std::string(36, 'b') };
  write_field(folder.file("one.rvf"), small_field(), options);
  write_field(folder.file("two.rvf"), small_field(), options);
  EXPECT_EQ(bytes_of(folder.file("one.rvf")), bytes_of(folder.file("two.rvf")));
}

} // namespace rivulet
