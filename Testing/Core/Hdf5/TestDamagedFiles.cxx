// SPDX-License-Identifier: BSD-3-Clause
// Files that no library writes: what they claim is bounded by what they hold.
#include "Hdf5/ChunkTree.h"
#include "Hdf5/OldStyleFile.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace rivulet::test
{
namespace
{

using namespace hdf5;

/// Bytes put together number by number, least significant byte first.
class Bytes
{
public:
  [[nodiscard]] const std::string& text() const { return bytes_; }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

  Bytes& add(const std::string& text)
  {
    bytes_ += text;
    return *this;
  }
  Bytes& add(std::uint64_t value, int size)
  {
    for (int i = 0; i < size; ++i)
    {
      bytes_ += static_cast<char>(value >> 8U * static_cast<unsigned>(i) & 0xFFU);
    }
    return *this;
  }
  Bytes& zeros(std::size_t count) { return add(std::string(count, '\0')); }

  /// The beginning of a node of a tree: of groups (0) or of chunks (1).
  Bytes& node(std::uint64_t kind, std::uint64_t level, std::uint64_t children)
  {
    return add("TREE").add(kind, 1).add(level, 1).add(children, 2).add(kUndefinedAddress, 8).add(kUndefinedAddress, 8);
  }
  /// An entry of a tree of chunks of one dimension.
  Bytes& chunk(std::uint64_t first, std::uint64_t address)
  {
    return add(1, 4).add(0, 4).add(first, 8).add(0, 8).add(address, 8);
  }
  /// A message of an object's header.
  Bytes& message(std::uint64_t type, const Bytes& body)
  {
    return add(type, 2).add(body.size(), 2).add(0, 4).add(body.text());
  }
  Bytes& header(std::uint64_t messages, const Bytes& body)
  {
    return add(1, 1).add(0, 1).add(messages, 2).add(1, 4).add(body.size(), 4).add(0, 4).add(body.text());
  }

private:
  std::string bytes_;
};

/// A file of such bytes, open.
class Handmade
{
public:
  explicit Handmade(const Bytes& bytes)
  {
    std::ofstream(path_, std::ios::binary) << bytes.text();
    file_ = std::move(*File::open(path_, File::Mode::Read));
    bytes_.emplace(file_, *file_.size());
  }
  [[nodiscard]] BufferedFile& bytes() { return *bytes_; }

private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("file.h5");
  File file_;
  std::optional<BufferedFile> bytes_;
};

Bytes dataspace(int rank)
{
  Bytes body;
  body.add(1, 1).add(static_cast<std::uint64_t>(rank), 1).zeros(6);
  for (int i = 0; i < rank; ++i)
  {
    body.add(1, 8);
  }
  return body;
}

Bytes chunked(int rank)
{
  Bytes body;
  body.add(3, 1).add(2, 1).add(static_cast<std::uint64_t>(rank) + 1, 1).add(0, 8);
  for (int i = 0; i <= rank; ++i)
  {
    body.add(1, 4);
  }
  return body;
}

TEST(DamagedFiles, ADescriptionIsThereOnce)
{
  const Bytes integer = Bytes().add(0x10, 1).zeros(3).add(1, 4).add(0, 2).add(8, 2);
  for (const int times : { 1, 2 }) // twice 20 dimensions are more than there can be
  {
    Bytes messages;
    messages.message(0x0003, integer);
    for (int i = 0; i < times; ++i)
    {
      messages.message(0x0001, dataspace(20)).message(0x0008, chunked(20));
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
  bytes.header(1, Bytes().message(0x0011, Bytes().add(kNames + names.size(), 8).add(kGroup + 40, 8)));
  bytes.add("HEAP").add(0, 4).add(names.size(), 8).add(0, 8).add(kNames, 8).add(names);
  return bytes.add(tree.text());
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
