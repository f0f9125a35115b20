// SPDX-License-Identifier: BSD-3-Clause
// What is hidden is hidden again, whatever part of it is asked for; and damage to it is noticed.
#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/BlankingPlanes.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;

namespace
{

bool hidden_at(const Int3& at)
{
  return (at[0] + 3 * at[1] + 5 * at[2]) % 7 < 2;
}

Result<void> fill_plane(const Int3& lattice, std::int32_t k, std::uint8_t* flags)
{
  for (std::int64_t i = 0; i < std::int64_t{ lattice[0] } * lattice[1]; ++i)
  {
    const Int3 at = from_row_major(i, lattice);
    flags[i] = hidden_at({ at[0], at[1], k }) ? 200 : 0; // any byte but 0 hides
  }
  return {};
}

/// The small field, with points hidden at step 1 and cells at step 0.
class BlankingPlanes : public testing::Test
{
protected:
  BlankingPlanes()
    : path_(folder_.file("flow.rvf"))
    , info_(small_field())
  {
    auto writer = FieldFileWriter::create(path_, info_, { .brick_cells = { 3, 3, 3 } });
    EXPECT_TRUE(writer);
    hide(**writer, Centering::Node, 1);
    write_bricks(**writer, info_);
    hide(**writer, Centering::Cell, 0);
    EXPECT_TRUE((*writer)->finish());
  }

  void hide(FieldFileWriter& writer, Centering centering, int step) const
  {
    const Int3 lattice = info_.grid.lattice(centering);
    EXPECT_TRUE(writer.hide(
        centering, step, [&](std::int32_t k, std::uint8_t* flags) { return fill_plane(lattice, k, flags); }));
  }

  static void expect_hidden(const FieldFile& file, Centering centering, int step, const Box& box)
  {
    std::vector<std::uint8_t> found(static_cast<std::size_t>(box.count()), 99);
    ASSERT_TRUE(file.read_hidden(centering, step, box, found.data()));
    for (std::int64_t i = 0; i < box.count(); ++i)
    {
      const Int3 at = from_row_major(i, box.size());
      const bool wanted = hidden_at({ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] });
      ASSERT_EQ(found[static_cast<std::size_t>(i)], wanted ? 1 : 0) << i;
    }
  }

  TemporaryFolder folder_;
  std::string path_;
  FieldInfo info_;
};

} // namespace

TEST_F(BlankingPlanes, AreReadAsTheyWereWritten)
{
  const Result<FieldFile> file = FieldFile::open(path_);
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_FALSE(file->hides(Centering::Node, 0));
  EXPECT_TRUE(file->hides(Centering::Node, 1));
  EXPECT_TRUE(file->hides(Centering::Cell, 0));
  EXPECT_FALSE(file->hides(Centering::Cell, 1));
  expect_hidden(*file, Centering::Node, 1, { { 0, 0, 0 }, info_.grid.nodes });
  expect_hidden(*file, Centering::Node, 1, { { 3, 2, 1 }, { 4, 7, 5 } });
  expect_hidden(*file, Centering::Cell, 0, { { 0, 0, 0 }, info_.grid.cells() });
  expect_hidden(*file, Centering::Cell, 0, { { 1, 6, 4 }, { 10, 7, 5 } });
}

TEST_F(BlankingPlanes, LeaveTheBricksAlone)
{
  const FieldFile file = *FieldFile::open(path_);
  for (std::int64_t hilbert = 0; hilbert < file.layouts[0].grid.size(); ++hilbert)
  {
    const std::vector<std::byte> record = read_record(file, { 0, 1, hilbert });
    ASSERT_EQ(check_record(record.data(), file.layouts[0], { 0, 1, hilbert }), RecordState::Sound);
  }
  EXPECT_TRUE(file.brick_ranges(1, 0));
}

TEST_F(BlankingPlanes, WithOneBitChangedAreCorrupt)
{
  const FieldFile file = *FieldFile::open(path_);
  std::vector<char> bytes = bytes_of(path_);
  const std::int64_t row = hidden_row_bytes(info_.grid.nodes);
  const std::int64_t at = file.hidden_at(Centering::Node, 1) + 2 * row;
  bytes[static_cast<std::size_t>(at)] ^= 1;
  write_bytes(path_, bytes);
  const Result<FieldFile> damaged = FieldFile::open(path_);
  ASSERT_TRUE(damaged);
  std::vector<std::uint8_t> out(100);
  EXPECT_TRUE(damaged->read_hidden(Centering::Node, 1, { { 0, 0, 0 }, { 11, 8, 1 } }, out.data()));
  const Result<void> read = damaged->read_hidden(Centering::Node, 1, { { 0, 0, 2 }, { 11, 8, 3 } }, out.data());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Corrupt);
  EXPECT_EQ(read.error().offset, at);
  EXPECT_EQ(read.error().path, path_);
}

TEST_F(BlankingPlanes, OfAnotherSizeAreRefused)
{
  hdf5::StoredField field;
  field.uuid = std::string(36, 'a');
  field.grid.nodes = { 11, 8, 6 };
  field.times = { 0.0 };
  hdf5::StoredVariable variable;
  variable.ranges.components = { { 0, 1 } };
  variable.variable.name = "speed";
  variable.brick_cells = { 10, 7, 5 };
  variable.brick_nodes = { 11, 8, 6 };
  variable.brick_count = 1;
  variable.payload = 11 * 8 * 6 * 4;
  variable.stride = 4096;
  variable.brick_range_checksums = { 0 };
  field.variables = { variable };
  ASSERT_TRUE(hdf5::create_file(path_, field));
  ASSERT_TRUE(hdf5::add_hidden(path_, Centering::Node, 0, 6, 12));
  ASSERT_TRUE(hdf5::complete_file(path_, field));
  const Result<FieldFile> file = FieldFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().what, HasSubstr("the hidden points of step 0 are 6 records of 12 bytes, not 6 of 19"));
}

TEST_F(BlankingPlanes, OfAStepThatIsNotThereAreRefused)
{
  auto writer = FieldFileWriter::create(path_, info_, {});
  ASSERT_TRUE(writer);
  EXPECT_EQ((*writer)->hide(Centering::Node, 2, {}).error().code, ErrorCode::BadArgument);
}

TEST(HiddenRows, HaveALongestLength)
{
  EXPECT_EQ(hidden_row_bytes({ 3, 3, 9 }), 2 + 8);
  EXPECT_EQ(hidden_row_bytes({ 1 << 30, 1 << 30, 1 }), -1);
}

} // namespace rivulet
