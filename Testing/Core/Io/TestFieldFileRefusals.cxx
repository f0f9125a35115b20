// SPDX-License-Identifier: BSD-3-Clause
// Headers that are whole HDF5 but make no sense, and files that are not field files at all.
#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Fixed16.h"
#include "Io/Files/File.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <hdf5.h>
#include <limits>

namespace rivulet
{

using namespace test;
using hdf5::StoredField;
using testing::HasSubstr;

namespace
{

/// What the header of a small field says.
StoredField small_header()
{
  const FieldInfo info = small_field();
  StoredField field{ .uuid = std::string(36, 'a'), .grid = info.grid, .times = info.times, .variables = {} };
  for (const Variable& variable : info.variables)
  {
    const BrickLayout layout = *make_layout(info.grid, variable, { 4, 4, 4 });
    hdf5::StoredVariable stored;
    stored.variable = variable;
    stored.ranges.components.assign(static_cast<std::size_t>(variable.components), { 0.0, 1.0 });
    stored.brick_cells = layout.cells;
    stored.brick_nodes = layout.nodes;
    stored.brick_count = layout.grid.size();
    stored.payload = layout.payload;
    stored.stride = layout.stride;
    field.variables.push_back(stored);
  }
  return field;
}

/// Writes the header with libhdf5 as it is, right or wrong, and opens it.
Result<FieldFile> open_header(const std::string& path, StoredField field, bool complete = true)
{
  EXPECT_TRUE(hdf5::create_file(path, field));
  for (hdf5::StoredVariable& stored : field.variables)
  {
    stored.brick_range_checksums.assign(stored.bricks.size(), 0);
  }
  EXPECT_TRUE(!complete || hdf5::complete_file(path, field));
  return FieldFile::open(path);
}

struct Refusal
{
  const char* name;
  void (*spoil)(StoredField&);
  const char* what;
};

void PrintTo(const Refusal& refusal, std::ostream* out)
{
  *out << refusal.name;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Replaces an attribute of the root by one with these dimensions.
void replace_attribute(const std::string& path, const char* name, hid_t type, hsize_t count, const void* values)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  H5Adelete(file, name);
  const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, values);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Fclose(file);
}

} // namespace

class HeaderThat : public testing::TestWithParam<Refusal>
{
};

TEST_P(HeaderThat, IsCorrupt)
{
  const TemporaryFolder folder;
  StoredField field = small_header();
  GetParam().spoil(field);
  const Result<FieldFile> file = open_header(folder.file("bad.rvf"), field);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Corrupt) << file.error().describe();
  EXPECT_THAT(file.error().what, HasSubstr(GetParam().what));
  EXPECT_EQ(file.error().path, folder.file("bad.rvf"));
  EXPECT_FALSE(file.error().remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(Spoiled, HeaderThat,
    testing::Values(Refusal{ "TimesGoBack",
                        [](StoredField& f) {
                          f.times = { 1.0, 0.5 };
                        },
                        "time of step 1" },
        Refusal{ "TimesAreNaN", [](StoredField& f) { f.times[0] = kNaN; }, "time of step 0" },
        Refusal{ "SpacingIsZero", [](StoredField& f) { f.grid.spacing[1] = 0.0; }, "spacing is zero" },
        Refusal{ "SpacingIsNaN", [](StoredField& f) { f.grid.spacing[1] = kNaN; }, "not finite" },
        Refusal{ "DirectionIsSingular", [](StoredField& f) { f.grid.direction = {}; }, "singular" },
        Refusal{ "GridHasNoNodes", [](StoredField& f) { f.grid.nodes[2] = 0; }, "0 nodes along z" },
        Refusal{ "GridIsHuge",
            [](StoredField& f) {
              f.grid.nodes = { 1 << 30, 1 << 30, 1 << 30 };
            },
            "too many nodes" },
        Refusal{ "FirstIndexIsFar", [](StoredField& f) { f.grid.first[0] = std::numeric_limits<std::int32_t>::min(); },
            "out of range" },
        Refusal{ "GridIsAnother", [](StoredField& f) { f.grid.nodes[0] = 40; }, "records of" },
        Refusal{ "BrickCellsAreZero", [](StoredField& f) { f.variables[0].brick_cells[0] = 0; }, "contradict" },
        Refusal{ "BrickCellsAreNegative", [](StoredField& f) { f.variables[0].brick_cells[2] = -9; }, "contradict" },
        Refusal{ "BrickNodesDiffer", [](StoredField& f) { f.variables[0].brick_nodes[0] = 99; }, "contradict" },
        Refusal{ "PayloadIsLarge", [](StoredField& f) { f.variables[0].payload = 1 << 30; }, "contradict" },
        Refusal{ "PayloadIsNegative", [](StoredField& f) { f.variables[0].payload = -1; }, "contradict" },
        Refusal{ "StrideIsOdd", [](StoredField& f) { f.variables[0].stride = 4097; }, "impossible length" },
        Refusal{ "StrideIsShort",
            [](StoredField& f)
            {
              f.variables[0].brick_cells = { 10, 7, 5 };
              f.variables[0].brick_nodes = { 11, 8, 6 };
              f.variables[0].payload = 11 * 8 * 6 * 12;
              f.variables[0].brick_count = 1;
            },
            "impossible length" },
        Refusal{ "EncodedPayloadIsPlain", [](StoredField& f) { f.variables[0].fixed16 = true; }, "contradict" },
        Refusal{ "ErrorIsNaN",
            [](StoredField& f)
            {
              f.variables[0].fixed16 = true;
              f.variables[0].payload = fixed16_bytes(3, 125);
              f.variables[0].largest_error = kNaN;
            },
            "no bound" },
        Refusal{ "PlainValuesHaveAnError",
            [](StoredField& f)
            {
              f.variables[0].fixed16 = true;
              f.variables[0].payload = fixed16_bytes(3, 125);
              f.variables[1].largest_error = 0.5;
            },
            "variable \"pressure\" is no bound" },
        Refusal{ "BricksAreMissing", [](StoredField& f) { f.variables[0].brick_count = 2; }, "2 records" }),
    [](const testing::TestParamInfo<Refusal>& test) { return test.param.name; });

TEST(FieldFileRefusal, AxesMustGoOneWay)
{
  const TemporaryFolder folder;
  StoredField field = small_header();
  field.grid.kind = Grid::Kind::Rectilinear;
  field.grid.axes = { std::vector<double>(11, 1.0), std::vector<double>(8), std::vector<double>(6) };
  const Result<FieldFile> same = open_header(folder.file("same.rvf"), field);
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().what, HasSubstr("x axis do not go one way"));
  field.grid.axes[0] = { 0, 1 };
  const Result<FieldFile> few = open_header(folder.file("few.rvf"), field);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().what, HasSubstr("2 positions for 11 nodes"));
}

