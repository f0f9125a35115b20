// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Converter.h"
#include "Convert/FieldFileLattice.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace rivulet
{

namespace
{

using test::TemporaryFolder;

void write_field(const std::string& path, const Int3& nodes)
{
  test::NumberedSource source(nodes, { test::velocity(), test::cell_pressure() }, 2);
  EXPECT_TRUE(convert(source, path, {}).has_value());
}

std::vector<float> velocities(LatticeReader& reader, const Box& box)
{
  std::vector<float> values(static_cast<std::size_t>(3 * box.count()), -1.0F);
  const Result<void> read = reader.read(0, 1, box, values.data());
  EXPECT_TRUE(read.has_value());
  return values;
}

} // namespace

TEST(FieldFileLattice, gives_back_the_values_of_any_box)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), { 40, 30, 20 });
  Result<std::unique_ptr<FieldFileLattice>> lattice = FieldFileLattice::open({ folder.file("field.rvf") });
  ASSERT_TRUE(lattice.has_value());
  test::NumberedSource source({ 40, 30, 20 }, { test::velocity(), test::cell_pressure() }, 2);
  for (const Box& box : { Box{ { 0, 0, 0 }, { 40, 30, 20 } }, Box{ { 9, 9, 9 }, { 10, 10, 10 } },
           Box{ { 5, 17, 3 }, { 31, 30, 20 } }, Box{ { 39, 29, 19 }, { 40, 30, 20 } } })
  {
    EXPECT_EQ(velocities(**lattice, box), velocities(source, box));
  }
}

TEST(FieldFileLattice, re_bricks_without_changing_a_value)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), { 40, 30, 20 });
  Result<std::unique_ptr<FieldFileLattice>> first = FieldFileLattice::open({ folder.file("field.rvf") });
  ConvertOptions options;
  options.file.brick_cells = { 16, 7, 4 };
  options.memory = kMiB;
  ASSERT_TRUE(convert(**first, folder.file("other.rvf"), options).has_value());
  Result<std::unique_ptr<FieldFileLattice>> second = FieldFileLattice::open({ folder.file("other.rvf") });
  ASSERT_TRUE(second.has_value());
  const Box all{ { 0, 0, 0 }, { 40, 30, 20 } };
  EXPECT_EQ(velocities(**first, all), velocities(**second, all));
}

TEST(FieldFileLattice, keeps_what_is_hidden_when_it_is_bricked_again)
{
  const TemporaryFolder folder;
  test::NumberedSource source({ 40, 30, 20 }, { test::velocity(), test::cell_pressure() }, 2);
  auto writer = FieldFileWriter::create(folder.file("field.rvf"), source.info(), {});
  ASSERT_TRUE(writer);
  const auto hide_some = [](std::int32_t k, std::uint8_t* flags)
  {
    for (int i = 0; i < 39 * 29; ++i)
    {
      flags[i] = (i + k) % 5 == 0 ? 1 : 0;
    }
    return Result<void>{};
  };
  ASSERT_TRUE(convert_into(**writer, source, {}));
  ASSERT_TRUE((*writer)->hide(Centering::Cell, 1, hide_some));
  ASSERT_TRUE((*writer)->finish());
  Result<std::unique_ptr<FieldFileLattice>> first = FieldFileLattice::open({ folder.file("field.rvf") });
  ConvertOptions options;
  options.file.brick_cells = { 16, 7, 4 };
  ASSERT_TRUE(convert(**first, folder.file("other.rvf"), options).has_value());
  const FieldFile other = *FieldFile::open(folder.file("other.rvf"));
  EXPECT_FALSE(other.hides(Centering::Cell, 0));
  EXPECT_FALSE(other.hides(Centering::Node, 1));
  ASSERT_TRUE(other.hides(Centering::Cell, 1));
  std::vector<std::uint8_t> wanted(39 * 29);
  std::vector<std::uint8_t> found(39 * 29);
  for (std::int32_t k = 0; k < 19; ++k)
  {
    ASSERT_TRUE(hide_some(k, wanted.data()));
    ASSERT_TRUE(other.read_hidden(Centering::Cell, 1, { { 0, 0, k }, { 39, 29, k + 1 } }, found.data()));
    EXPECT_EQ(found, wanted) << k;
  }
}

TEST(FieldFileLattice, keeps_sixteen_bit_values_within_the_error_of_the_file_and_when_they_are_bricked_again)
{
  const TemporaryFolder folder;
  const Box all{ { 0, 0, 0 }, { 40, 30, 20 } };
  test::NumberedSource source(all.end, { test::velocity(), test::cell_pressure() }, 2);
  ConvertOptions options;
  options.file.encoding = Encoding::Fixed16;
  options.file.brick_cells = { 10, 7, 4 };
  options.memory = kMiB;
  const Result<ConvertReport> report = convert(source, folder.file("field.rvf"), options);
  ASSERT_TRUE(report.has_value());
  EXPECT_LE(report->memory_bytes, kMiB);
  Result<std::unique_ptr<FieldFileLattice>> first = FieldFileLattice::open({ folder.file("field.rvf") });
  const double error = FieldFile::open(folder.file("field.rvf"))->layouts[0].largest_error;
  const std::vector<float> written = velocities(source, all);
  const std::vector<float> read = velocities(**first, all);
  double largest = 0.0;
  for (std::size_t i = 0; i < read.size(); ++i)
  {
    largest = std::max(largest, std::abs(static_cast<double>(read[i]) - static_cast<double>(written[i])));
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_LE(largest, error);
  // Plain again: what was read, not what once was written.
  ASSERT_TRUE(convert(**first, folder.file("plain.rvf"), {}).has_value());
  EXPECT_EQ(velocities(**FieldFileLattice::open({ folder.file("plain.rvf") }), all), read);
}

TEST(FieldFileLattice, refuses_a_damaged_brick_and_says_where_it_lies)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), { 12, 12, 12 });
  const Result<FieldFile> file = FieldFile::open(folder.file("field.rvf"));
  ASSERT_TRUE(file.has_value());
  std::fstream(folder.file("field.rvf"), std::ios::binary | std::ios::in | std::ios::out)
      .seekp(file->layouts[0].steps[1].offset)
      .write("x", 1);
  Result<std::unique_ptr<FieldFileLattice>> lattice = FieldFileLattice::open({ folder.file("field.rvf") });
  std::vector<float> values(3 * 12 * 12 * 12);
  const Result<void> read = (*lattice)->read(0, 1, { { 0, 0, 0 }, { 12, 12, 12 } }, values.data());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::Corrupt);
  EXPECT_EQ(read.error().offset, file->layouts[0].steps[1].offset);
}

} // namespace rivulet
