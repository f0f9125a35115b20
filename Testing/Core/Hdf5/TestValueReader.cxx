// SPDX-License-Identifier: BSD-3-Clause
// Values byte by byte: those of files put together by hand, and those that the library reads.
#include "Base/Bytes.h"
#include "Core/Hdf5/HandmadeFile.h"
#include "Core/Hdf5/Hdf5Files.h"
#include "Core/Hdf5/OpenedFile.h"

#include <algorithm>
#include <numeric>
#include <thread>
#include <type_traits>

namespace rivulet::test
{
namespace
{

using namespace hdf5;
using Values = Result<std::span<const std::byte>>;

// A copy would point into the memory of another reader.
static_assert(!std::is_copy_constructible_v<ValueReader> && !std::is_copy_assignable_v<ValueReader>);

/// A dataset of bytes. Its values are dots where none are written.
DatasetIndex dataset(Storage storage, const std::vector<std::int64_t>& dims, std::uint64_t address = kUndefinedAddress)
{
  DatasetForm form;
  form.type = StoredType::UInt8;
  form.dims = dims;
  form.storage = storage;
  form.fill_value[0] = std::byte{ '.' };
  return { std::make_shared<const DatasetForm>(form), address, {} };
}

DatasetIndex chunked(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& chunk,
    const std::vector<Chunk>& chunks, const std::vector<Filter>& filters = {})
{
  DatasetForm form = *dataset(Storage::Chunked, dims).form;
  form.chunk = chunk;
  form.filters = filters;
  return { std::make_shared<const DatasetForm>(form), 0, chunks };
}

DatasetIndex compact(const std::string& values)
{
  DatasetForm form = *dataset(Storage::Compact, { static_cast<std::int64_t>(values.size()) }).form;
  std::transform(values.begin(), values.end(), std::back_inserter(form.compact), [](char c) { return std::byte(c); });
  return { std::make_shared<const DatasetForm>(form), 0, {} };
}

/// "abcd....ij": the chunk in the middle is not stored, and the last one reaches beyond the dataset.
DatasetIndex with_a_hole()
{
  return chunked({ 10 }, { 4 }, { { 2, 4, 0, { 0 } }, { 8, 4, 0, { 8 } } });
}
const Bytes kWithAHole = Bytes().add("--abcd--ij##");

std::string text(const Values& values)
{
  EXPECT_TRUE(values.has_value()) << values.error().describe();
  return values ? std::string(reinterpret_cast<const char*>(values->data()), values->size()) : "failed";
}

void expect_error(const Values& values, ErrorCode code, const std::string& path, std::int64_t offset)
{
  ASSERT_FALSE(values.has_value());
  EXPECT_EQ(values.error().code, code) << values.error().describe();
  EXPECT_EQ(values.error().path, path);
  EXPECT_EQ(values.error().offset, offset);
}

TEST(ValueReader, EveryRunIsAPartOfAllValues)
{
  Handmade file(kWithAHole);
  const std::vector<DatasetIndex> datasets{ with_a_hole(), compact("0123456789"),
    dataset(Storage::Contiguous, { 10 }, 1), dataset(Storage::Unwritten, { 10 }) };
  const std::vector<std::string> expected{ "abcd....ij", "0123456789", "-abcd--ij#", ".........." };
  ValueReader reader;
  for (std::size_t i = 0; i < datasets.size(); ++i)
  {
    EXPECT_EQ(text(reader.read(file.file(), nullptr, datasets[i])), expected[i]);
    EXPECT_EQ(text(reader.read(file.file(), &file.bytes(), datasets[i])), expected[i]);
    ASSERT_TRUE(can_read_runs(*datasets[i].form));
    EXPECT_EQ(text(ValueReader().read_run(file.file(), datasets[i], { 5, 0 })), ""); // without any memory yet
    for (std::int64_t first = 0; first <= 10; ++first)
    {
      for (std::int64_t count = 0; first + count <= 10; ++count)
      {
        const std::string part = expected[i].substr(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        EXPECT_EQ(text(reader.read_run(file.file(), datasets[i], { first, count })), part) << first;
      }
    }
  }
}

TEST(ValueReader, ChunksInTwoDimensionsAreCutAtTheEdges)
{
  Handmade file(Bytes().add("abcdefghijklmnopqrstuvwx"));
  const std::vector<Chunk> chunks{ { 0, 6, 0, { 0, 0 } }, { 6, 6, 0, { 0, 3 } }, { 18, 6, 0, { 2, 3 } } };
  const DatasetIndex index = chunked({ 3, 5 }, { 2, 3 }, chunks);
  const std::string expected = "abcgh"
                               "defjk"
                               "...st";
  std::string values(expected.size() + 1, '#');
  auto* out = reinterpret_cast<std::byte*>(values.data());
  ASSERT_TRUE(ValueReader().read_into(file.file(), nullptr, index, out).has_value());
  EXPECT_EQ(values, expected + '#');
  EXPECT_FALSE(can_read_runs(*index.form));
}

TEST(ValueReader, AKeptChunkIsNotMistakenForAnother)
{
  Handmade file(Bytes().add("abcdefgh"));
  const DatasetIndex first = chunked({ 4 }, { 4 }, { { 0, 4, 0, { 0 } } });
  const DatasetIndex second = chunked({ 4 }, { 4 }, { { 4, 4, 0, { 0 } } });
  const DatasetIndex beyond = chunked({ 4 }, { 4 }, { { 7, 4, 0, { 0 } } });
  ValueReader reader;
  EXPECT_EQ(text(reader.read_run(file.file(), first, { 0, 2 })), "ab");
  EXPECT_EQ(text(reader.read(file.file(), nullptr, second)), "efgh");
  EXPECT_EQ(text(reader.read_run(file.file(), first, { 2, 2 })), "cd");
  expect_error(reader.read_run(file.file(), beyond, { 0, 1 }), ErrorCode::Truncated, file.path(), 8);
  EXPECT_EQ(text(reader.read_run(file.file(), first, { 1, 2 })), "bc");
  const std::int64_t before = reader.bytes_read();
  EXPECT_EQ(text(reader.read_run(file.file(), first, { 0, 4 })), "abcd");
  EXPECT_EQ(reader.bytes_read(), before);
}

TEST(ValueReader, WhatIsHeldIsNotReadAgain)
{
  Handmade file(kWithAHole);
  const DatasetIndex contiguous = dataset(Storage::Contiguous, { 4 }, 2);
  ValueReader reader;
  const Values values = reader.read(file.file(), &file.bytes(), contiguous);
  EXPECT_EQ(text(values), "abcd");
  EXPECT_EQ(values->data(), file.bytes().held(2, 4).data());
  EXPECT_EQ(text(reader.read(file.file(), &file.bytes(), with_a_hole())), "abcd....ij");
  EXPECT_EQ(reader.bytes_read(), 0);
  EXPECT_EQ(text(reader.read(file.file(), nullptr, contiguous)), "abcd");
  EXPECT_EQ(text(reader.read(file.file(), nullptr, with_a_hole())), "abcd....ij");
  EXPECT_EQ(reader.bytes_read(), 4 + 8);
}

TEST(ValueReader, LargeValuesHaveTheirPlaceInAPageInMemoryToo)
{
  const std::int64_t size = File::kMuchPastCache;
  Handmade file(Bytes().zeros(100).add("x").zeros(static_cast<std::size_t>(size + 5)));
  const DatasetIndex index = dataset(Storage::Contiguous, { size + 5 }, 100);
  ValueReader reader;
  for (const std::int64_t first : { 0, 5, 1 })
  {
    const Values values = reader.read_run(file.file(), index, { first, size });
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values->data()) % kPage, static_cast<std::uintptr_t>(100 + first));
    EXPECT_EQ((*values)[0], first == 0 ? std::byte{ 'x' } : std::byte{ 0 });
  }
}

TEST(ValueReader, ErrorsNameTheFileAndTheChunk)
{
  Handmade file(Bytes().add("abcdefgh"));
  const std::vector<Chunk> wrong_size{ { 3, 3, 0, { 0 } } };
  const std::vector<Chunk> beyond{ { 6, 4, 0, { 0 } } };
  const std::vector<Filter> deflate{ { 1, { 6 } } };
  for (const DatasetIndex& damaged : { chunked({ 4 }, { 4 }, wrong_size), chunked({ 4 }, { 4 }, wrong_size, deflate) })
  {
    expect_error(ValueReader().read(file.file(), nullptr, damaged), ErrorCode::Corrupt, file.path(), 3);
    expect_error(ValueReader().read(file.file(), &file.bytes(), damaged), ErrorCode::Corrupt, file.path(), 3);
    expect_error(ValueReader().read_run(file.file(), damaged, { 1, 1 }), ErrorCode::Corrupt, file.path(), 3);
  }
  File closed = *File::open(file.path(), File::Mode::Read);
  ASSERT_TRUE(closed.close().has_value());
  for (const DatasetIndex& cut : { chunked({ 4 }, { 4 }, beyond), dataset(Storage::Contiguous, { 4 }, 6) })
  {
    expect_error(ValueReader().read(file.file(), nullptr, cut), ErrorCode::Truncated, file.path(), 8);
    expect_error(ValueReader().read(file.file(), &file.bytes(), cut), ErrorCode::Truncated, file.path(), 8);
    expect_error(ValueReader().read_run(file.file(), cut, { 0, 4 }), ErrorCode::Truncated, file.path(), 8);
    expect_error(ValueReader().read(closed, nullptr, cut), ErrorCode::CannotRead, file.path(), 6);
  }
}

TEST(ValueReader, PartsOfARunLieInTheFileInItsOrder)
{
  std::vector<FilePart> parts;
  DatasetForm doubles = *dataset(Storage::Contiguous, { 10 }).form;
  doubles.type = StoredType::Float64;
  add_parts({ std::make_shared<const DatasetForm>(doubles), 50, {} }, { 3, 4 }, parts);
  add_parts(dataset(Storage::Unwritten, { 10 }), { 3, 4 }, parts);
  add_parts(compact("0123456789"), { 3, 4 }, parts);
  add_parts(with_a_hole(), { 4, 4 }, parts); // in the hole
  add_parts(with_a_hole(), { 3, 6 }, parts);
  add_parts(with_a_hole(), { 9, 1 }, parts);
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  std::transform(parts.begin(), parts.end(), std::back_inserter(found),
      [](const FilePart& part) { return std::pair(part.begin, part.bytes); });
  EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, std::int64_t>>{ { 74, 32 }, { 2, 4 }, { 8, 4 }, { 8, 4 } }));
}

