// SPDX-License-Identifier: BSD-3-Clause
// Pipelines as the library writes them come back; what packed bytes cannot hold gets no memory.
#include "Core/Hdf5/Hdf5Files.h"
#include "Hdf5/OldStyleFile.h"
#include "Hdf5/ValueReader.h"
#include "Support/TemporaryFolder.h"

#include <cstring>
#include <sys/resource.h>

namespace rivulet::test
{
namespace
{

using namespace hdf5;

using Values = std::vector<std::uint32_t>;

/// Numbers that no filter makes smaller.
Values noise(std::size_t count)
{
  Values values(count);
  std::uint32_t state = 1;
  for (std::uint32_t& value : values)
  {
    state = state * 1664525U + 1013904223U;
    value = state ^ state >> 15U;
  }
  return values;
}

/// All values of the first object of a file, without the library.
void read_first(const std::string& path, Values& values)
{
  const Result<File> opened = File::open(path, File::Mode::Read);
  ASSERT_TRUE(opened) << opened.error().describe();
  BufferedFile bytes(*opened, opened->size().value_or(0));
  Result<OldStyleFile> parsed = OldStyleFile::open(bytes);
  ASSERT_TRUE(parsed) << parsed.error().describe();
  const Result<std::vector<Name>> names = parsed->names(parsed->root());
  ASSERT_TRUE(names) << names.error().describe();
  ASSERT_EQ(names->size(), 1U);
  Result<ObjectHeader> header = parsed->object(names->front().address);
  ASSERT_TRUE(header) << header.error().describe();
  ASSERT_TRUE(header->dataset);
  const Result<DatasetIndex> index = index_dataset(bytes, std::move(*header->dataset));
  ASSERT_TRUE(index) << index.error().describe();
  ValueReader reader;
  const Result<void> good = reader.read_into(*opened, &bytes, *index, reinterpret_cast<std::byte*>(values.data()));
  EXPECT_TRUE(good) << good.error().describe();
}

/// Writes values in one chunk with the library, which runs the filters that `add` adds, and reads them without it.
template <class Add>
Values written_and_read(const Values& values, const Add& add)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  const hsize_t size = values.size();
  const hid_t file = create_hdf5(path);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 1, &size);
  add(properties);
  const hid_t dataset = H5Dcreate2(file, "values", H5T_STD_U32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, H5T_STD_U32LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Sclose(space);
  H5Fclose(file);

  Values read(values.size());
  read_first(path, read);
  return read;
}

TEST(Filters, AChecksumBetweenOthers)
{
  const Values values = noise(1000);
  EXPECT_EQ(written_and_read(values,
                [](hid_t properties)
                {
                  H5Pset_shuffle(properties);
                  H5Pset_fletcher32(properties);
                  H5Pset_deflate(properties, 1);
                }),
      values);
}

TEST(Filters, WhatCannotBePackedIsLargerInBetween)
{
  const Values values = noise(1000);
  EXPECT_EQ(written_and_read(values,
                [](hid_t properties)
                {
                  H5Pset_deflate(properties, 1);
                  H5Pset_deflate(properties, 1);
                  H5Pset_deflate(properties, 1);
                }),
      values);
}

TEST(Filters, ElementsLargerThanTheChunkAreNotShuffled)
{
  const std::vector<std::byte> stored(64, std::byte{ 7 });
  ChunkDecoder decoder;
  const auto values = decoder.decode({ { 2, { 0xFFFFFFFFU } } }, 0, stored, stored.size());
  ASSERT_TRUE(values.has_value());
  EXPECT_TRUE(std::equal(values->begin(), values->end(), stored.begin(), stored.end()));
}

/// In bytes, at most so far.
std::int64_t memory_used()
{
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{ usage.ru_maxrss } << 10;
}

TEST(Filters, AFewBytesAreNoChunkOfGigabytes)
{
  std::vector<std::byte> stored(100, std::byte{ 0x11 });
  const std::int64_t before = memory_used();
  for (const FilterId filter : { FilterId::Deflate, FilterId::Lz4, FilterId::Zstd })
  {
    if (filter == FilterId::Lz4) // says that it holds all of them
    {
      const unsigned char size[12] = { 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0xFF, 0xFF, 0xFF };
      std::memcpy(stored.data(), size, sizeof(size));
    }
    if (const std::vector<Filter> filters{ { static_cast<std::uint16_t>(filter), {} } }; can_undo(filters))
    {
      ChunkDecoder decoder;
      const auto values = decoder.decode(filters, 0, stored, 0xFFFFFFFFU);
      ASSERT_FALSE(values.has_value());
      EXPECT_EQ(values.error().code, ErrorCode::Corrupt);
    }
  }
  EXPECT_LT(memory_used() - before, std::int64_t{ 256 } << 20);
}

} // namespace
} // namespace rivulet::test
