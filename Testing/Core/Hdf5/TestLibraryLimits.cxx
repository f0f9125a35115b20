// SPDX-License-Identifier: BSD-3-Clause
// What the library is asked for is looked at before there is memory for it.
#include "Core/Hdf5/Hdf5Files.h"
#include "Hdf5/LibraryFile.h"
#include "Support/TemporaryFolder.h"

namespace rivulet::test
{
namespace
{

using namespace hdf5;

TEST(LibraryFile, ATableIsNotLargerThanItsFileCanHold)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  {
    Hdf5File file(path);
    file.put("unwritten", {}, { 1 << 26 }, { .unwritten = true });
    file.put("small", {}, { 100 }, { .unwritten = true, .fill = 2.0 });
    file.put("packed", std::vector<double>(1 << 20, 0.0), { 1 << 20 }, { .chunk = { 1 << 20 }, .deflate = 9 });
  }
  const Result<LibraryFile> file = LibraryFile::open(path);
  ASSERT_TRUE(file.has_value());
  for (const std::string name : { "unwritten", "small", "packed" })
  {
    const Result<std::vector<double>> numbers = file->numbers(name);
    EXPECT_EQ(numbers.has_value(), name != "unwritten") << name;
    EXPECT_EQ(file->integers(name).has_value(), name != "unwritten") << name;
  }
}

TEST(LibraryFile, GivesAsManyValuesAsAreWanted)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  Hdf5File(path).put("values", { 1, 2, 3 }, { 3 });
  const Result<LibraryFile> file = LibraryFile::open(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->values("values", 3)->bytes.size(), 12U);
  EXPECT_EQ(file->values("values", 4).error().code, ErrorCode::Corrupt);
}

} // namespace
} // namespace rivulet::test