TEST(ValueReader, ChunksAreListedWhereTheyCanBeRead)
{
  Handmade file(Bytes().node(1, 0, 1).chunk(0, 0));
  DatasetLayout layout{ *chunked({ 4 }, { 4 }, {}).form, 0 };
  EXPECT_EQ(index_dataset(file.bytes(), DatasetLayout(layout))->chunks.size(), 1U);
  layout.address = 1;
  EXPECT_EQ(index_dataset(file.bytes(), DatasetLayout(layout)).error().code, ErrorCode::Corrupt);
  layout.filters = { { 4, {} } };
  EXPECT_FALSE(can_read(layout));
  EXPECT_TRUE(index_dataset(file.bytes(), DatasetLayout(layout))->chunks.empty());
  EXPECT_FALSE(can_read(*chunked({}, {}, {}).form));
  EXPECT_TRUE(can_read_runs(*dataset(Storage::Contiguous, { 2, 3 }).form));
}

TEST(ValueReader, BytesAreThoseThatTheLibraryReads)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  std::vector<double> values(std::size_t{ 5 } * 7 * 3);
  std::iota(values.begin(), values.end(), 0.5);
  {
    Hdf5File file(path);
    file.put("big", values, { 5, 7, 3 }, { .file_type = H5T_IEEE_F64BE, .chunk = { 2, 3, 2 }, .shuffle = true });
    file.put("little", values, { 5, 7, 3 }, { .file_type = H5T_STD_I16LE, .chunk = { 5, 2, 1 }, .deflate = 1 });
    file.put("part", values, { 5, 7, 3 }, { .chunk = { 2, 3, 2 }, .sparse = true, .fill = 0.1 });
    file.put("none", values, { 5 }, { .file_type = H5T_STD_I64BE, .unwritten = true, .fill = -3.0 });
    file.put("scalar", values, {}, { .file_type = H5T_IEEE_F32LE });
    file.put("compact", values, { 9 }, { .file_type = H5T_STD_U16BE, .compact = true });
    file.put("empty", {}, { 4, 0 }, { .unwritten = true });
  }
  Opened opened(path);
  for (const std::string name : { "big", "little", "part", "none", "scalar", "compact", "empty" })
  {
    const DatasetIndex index = opened.dataset(name);
    const auto bytes = static_cast<std::size_t>(index.form->bytes());
    EXPECT_EQ(bytes == 0, name == "empty");
    const std::string expected = bytes > 0 ? values_by_library(path, name, bytes) : "";
    EXPECT_EQ(text(ValueReader().read(opened.file, &opened.bytes, index)), expected) << name;
    EXPECT_EQ(text(ValueReader().read(opened.file, nullptr, index)), expected) << name;
  }
}

