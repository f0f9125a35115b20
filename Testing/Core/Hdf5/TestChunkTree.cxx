// SPDX-License-Identifier: BSD-3-Clause
// Chunks as the library lists them, and what no tree may say.
#include "Core/Hdf5/HandmadeFile.h"
#include "Core/Hdf5/Hdf5Files.h"
#include "Core/Hdf5/OpenedFile.h"
#include "Hdf5/ChunkTree.h"

namespace rivulet::test
{
namespace
{

using namespace hdf5;
using Chunks = std::vector<Chunk>;
using Dims = std::vector<std::int64_t>;

/// Bytes whose tree is at the beginning of the file.
DatasetLayout layout_of(const Dims& dims, const Dims& chunk)
{
  DatasetLayout layout;
  layout.type = StoredType::UInt8;
  layout.dims = dims;
  layout.chunk = chunk;
  layout.storage = Storage::Chunked;
  return layout;
}

Bytes leaf(const Chunks& chunks)
{
  Bytes bytes = Bytes().node(1, 0, chunks.size());
  for (const Chunk& chunk : chunks)
  {
    bytes.chunk(chunk);
  }
  return bytes;
}

void expect_same(const Chunks& chunks, const Chunks& expected)
{
  ASSERT_EQ(chunks.size(), expected.size());
  for (std::size_t i = 0; i < chunks.size(); ++i)
  {
    EXPECT_EQ(chunks[i].first, expected[i].first) << i;
    EXPECT_EQ(chunks[i].address, expected[i].address) << i;
    EXPECT_EQ(chunks[i].bytes, expected[i].bytes) << i;
    EXPECT_EQ(chunks[i].skipped, expected[i].skipped) << i;
  }
}

void expect_chunks(const Bytes& bytes, const DatasetLayout& layout, const Chunks& expected)
{
  Handmade file(bytes);
  const Result<Chunks> chunks = list_chunks(file.bytes(), layout);
  ASSERT_TRUE(chunks.has_value()) << chunks.error().describe();
  expect_same(*chunks, expected);
}

void expect_error(const Bytes& bytes, const DatasetLayout& layout, ErrorCode code, std::uint64_t offset)
{
  Handmade file(bytes);
  const Result<Chunks> chunks = list_chunks(file.bytes(), layout);
  ASSERT_FALSE(chunks.has_value());
  EXPECT_EQ(chunks.error().code, code) << chunks.error().describe();
  EXPECT_EQ(chunks.error().path, file.path());
  EXPECT_EQ(chunks.error().offset, static_cast<std::int64_t>(offset));
}

TEST(ChunkTree, ListsWhatTheLibraryListsOnAnyNumberOfLevels)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("file.h5");
  for (const unsigned half_of_a_node : { 1, 2, 32 })
  {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_istore_k(creation, half_of_a_node);
    Hdf5File file(path, false, creation);
    H5Pclose(creation);
    file.put("values", {}, { 10, 16 }, { .chunk = { 2, 4 }, .deflate = 1, .unwritten = true });
    for (hsize_t i = 1; i < 20; ++i) // all but one, in no order, each with a size and filters of its own
    {
      const hsize_t which = i * 7 % 20;
      file.put_chunk("values", { which / 4 * 2, which % 4 * 4 }, which % 2, std::string(10 + which, 'x'));
    }
    file.close();

    Opened opened(path);
    const Result<ObjectHeader> header = opened.find("values");
    ASSERT_TRUE(header && header->dataset);
    const auto node = opened.bytes.view(header->dataset->address, 24);
    ASSERT_TRUE(node.has_value());
    const int level = std::to_integer<int>((*node)[5]);
    EXPECT_TRUE(half_of_a_node == 32 ? level == 0 : level >= 2) << level;
    const Result<Chunks> chunks = list_chunks(opened.bytes, *header->dataset);
    ASSERT_TRUE(chunks.has_value()) << chunks.error().describe();
    EXPECT_EQ(chunks->size(), 19U);
    expect_same(*chunks, chunks_by_library(path, "values"));
  }
}

TEST(ChunkTree, HasAnyNumberOfChunksWithTheSlowestDimensionFirst)
{
  expect_chunks(leaf({}), layout_of({ 10 }, { 4 }), {});
  const Chunks chunks{ { 7, 3, 0, { 0, 0, 6 } }, { 5, 2, 0xFFFFFFFF, { 0, 2, 0 } }, { 5, 0, 5, { 2, 0, 3 } } };
  expect_chunks(leaf(chunks), layout_of({ 3, 4, 7 }, { 2, 2, 3 }), chunks);
  const Dims ones(kMostDimensions, 1);
  const Chunk only{ 0, 1, 0, Dims(kMostDimensions, 0) };
  expect_chunks(leaf({ only }), layout_of(ones, ones), { only });
}

TEST(ChunkTree, AChunkLiesWithinTheFile)
{
  const std::uint64_t size = 24 + 32;
  const DatasetLayout layout = layout_of({ 10 }, { 4 });
  for (const Chunk& chunk : Chunks{ { size - 5, 5, 0, { 4 } }, { size, 0, 0, { 4 } } })
  {
    expect_chunks(leaf({ chunk }), layout, { chunk });
  }
  for (const Chunk& chunk : Chunks{ { size - 5, 6, 0, { 4 } }, { size + 1, 0, 0, { 4 } }, { 0, 0xFFFFFFFF, 0, { 4 } },
           { kUndefinedAddress, 5, 0, { 4 } } })
  {
    SCOPED_TRACE(chunk.address);
    expect_error(leaf({ chunk }), layout, ErrorCode::Truncated, size);
  }
}

TEST(ChunkTree, AChunkBeginsWithinTheDatasetWhereAChunkMay)
{
  const DatasetLayout layout = layout_of({ 5, 9 }, { 2, 3 });
  expect_chunks(leaf({ { 3, 1, 0, { 4, 6 } } }), layout, { { 3, 1, 0, { 4, 6 } } });
  for (const Dims& first : { Dims{ 6, 0 }, Dims{ 0, 9 }, Dims{ 1, 0 }, Dims{ 0, 4 }, Dims{ -2, 0 }, Dims{ 0, -3 } })
  {
    SCOPED_TRACE(std::to_string(first[0]) + " " + std::to_string(first[1]));
    expect_error(leaf({ { 3, 1, 0, first } }), layout, ErrorCode::Corrupt, 3);
  }
  expect_error(leaf({ { 3, 1, 0, { 0 } } }), layout_of({ 0 }, { 2 }), ErrorCode::Corrupt, 3);
}

TEST(ChunkTree, ChunksAreInOrderFromLeafToLeaf)
{
  const DatasetLayout layout = layout_of({ 10 }, { 2 });
  const Bytes first = leaf({ { 9, 1, 0, { 0 } }, { 8, 1, 0, { 2 } } });
  Bytes bytes = Bytes().node(1, 1, 2).chunk(0, 24 + 2 * 32).chunk(4, 24 + 2 * 32 + first.size()).add(first);
  for (const std::int64_t next : { 0, 2 })
  {
    expect_error(Bytes(bytes).add(leaf({ { 7, 1, 0, { next } } })), layout, ErrorCode::Corrupt, 7);
  }
  bytes.add(leaf({ { 7, 1, 0, { 4 } } }));
  expect_chunks(bytes, layout, { { 9, 1, 0, { 0 } }, { 8, 1, 0, { 2 } }, { 7, 1, 0, { 4 } } });
}

TEST(ChunkTree, ItsLevelsGoDownToLeavesOfChunks)
{
  const DatasetLayout layout = layout_of({ 10 }, { 4 });
  const std::uint64_t below = 24 + 32;
  const Bytes root = Bytes().node(1, 1, 1).chunk(0, below);
  expect_chunks(Bytes(root).add(leaf({})), layout, {});
  const Bytes of_groups = Bytes().node(0, 0, 0);
  for (const Bytes& node : { of_groups, leaf({}).with(3, 'X'), leaf({}).with(5, 1), leaf({}).with(5, 255) })
  {
    expect_error(Bytes(root).add(node), layout, ErrorCode::Corrupt, below);
  }
  const Bytes itself = Bytes().node(1, 1, 1).chunk(0, 0);
  for (const Bytes& node : { of_groups, leaf({}).with(5, 255), itself })
  {
    expect_error(node, layout, ErrorCode::Corrupt, 0);
  }
}

TEST(ChunkTree, ItsNodesLieWithinTheFile)
{
  DatasetLayout layout = layout_of({ 10 }, { 4 });
  layout.address = 100; // the file is longer than the node, even without its end
  const Bytes whole = Bytes().zeros(100).add(leaf({ { 0, 1, 0, { 0 } } }));
  for (const std::size_t cut : { 1, 32, 33, 56 })
  {
    SCOPED_TRACE(cut);
    expect_error(whole.without(cut), layout, ErrorCode::Truncated, whole.size() - cut);
  }
  layout.address = kUndefinedAddress - 10;
  expect_error(whole, layout, ErrorCode::Truncated, whole.size());
}

} // namespace
} // namespace rivulet::test
