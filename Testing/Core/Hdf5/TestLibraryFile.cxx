// SPDX-License-Identifier: BSD-3-Clause
// Attributes, compounds and runs of values through the library.
#include "Core/Hdf5/Hdf5Files.h"
#include "Hdf5/LibraryFile.h"
#include "Support/TemporaryFolder.h"

#include <cstring>
#include <numeric>

namespace rivulet::test
{
namespace
{

using hdf5::LibraryFile;
using hdf5::LibraryValues;

class Library : public ::testing::Test
{
protected:
  [[nodiscard]] LibraryFile open() const
  {
    Result<LibraryFile> file = LibraryFile::open(path_);
    EXPECT_TRUE(file.has_value());
    return std::move(*file);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("file.h5");
};

TEST_F(Library, RunsOfValues)
{
  std::vector<double> counted(1000);
  std::iota(counted.begin(), counted.end(), 0.0);
  {
    Hdf5File file(path_, true);
    file.put("plain", counted, { 1000 }, { .file_type = H5T_IEEE_F64BE });
    file.put("deflated", counted, { 1000 }, { .file_type = H5T_STD_I32LE, .chunk = { 64 }, .deflate = 3 });
    file.put("flat", counted, { 100, 10 });
  }
  const LibraryFile file = open();
  for (const std::int64_t first : { 0, 63, 990, 5 })
  {
    const Result<LibraryValues> plain = file.values("/plain", first, 10);
    const Result<LibraryValues> deflated = file.values("/deflated", first, 10);
    ASSERT_TRUE(plain && deflated);
    EXPECT_EQ(plain->type, StoredType::Float64);
    EXPECT_EQ(deflated->type, StoredType::Int32);
    double last = 0;
    std::int32_t last_integer = 0;
    std::memcpy(&last, plain->bytes.data() + 9 * sizeof(last), sizeof(last));
    std::memcpy(&last_integer, deflated->bytes.data() + 9 * sizeof(last_integer), sizeof(last_integer));
    EXPECT_EQ(last, static_cast<double>(first + 9));
    EXPECT_EQ(last_integer, first + 9);
  }
  for (const auto& [first, count] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           { -1, 2 }, { 991, 10 }, { 0, 1001 }, { 0, 0 }, { std::int64_t{ 1 } << 62, std::int64_t{ 1 } << 62 } })
  {
    EXPECT_EQ(file.values("/plain", first, count).error().code, ErrorCode::Corrupt) << first;
  }
  EXPECT_EQ(file.values("/flat", 0, 10).error().code, ErrorCode::Corrupt);
  EXPECT_EQ(file.values("/none", 0, 10).error().code, ErrorCode::NotFound);
  EXPECT_TRUE(file.values("/plain", 0, 10).has_value());
}

TEST_F(Library, SizesOfDatasets)
{
  {
    Hdf5File file(path_);
    file.put("flat", std::vector<double>(12), { 3, 4 });
    file.put("one", { 1 }, {});
  }
  const LibraryFile file = open();
  EXPECT_EQ(*file.dimensions("flat"), (std::vector<std::int64_t>{ 3, 4 }));
  EXPECT_TRUE(file.dimensions("one")->empty());
  EXPECT_EQ(file.dimensions("none").error().code, ErrorCode::NotFound);
}

/// Files whose values lie in another one of the same folder, which is not the one that the program runs in.
TEST_F(Library, ValuesOfOtherFilesBesideThisOne)
{
  const std::vector<double> values{ 1.0, 2.0, 3.0 };
  {
    Hdf5File source(folder_.file("source.h5"), true);
    source.put("values", values, { 3 });
    Hdf5File file(path_, true);
    const hsize_t size = 3;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(creation, space, "source.h5", "/values", space);
    H5Dclose(H5Dcreate2(file.id(), "virtual", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
    H5Lcreate_external("source.h5", "/values", file.id(), "linked", H5P_DEFAULT, H5P_DEFAULT);
  }
  const LibraryFile file = open();
  for (const char* name : { "/virtual", "/linked" })
  {
    const Result<std::vector<double>> found = file.numbers(name);
    ASSERT_TRUE(found) << name << ": " << found.error().describe();
    EXPECT_EQ(*found, values) << name;
  }
}

TEST_F(Library, MembersOfAttributes)
{
  struct Pair
  {
    double y;
    std::int32_t x;
  };
  {
    Hdf5File file(path_);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Pair));
    H5Tinsert(type, "y", HOFFSET(Pair, y), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "x", HOFFSET(Pair, x), H5T_NATIVE_INT32);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(file.id(), "pair", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const Pair pair{ 0.5, -7 };
    H5Awrite(attribute, type, &pair);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }
  const LibraryFile file = open();
  EXPECT_EQ(*file.attribute_member("/", "pair", "x"), std::vector<double>{ -7 });
  EXPECT_EQ(*file.attribute_member("/", "pair", "y"), std::vector<double>{ 0.5 });
  EXPECT_EQ(file.attribute_member("/", "pair", "z").error().code, ErrorCode::NotFound);
  EXPECT_EQ(file.attribute_member("/", "none", "x").error().code, ErrorCode::NotFound);
  EXPECT_EQ(file.attribute_numbers("/", "pair").error().code, ErrorCode::Corrupt);
}

} // namespace
} // namespace rivulet::test