TEST(FieldFileRefusal, AFileThatWasNeverFinishedIsNamedSo)
{
  const TemporaryFolder folder;
  const Result<FieldFile> file = open_header(folder.file("half.rvf"), small_header(), false);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Unfinished);
  EXPECT_EQ(file.error().path, folder.file("half.rvf"));
}

TEST(FieldFileRefusal, AnotherVersionIsNamedTogetherWithOurs)
{
  const TemporaryFolder folder;
  write_field(folder.file("new.rvf"), small_field());
  const std::int32_t version = 7;
  replace_attribute(folder.file("new.rvf"), "format_version", H5T_STD_I32LE, 1, &version);
  const Result<FieldFile> file = FieldFile::open(folder.file("new.rvf"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::OtherVersion);
  EXPECT_THAT(file.error().what, HasSubstr("version 7"));
  EXPECT_THAT(file.error().what, HasSubstr("version 1"));
}

TEST(FieldFileRefusal, AnUnknownEncodingIsUnsupported)
{
  const TemporaryFolder folder;
  write_field(folder.file("new.rvf"), small_field(), { .encoding = Encoding::Fixed16 });
  ASSERT_TRUE(FieldFile::open(folder.file("new.rvf")));
  const hid_t opened = H5Fopen(folder.file("new.rvf").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(opened, "variables/velocity", H5P_DEFAULT);
  const hid_t attribute = H5Aopen(group, "encoding", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  EXPECT_GE(H5Awrite(attribute, type, "fixed99"), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Fclose(opened);
  const Result<FieldFile> file = FieldFile::open(folder.file("new.rvf"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(file.error().what, HasSubstr("encoding \"fixed99\" is unknown"));
}

TEST(FieldFileRefusal, AttributesOfOtherTypesAndSizesAreCorrupt)
{
  const TemporaryFolder folder;
  const std::vector<std::int64_t> wide(7000, 1);
  for (const char* name : { "format_version", "complete", "uuid" })
  {
    write_field(folder.file("odd.rvf"), small_field());
    replace_attribute(folder.file("odd.rvf"), name, H5T_STD_I64LE, wide.size(), wide.data());
    const Result<FieldFile> file = FieldFile::open(folder.file("odd.rvf"));
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().code, ErrorCode::Corrupt) << file.error().describe();
    EXPECT_THAT(file.error().what, HasSubstr(name));
  }
}

TEST(FieldFileRefusal, OtherFilesAreNotThisFormat)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("other.rvf");
  write_bytes(path, {});
  EXPECT_EQ(FieldFile::open(path).error().code, ErrorCode::NotThisFormat);
  write_bytes(path, std::vector<char>(5000, 'x'));
  EXPECT_EQ(FieldFile::open(path).error().code, ErrorCode::NotThisFormat);
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const Result<FieldFile> plain = FieldFile::open(path);
  EXPECT_EQ(plain.error().code, ErrorCode::NotThisFormat);
  EXPECT_THAT(plain.error().what, HasSubstr("HDF5"));
  EXPECT_EQ(FieldFile::open(folder.path().string()).error().code, ErrorCode::CannotRead);
  EXPECT_EQ(FieldFile::open(folder.file("none.rvf")).error().code, ErrorCode::NotFound);
}

TEST(FieldFileRefusal, CanReadLooksAtTheContent)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("flow.rvf");
  EXPECT_FALSE(FieldFile::can_read(path));
  write_field(path, small_field());
  EXPECT_TRUE(FieldFile::can_read(path));
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_FALSE(FieldFile::can_read(path));
  write_bytes(path, std::vector<char>(3, 'x'));
  EXPECT_FALSE(FieldFile::can_read(path));
  EXPECT_FALSE(FieldFile::can_read(folder.path().string()));
}

TEST(FieldFileRefusal, ACutFileNamesTheByteWhereItEnds)
{
  const TemporaryFolder folder;
  write_field(folder.file("flow.rvf"), small_field());
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(folder.file("flow.rvf")));
  std::filesystem::resize_file(folder.file("flow.rvf"), static_cast<std::uintmax_t>(bytes - 5000));
  const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Truncated);
  EXPECT_EQ(file.error().offset, bytes - 5000);
  EXPECT_THAT(file.error().what, HasSubstr(std::to_string(bytes)));
}

} // namespace rivulet
