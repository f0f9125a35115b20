// SPDX-License-Identifier: BSD-3-Clause
// Files that no library writes: what they claim is bounded by what they hold.
#include "Core/Hdf5/HandmadeFile.h"
#include "Hdf5/ChunkTree.h"
#include "Hdf5/OldStyleFile.h"

#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

using namespace hdf5;

TEST(DamagedFiles, ADescriptionIsThereOnce)
{
  const std::vector<std::uint64_t> ones(20, 1);
  const std::vector<std::uint64_t> chunk(21, 1);
  for (const int times : { 1, 2 }) // twice 20 dimensions are more than there can be
  {
    Bytes messages;
    messages.message(message::integers(1));
    for (int i = 0; i < times; ++i)
    {
      messages.message(message::space(ones)).message(message::chunked(0, chunk));
    }
    Handmade file(Bytes().header(static_cast<std::uint64_t>(1 + 2 * times), messages));
    const Result<ObjectHeader> header = read_object_header(file.bytes(), 0);
    ASSERT_EQ(header.has_value(), times == 1);
    EXPECT_TRUE(header ? header->dataset.has_value() : header.error().code == ErrorCode::Corrupt);
  }
}

/// A tree that is too large to be walked, unless one sees that it leads to the same nodes again and again.
Bytes tangle(std::uint64_t kind, std::uint64_t entry, std::uint64_t address)
{
  Bytes bytes;
  const std::uint64_t levels = 18;
  const std::uint64_t node = 24 + 2 * entry;
  for (std::uint64_t level = levels; level > 0; --level)
  {
    bytes.node(kind, level, 2);
    const std::uint64_t next = address + (levels - level + 1) * node;
    for (int i = 0; i < 2; ++i)
    {
      kind == 1 ? bytes.chunk(0, next) : bytes.add(0, 8).add(next, 8);
    }
  }
  return bytes.node(kind, 0, 0);
}

DatasetLayout row_of_bytes()
{
  DatasetLayout layout;
  layout.type = StoredType::UInt8;
  layout.dims = { std::int64_t{ 1 } << 40 };
  layout.chunk = { 1 };
  layout.storage = Storage::Chunked;
  return layout;
}

TEST(DamagedFiles, ATreeOfChunksLeadsToEachNodeOnce)
{
  Handmade file(tangle(1, 32, 0));
  const Result<std::vector<Chunk>> chunks = list_chunks(file.bytes(), row_of_bytes());
  ASSERT_FALSE(chunks.has_value());
  EXPECT_EQ(chunks.error().code, ErrorCode::Corrupt);
}

TEST(DamagedFiles, AChunkIsThereOnce)
{
  for (const std::uint64_t second : { 1, 0 })
  {
    Handmade file(Bytes().node(1, 0, 2).chunk(0, 0).chunk(second, 0));
    const Result<std::vector<Chunk>> chunks = list_chunks(file.bytes(), row_of_bytes());
    EXPECT_EQ(chunks.has_value(), second == 1);
  }
}

constexpr std::uint64_t kGroup = 104; // behind the superblock
constexpr std::uint64_t kNames = kGroup + 16 + 24 + 32;

/// A file with one group. Its names begin at kNames, its tree follows them.
Bytes grouped(const std::string& names, const Bytes& tree)
{
  Bytes bytes;
  bytes.add("\x89HDF\r\n\x1a\n").zeros(5).add(8, 1).add(8, 1).zeros(49).add(kGroup, 8).zeros(kGroup - 72);
  bytes.header(1, Bytes().message(message::group(kNames + names.size(), kGroup + 40)));
  bytes.add("HEAP").add(0, 4).add(names.size(), 8).add(0, 8).add(kNames, 8).add(names);
  return bytes.add(tree);
}

/// How many names are found, or -1.
int names_in(const Bytes& bytes)
{
  Handmade file(bytes);
  Result<OldStyleFile> parsed = OldStyleFile::open(file.bytes());
  const Result<std::vector<Name>> names = parsed->names(parsed->root());
  EXPECT_TRUE(names || names.error().code == ErrorCode::Corrupt) << names.error().describe();
  return names ? static_cast<int>(names->size()) : -1;
}

TEST(DamagedFiles, ATreeOfNamesLeadsToEachNodeOnce)
{
  EXPECT_EQ(names_in(grouped("", Bytes().node(0, 0, 0))), 0);
  EXPECT_EQ(names_in(grouped("", tangle(0, 16, kNames))), -1);
}

TEST(DamagedFiles, NamesHaveCharactersOfTheirOwn)
{
  const std::string names = std::string(100, 'a') + '\0' + std::string(100, 'b') + '\0' + "c" + '\0';
  for (const std::uint64_t second : { 101, 0 })
  {
    Bytes tree;
    tree.node(0, 0, 1).add(0, 8).add(kNames + names.size() + 40, 8);
    tree.add("SNOD").add(1, 2).add(3, 2);
    for (const std::uint64_t name : { std::uint64_t{ 0 }, second, 2 * second })
    {
      tree.add(name, 8).add(0, 8).zeros(24);
    }
    EXPECT_EQ(names_in(grouped(names, tree)), second == 101 ? 3 : -1);
  }
}

TEST(DamagedFiles, LargeFilesAreNotHeldManyTimes)
{
  Bytes bytes;
  bytes.zeros(static_cast<std::size_t>(2 * BufferedFile::kWhole));
  Handmade file(bytes);
  for (std::uint64_t at = 0; at < 100; ++at)
  {
    ASSERT_TRUE(file.bytes().view(at << 12U, BufferedFile::kWhole).has_value());
  }
  EXPECT_LT(file.bytes().bytes_read(), 3 * file.bytes().size());
}

} // namespace
} // namespace rivulet::test
