// SPDX-License-Identifier: BSD-3-Clause
// Files of a few hundred kilobytes that claim to hold gigabytes, which are holes: what they claim is not believed, and
// no memory is taken for it.
#include "Core/Io/FieldFiles.h"
#include "Support/LoweredLimit.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <hdf5.h>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;

namespace
{

constexpr rlim_t kLittle = 512U << 20U; // bytes: far below what the files claim

FieldInfo rectilinear()
{
  FieldInfo info = small_field();
  info.grid.kind = Grid::Kind::Rectilinear;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (int i = 0; i < info.grid.nodes[axis]; ++i)
    {
      info.grid.axes[axis].push_back(i);
    }
  }
  return info;
}

/// Replaces a dataset of the file by one that is a hole.
void make_hole(const std::string& path, const char* name, hid_t type, std::vector<hsize_t> dims)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t sum = H5Acreate2(dataset, "xxh3", H5T_STD_U64LE, one, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(sum, 0) << name;
  H5Aclose(sum);
  H5Sclose(one);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(properties);
  H5Fclose(file);
}

/// Gives the grid another number of nodes along x.
void claim_nodes(const std::string& path, std::int32_t nodes)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t grid = H5Gopen2(file, "grid", H5P_DEFAULT);
  const hid_t attribute = H5Aopen(grid, "nodes", H5P_DEFAULT);
  const Int3 claimed{ nodes, 8, 6 };
  EXPECT_GE(H5Awrite(attribute, H5T_STD_I32LE, claimed.data()), 0);
  H5Aclose(attribute);
  H5Gclose(grid);
  H5Fclose(file);
}

class FieldFileClaims : public testing::Test
{
protected:
  FieldFileClaims()
    : path_(folder_.file("flow.rvf"))
  {
    write_field(path_, rectilinear(), { .brick_cells = { 3, 3, 3 } });
  }

  /// The refusal, in little memory.
  Error refusal()
  {
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_)); // a hole at the end counts
#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
    const LoweredLimit little(RLIMIT_AS, memory_and(kLittle));
#endif
    const Result<FieldFile> file = FieldFile::open(path_);
    return file ? Error{} : file.error();
  }

  TemporaryFolder folder_;
  std::string path_;
};

} // namespace

TEST_F(FieldFileClaims, OfTimesThatAreHolesAreRefused)
{
  make_hole(path_, "times", H5T_IEEE_F64LE, { 1U << 23U });
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::Corrupt);
  EXPECT_THAT(error.what, HasSubstr("the time of step 1"));
  EXPECT_EQ(error.path, path_);
}

TEST_F(FieldFileClaims, OfMoreTimesThanAnyFileHasAreRefused)
{
  make_hole(path_, "times", H5T_IEEE_F64LE, { std::uint64_t{ 1 } << 31U });
  EXPECT_THAT(refusal().what, HasSubstr("claims to have 2147483648 time steps"));
}

TEST_F(FieldFileClaims, OfAxesThatAreHolesAreRefused)
{
  claim_nodes(path_, 1 << 30);
  make_hole(path_, "grid/x", H5T_IEEE_F64LE, { std::uint64_t{ 1 } << 30U });
  EXPECT_THAT(refusal().what, HasSubstr("the positions along the x axis do not go one way"));
}

TEST_F(FieldFileClaims, OfLongerAxesThanTheGridAreRefused)
{
  make_hole(path_, "grid/y", H5T_IEEE_F64LE, { std::uint64_t{ 1 } << 31U });
  EXPECT_THAT(refusal().what, HasSubstr("the y axis has 2147483648 positions for 8 nodes"));
}

TEST_F(FieldFileClaims, OfMoreRangesThanBricksAreRefused)
{
  make_hole(path_, "variables/velocity/brick_ranges/1", H5T_IEEE_F32LE, { std::uint64_t{ 1 } << 31U, 2 });
#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
  const LoweredLimit little(RLIMIT_AS, memory_and(kLittle));
#endif
  const auto ranges = FieldFile::open(path_)->brick_ranges(0, 1);
  ASSERT_FALSE(ranges);
  EXPECT_THAT(ranges.error().what, HasSubstr("has not 2 numbers for each brick"));
}

/// A sparse file of so many bricks, whose table of ranges is a hole: what was never written is known before room for it
/// is looked for.
TEST_F(FieldFileClaims, OfBricksThatAreHolesTakeNoMemory)
{
  FieldInfo info;
  info.grid.nodes = { 1 << 14, 1 << 13, 2 };
  info.variables = { { "speed", ScalarType::Float32, 1, Centering::Node } };
  info.times = { 0.0 };
  auto writer = FieldFileWriter::create(path_, info, { .brick_cells = { 1, 1, 1 }, .sparse = true });
  ASSERT_TRUE(writer) << writer.error().describe();
  ASSERT_TRUE((*writer)->finish());
  make_hole(path_, "variables/speed/brick_ranges/0", H5T_IEEE_F32LE, { std::uint64_t{ 16383 } * 8191, 2 });
#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
  const LoweredLimit little(RLIMIT_AS, memory_and(kLittle));
#endif
  const Result<FieldFile> file = FieldFile::open(path_);
  ASSERT_TRUE(file) << file.error().describe();
  const auto ranges = file->brick_ranges(0, 0); // 1 GiB
  ASSERT_FALSE(ranges);
  EXPECT_THAT(ranges.error().what, HasSubstr("checksum"));
}

} // namespace rivulet
