// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/ChunkTree.h"

#include "Io/FieldFile/Cursor.h"

#include <cstring>

namespace rivulet::hdf5
{

namespace
{

constexpr int kMostLevels = 32;

class ChunkWalk
{
public:
  ChunkWalk(BufferedFile& file, const DatasetLayout& layout)
    : file_(file)
    , layout_(layout)
  {
  }

  Result<std::vector<Chunk>> walk()
  {
    if (Result<void> good = walk_node(layout_.address, kMostLevels); !good)
    {
      return forward_error(good);
    }
    return std::move(chunks_);
  }

private:
  [[nodiscard]] tl::unexpected<Error> corrupt(const char* what, std::uint64_t address) const
  {
    return fail(ErrorCode::Corrupt, what, "the file is damaged: copy it again or leave it out", file_.path(),
        static_cast<std::int64_t>(address));
  }

  Result<void> walk_node(std::uint64_t address, int level_above)
  {
    Result<std::span<const std::byte>> head = file_.view(address, 24);
    if (!head)
    {
      return forward_error(head);
    }
    if (std::memcmp(head->data(), "TREE", 4) != 0 || std::to_integer<int>((*head)[4]) != 1)
    {
      return corrupt("there is no tree of chunks where a dataset says it is", address);
    }
    const int level = std::to_integer<int>((*head)[5]);
    Cursor cursor(head->subspan(6));
    const std::size_t children = cursor.u16();
    const std::size_t key = 8 + 8 * (layout_.dims.size() + 1);
    // Each node has its own bytes in the file. More bytes of nodes than the file has mean a loop or a shared node.
    walked_ += 24 + (key + 8) * children;
    if (level >= level_above || walked_ > static_cast<std::uint64_t>(file_.size()))
    {
      return corrupt("the tree of a dataset's chunks never ends", address);
    }
    Result<std::span<const std::byte>> entries = file_.view(address + 24, (key + 8) * children);
    if (!entries)
    {
      return forward_error(entries);
    }
    Cursor children_at(*entries);
    for (std::size_t i = 0; i < children && level > 0; ++i)
    {
      children_at.skip(key);
      file_.prefetch(children_at.u64());
    }
    Cursor entry(*entries);
    for (std::size_t i = 0; i < children; ++i)
    {
      Chunk chunk;
      chunk.bytes = entry.u32();
      chunk.skipped = entry.u32();
      for (std::size_t axis = 0; axis < layout_.dims.size(); ++axis)
      {
        chunk.first.push_back(static_cast<std::int64_t>(entry.u64()));
      }
      entry.skip(8); // offset within the element, always 0
      chunk.address = entry.u64();
      Result<void> good = level == 0 ? add(std::move(chunk)) : walk_node(chunk.address, level);
      if (!good)
      {
        return good;
      }
    }
    return {};
  }

  Result<void> add(Chunk&& chunk)
  {
    const auto size = static_cast<std::uint64_t>(file_.size());
    if (chunk.address > size || chunk.bytes > size - chunk.address)
    {
      return fail(ErrorCode::Truncated, "the file ends before a chunk of a dataset does",
          "copy the file again, or wait until it is written", file_.path(), file_.size());
    }
    for (std::size_t axis = 0; axis < layout_.dims.size(); ++axis)
    {
      const std::int64_t first = chunk.first[axis];
      if (first < 0 || first >= layout_.dims[axis] || first % layout_.chunk[axis] != 0)
      {
        return corrupt("a chunk lies outside its dataset", chunk.address);
      }
    }
    if (!chunks_.empty() && chunks_.back().first >= chunk.first)
    {
      return corrupt("a dataset's chunks are not in order, or one is there twice", chunk.address);
    }
    chunks_.push_back(std::move(chunk));
    return {};
  }

  BufferedFile& file_;
  const DatasetLayout& layout_;
  std::uint64_t walked_ = 0; ///< bytes of the nodes visited
  std::vector<Chunk> chunks_;
};

} // namespace

Result<std::vector<Chunk>> list_chunks(BufferedFile& file, const DatasetLayout& layout)
{
  return ChunkWalk(file, layout).walk();
}

} // namespace rivulet::hdf5