TEST(ValueReader, FiltersThatAChunkSkippedAreNotUndoneOnAnyThread)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  std::vector<double> values(24);
  std::iota(values.begin(), values.end(), 1000.0);
  const std::string stored = "The bytes of eight numbers, four";
  {
    Hdf5File file(path);
    file.put("values", values, { 24 }, { .file_type = H5T_STD_I32LE, .chunk = { 8 }, .shuffle = true, .deflate = 1 });
    file.put_chunk("values", { 8 }, 2, stored); // shuffled, not deflated
    file.put_chunk("values", { 16 }, 3, stored);
  }
  Opened opened(path);
  const DatasetIndex index = opened.dataset("values");
  const std::string expected = values_by_library(path, "values", 96);
  ASSERT_EQ(expected.substr(64), stored);
  EXPECT_EQ(text(ValueReader().read(opened.file, nullptr, index)), expected);
  const auto work = [&]
  {
    ValueReader reader;
    for (std::int64_t turn = 0; turn < 100; ++turn)
    {
      const std::int64_t first = turn * 7 % 23;
      const std::string run = text(reader.read_run(opened.file, index, { first, 2 }));
      EXPECT_EQ(run, expected.substr(4 * static_cast<std::size_t>(first), 8));
    }
  };
  std::vector<std::jthread> team(4);
  for (std::jthread& thread : team)
  {
    thread = std::jthread(work);
  }
}

} // namespace
} // namespace rivulet::test
