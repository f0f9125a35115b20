// SPDX-License-Identifier: BSD-3-Clause
// What the library writes is found, and read to the same values, without it.
#include "Core/Hdf5/Hdf5Files.h"
#include "Core/Hdf5/OpenedFile.h"
#include "Support/TemporaryFolder.h"

#include <algorithm>
#include <numeric>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

using namespace hdf5;

std::vector<double> count_up(std::size_t count)
{
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

class OldStyle : public ::testing::Test
{
protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("file.h5");
};

TEST_F(OldStyle, NamesOfGroupsOfAnySize)
{
  {
    Hdf5File file(path_);
    for (int i = 0; i < 700; ++i) // several leaves and a second level
    {
      file.put("/many/patch." + std::to_string(10000 + i) + "/sound speed", { 1.0 * i }, { 1 });
    }
    file.make_group("/empty");
  }
  Opened opened(path_);
  ASSERT_TRUE(opened.parsed.has_value()) << opened.parsed.error().describe();
  EXPECT_EQ(opened.parsed->names(opened.parsed->root())->size(), 2U);
  const Result<ObjectHeader> many = opened.find("/many");
  ASSERT_TRUE(many && many->group);
  EXPECT_EQ(opened.values("/many/patch.10699/sound speed"), std::vector<double>{ 699.0 });
  EXPECT_EQ(opened.values("/many/patch.10000/sound speed"), std::vector<double>{ 0.0 });
  EXPECT_EQ(opened.find("/many/patch.10700").error().code, ErrorCode::NotFound);
  EXPECT_TRUE(opened.find("/empty")->group.has_value());
}

TEST_F(OldStyle, EveryPlainTypeInEitherOrder)
{
  const std::vector<std::pair<std::string, hid_t>> types{ { "i8", H5T_STD_I8LE }, { "u8", H5T_STD_U8BE },
    { "i16b", H5T_STD_I16BE }, { "i16l", H5T_STD_I16LE }, { "u16", H5T_STD_U16BE }, { "i32b", H5T_STD_I32BE },
    { "i32l", H5T_STD_I32LE }, { "u32", H5T_STD_U32BE }, { "i64b", H5T_STD_I64BE }, { "u64", H5T_STD_U64LE },
    { "f32b", H5T_IEEE_F32BE }, { "f32l", H5T_IEEE_F32LE }, { "f64b", H5T_IEEE_F64BE }, { "f64l", H5T_IEEE_F64LE } };
  {
    Hdf5File file(path_);
    for (const auto& [name, type] : types)
    {
      file.put(name, count_up(100), { 100 }, { .file_type = type });
    }
  }
  Opened opened(path_);
  for (const auto& [name, type] : types)
  {
    EXPECT_EQ(opened.values(name), count_up(100)) << name;
    EXPECT_EQ(opened.values(name, false), count_up(100)) << name;
    EXPECT_EQ(
        opened.dataset(name).form->big_endian, name.back() == 'b' || name == "u16" || name == "u32" || name == "u8");
  }
}

TEST_F(OldStyle, EveryLayout)
{
  const std::vector<double> values = count_up(std::size_t{ 11 } * 13 * 7);
  const std::vector<hsize_t> dims{ 11, 13, 7 };
  const std::vector<std::pair<std::string, DatasetOptions>> layouts{
    { "contiguous", {} },
    { "compact", { .compact = true } },
    { "chunked", { .chunk = { 4, 5, 3 } } },
    { "one chunk", { .chunk = { 11, 13, 7 } } },
    { "deflated", { .chunk = { 4, 5, 3 }, .deflate = 5 } },
    { "shuffled", { .chunk = { 4, 5, 3 }, .shuffle = true, .deflate = 5 } },
    { "summed", { .chunk = { 4, 5, 3 }, .fletcher32 = true } },
    { "all",
        { .file_type = H5T_IEEE_F64LE, .chunk = { 3, 13, 2 }, .shuffle = true, .deflate = 9, .fletcher32 = true } },
    { "many chunks", { .chunk = { 1, 1, 1 }, .deflate = 1 } },
  };
  {
    Hdf5File file(path_);
    for (const auto& [name, options] : layouts)
    {
      file.put(name, values, dims, options);
    }
  }
  Opened opened(path_);
  for (const auto& [name, options] : layouts)
  {
    EXPECT_EQ(opened.values(name), values) << name;
    EXPECT_EQ(opened.values(name, false), values) << name;
  }
}

TEST_F(OldStyle, WhatWasNeverWrittenHasTheFillValue)
{
  {
    Hdf5File file(path_);
    file.put("unwritten", {}, { 5 }, { .unwritten = true, .fill = 2.5 });
    file.put("unwritten chunks", {}, { 5 }, { .chunk = { 2 }, .unwritten = true, .fill = -3.0 });
    file.put("sparse", { 9.0 }, { 5 }, { .chunk = { 2 }, .sparse = true, .fill = 7.0 });
    file.put("zeros", { 9.0 }, { 5 }, { .chunk = { 2 }, .sparse = true });
  }
  Opened opened(path_);
  EXPECT_EQ(opened.values("unwritten"), std::vector<double>(5, 2.5));
  EXPECT_EQ(opened.values("unwritten chunks"), std::vector<double>(5, -3.0));
  EXPECT_EQ(opened.values("sparse"), (std::vector<double>{ 9, 7, 7, 7, 7 }));
  EXPECT_EQ(opened.values("zeros"), (std::vector<double>{ 9, 0, 0, 0, 0 }));
}

// Any run, in any order, by one reader: what it keeps of the run before must not show.
TEST_F(OldStyle, RunsOfValuesAreThoseOfTheWhole)
{
  const std::vector<std::pair<std::string, DatasetOptions>> layouts{ { "contiguous", {} },
    { "compact", { .compact = true } }, { "chunked", { .chunk = { 7 } } },
    { "deflated", { .chunk = { 16 }, .shuffle = true, .deflate = 4 } },
    { "one chunk", { .chunk = { 100 }, .fletcher32 = true } },
    { "sparse", { .chunk = { 9 }, .sparse = true, .fill = 3 } }, { "unwritten", { .unwritten = true, .fill = -2 } } };
  {
    Hdf5File file(path_);
    for (const auto& [name, options] : layouts)
    {
      file.put(name, count_up(100), { 100 }, options);
    }
    file.put("flat", count_up(100), { 10, 10 }, { .chunk = { 3, 3 } });
  }
  Opened opened(path_);
  ValueReader reader;
  for (const auto& [name, options] : layouts)
  {
    const DatasetIndex index = opened.dataset(name);
    ASSERT_TRUE(can_read_runs(*index.form)) << name;
    const std::vector<double> whole = opened.values(name);
    for (std::int64_t first = 0; first < 100; first += 5)
    {
      for (const std::int64_t count : { std::int64_t{ 1 }, std::int64_t{ 8 }, 100 - first })
      {
        const hdf5::Run run{ first, std::min(count, 100 - first) };
        const Result<std::span<const std::byte>> values = reader.read_run(opened.file, index, run);
        ASSERT_TRUE(values.has_value()) << name << ": " << values.error().describe();
        std::vector<float> floats(static_cast<std::size_t>(run.count));
        convert({ index.form->type, index.form->big_endian, {} }, values->data(), run.count, 1, floats.data());
        EXPECT_TRUE(std::equal(floats.begin(), floats.end(), whole.begin() + first)) << name << " " << first;
      }
    }
  }
  EXPECT_FALSE(can_read_runs(*opened.dataset("flat").form));
}

TEST_F(OldStyle, TheChunkBetweenTwoRunsIsReadOnce)
{
  {
    Hdf5File(path_).put("values", count_up(100), { 100 }, { .file_type = H5T_IEEE_F32LE, .chunk = { 50 } });
  }
  Opened opened(path_);
  const DatasetIndex index = opened.dataset("values");
  ValueReader reader;
  for (std::int64_t first = 0; first < 100; first += 10)
  {
    ASSERT_TRUE(reader.read_run(opened.file, index, { first, 10 }).has_value());
  }
  EXPECT_EQ(reader.bytes_read(), 400);
}

TEST_F(OldStyle, ChunksOfTwoFilesAreNotMistakenForEachOther)
{
  const std::string other = folder_.file("other.h5");
  for (const std::string& path : { path_, other })
  {
    const std::vector<double> values(100, path == other ? 2.0 : 1.0);
    Hdf5File(path).put("values", values, { 100 }, { .file_type = H5T_STD_I8LE, .chunk = { 50 } });
  }
  Opened first(path_);
  Opened second(other);
  const DatasetIndex of_first = first.dataset("values");
  const DatasetIndex of_second = second.dataset("values");
  ASSERT_EQ(of_first.chunks[0].address, of_second.chunks[0].address);
  ValueReader reader;
  for (int again = 0; again < 2; ++again)
  {
    EXPECT_EQ((*reader.read_run(first.file, of_first, { 3, 4 }))[0], std::byte{ 1 });
    EXPECT_EQ((*reader.read_run(second.file, of_second, { 3, 4 }))[0], std::byte{ 2 });
  }
}

TEST_F(OldStyle, HeadersThatGoOnElsewhere)
{
  {
    Hdf5File file(path_);
    file.put("crowded", count_up(4), { 4 });
    const hid_t dataset = H5Dopen2(file.id(), "crowded", H5P_DEFAULT);
    for (int i = 0; i < 40; ++i) // too many for the header as it was made
    {
      const hid_t space = H5Screate(H5S_SCALAR);
      const std::string name = "attribute with a rather long name " + std::to_string(i);
      const hid_t attribute = H5Acreate2(dataset, name.c_str(), H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT);
      H5Aclose(attribute);
      H5Sclose(space);
    }
    H5Dclose(dataset);
  }
  EXPECT_EQ(Opened(path_).values("crowded"), count_up(4));
}

TEST_F(OldStyle, WhatOnlyTheLibraryReadsIsLeftToIt)
{
  {
    Hdf5File file(path_);
    file.put("odd", { 1, 2 }, { 2 });
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Dclose(H5Dcreate2(file.id(), "text", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const hid_t narrow = H5Tcopy(H5T_STD_I32LE);
    H5Tset_precision(narrow, 17);
    H5Dclose(H5Dcreate2(file.id(), "narrow", narrow, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tcommit2(file.id(), "type", narrow, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file.id(), "shared", narrow, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  Opened opened(path_);
  for (const char* name : { "text", "narrow", "shared" })
  {
    const Result<ObjectHeader> header = opened.find(name);
    ASSERT_FALSE(header.has_value()) << name;
    EXPECT_EQ(header.error().code, ErrorCode::Unsupported) << name;
  }
  const std::string latest = folder_.file("latest.h5");
  Hdf5File(latest, true).put("values", { 1 }, { 1 });
  EXPECT_EQ(Opened(latest).parsed.error().code, ErrorCode::Unsupported);
}

TEST_F(OldStyle, WhatLiesBeforeTheEndOfACutFileIsRead)
{
  {
    Hdf5File file(path_);
    file.put("first", count_up(1000), { 1000 });
    file.put("second", count_up(1000), { 1000 });
  }
  EXPECT_TRUE(Opened(path_).parsed->complete());
  std::uint64_t end = 0;
  {
    Opened opened(path_);
    end = opened.dataset("second").address + 100;
  }
  ASSERT_EQ(::truncate(path_.c_str(), static_cast<off_t>(end)), 0);
  Opened opened(path_);
  ASSERT_TRUE(opened.parsed.has_value());
  EXPECT_FALSE(opened.parsed->complete());
  EXPECT_EQ(opened.values("first"), count_up(1000));
  const Result<ObjectHeader> second = opened.find("second");
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::Truncated);
}

TEST_F(OldStyle, AChecksumThatDoesNotMatchIsFound)
{
  {
    Hdf5File file(path_);
    file.put("values", count_up(64), { 64 }, { .chunk = { 64 }, .fletcher32 = true });
  }
  std::uint64_t address = 0;
  {
    Opened opened(path_);
    address = opened.dataset("values").chunks.at(0).address;
  }
  Result<File> file = File::open(path_, File::Mode::ReadWrite);
  const std::byte wrong{ 0x55 };
  ASSERT_TRUE(file->pwrite_full(&wrong, 1, static_cast<std::int64_t>(address) + 10).has_value());
  Opened opened(path_);
  ValueReader reader;
  const DatasetIndex index = opened.dataset("values");
  const auto values = reader.read(opened.file, &opened.bytes, index);
  ASSERT_FALSE(values.has_value());
  EXPECT_EQ(values.error().code, ErrorCode::Corrupt);
  EXPECT_EQ(values.error().path, path_);
}

// Whatever single byte of the metadata is damaged: an answer, no crash, no endless loop.
TEST_F(OldStyle, AnyDamagedByteGivesAnAnswer)
{
  {
    Hdf5File file(path_);
    file.put("/a/b/plain", count_up(20), { 20 });
    file.put("/a/chunked", count_up(20), { 20 }, { .chunk = { 8 }, .shuffle = true, .deflate = 3, .fletcher32 = true });
  }
  Result<File> file = File::open(path_, File::Mode::ReadWrite);
  const std::int64_t size = *file->size();
  int read = 0;
  for (std::int64_t at = 0; at < size; ++at)
  {
    std::byte good{};
    ASSERT_TRUE(file->pread_full(&good, 1, at).has_value());
    for (const std::byte bad : { std::byte{ 0xFF }, good ^ std::byte{ 0x01 } })
    {
      ASSERT_TRUE(file->pwrite_full(&bad, 1, at).has_value());
      Opened opened(path_);
      for (const char* name : { "/a/b/plain", "/a/chunked" })
      {
        Result<ObjectHeader> header =
            opened.parsed ? opened.find(name) : Result<ObjectHeader>(forward_error(opened.parsed));
        if (header && header->dataset && header->dataset->bytes() < (1 << 20))
        {
          const Result<DatasetIndex> index = index_dataset(opened.bytes, std::move(*header->dataset));
          ValueReader reader;
          if (index && can_read_runs(*index->form) && index->form->count() > 2)
          {
            (void)reader.read_run(opened.file, *index, { 1, index->form->count() - 2 });
          }
          read += index && can_read(*index->form) && reader.read(opened.file, &opened.bytes, *index) ? 1 : 0;
        }
      }
    }
    ASSERT_TRUE(file->pwrite_full(&good, 1, at).has_value());
  }
  EXPECT_GT(read, size); // most bytes are of no account
}

} // namespace
} // namespace rivulet::test
