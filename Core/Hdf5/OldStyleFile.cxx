// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/OldStyleFile.h"

#include "Io/FieldFile/Cursor.h"

#include <cstring>

namespace rivulet::hdf5
{

namespace
{

constexpr std::array<unsigned char, 8> kSignature{ 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
constexpr int kMostLevels = 32;

tl::unexpected<Error> corrupt(const BufferedFile& bytes, const std::string& what, std::uint64_t address)
{
  return fail(ErrorCode::Corrupt, what, "the file is damaged: copy it again or leave it out", bytes.path(),
      static_cast<std::int64_t>(address));
}

bool begins_with(std::span<const std::byte> bytes, const char* tag)
{
  return bytes.size() >= 4 && std::memcmp(bytes.data(), tag, 4) == 0;
}

/// Reads the names of one group from its heap and its B-tree.
class GroupWalk
{
public:
  GroupWalk(BufferedFile& bytes, const SymbolTable& table)
    : bytes_(bytes)
    , table_(table)
  {
  }

  Result<std::vector<Name>> walk()
  {
    if (Result<void> good = read_heap(); !good)
    {
      return forward_error(good);
    }
    if (Result<void> good = walk_tree(table_.tree, kMostLevels); !good)
    {
      return forward_error(good);
    }
    return std::move(names_);
  }

private:
  Result<void> read_heap()
  {
    Result<std::span<const std::byte>> head = bytes_.view(table_.heap, 32);
    if (!head)
    {
      return forward_error(head);
    }
    if (!begins_with(*head, "HEAP"))
    {
      return corrupt(bytes_, "there is no heap of names where a group says it is", table_.heap);
    }
    Cursor cursor(head->subspan(8));
    const std::uint64_t size = cursor.u64();
    cursor.skip(8); // free list
    Result<std::span<const std::byte>> data = bytes_.view(cursor.u64(), size);
    if (!data)
    {
      return forward_error(data);
    }
    heap_ = *data;
    return {};
  }

  /// Counts bytes of nodes. Each node has its own bytes in the file, so that more of them mean a loop or a shared node.
  Result<void> count_in(std::uint64_t bytes, std::uint64_t address)
  {
    walked_ += bytes;
    return walked_ <= static_cast<std::uint64_t>(bytes_.size())
               ? Result<void>()
               : corrupt(bytes_, "the tree of a group's names never ends", address);
  }

  Result<void> walk_tree(std::uint64_t address, int level_above)
  {
    Result<std::span<const std::byte>> head = bytes_.view(address, 24);
    if (!head)
    {
      return forward_error(head);
    }
    if (!begins_with(*head, "TREE") || std::to_integer<int>((*head)[4]) != 0)
    {
      return corrupt(bytes_, "there is no tree of names where a group says it is", address);
    }
    const int level = std::to_integer<int>((*head)[5]);
    Cursor cursor(head->subspan(6));
    const std::size_t children = cursor.u16();
    if (level >= level_above)
    {
      return corrupt(bytes_, "the tree of a group's names never ends", address);
    }
    if (Result<void> good = count_in(24 + 16 * children, address); !good)
    {
      return good;
    }
    Result<std::span<const std::byte>> entries = bytes_.view(address + 24, 16 * children);
    if (!entries)
    {
      return forward_error(entries);
    }
    Cursor children_at(*entries); // keys and children alternate
    for (std::size_t i = 0; i < children && children > 1; ++i)
    {
      children_at.skip(8);
      bytes_.prefetch(children_at.u64());
    }
    Cursor child(*entries);
    for (std::size_t i = 0; i < children; ++i)
    {
      child.skip(8);
      const std::uint64_t below = child.u64();
      Result<void> good = level == 0 ? read_names(below) : walk_tree(below, level);
      if (!good)
      {
        return good;
      }
    }
    return {};
  }

  Result<void> read_names(std::uint64_t address)
  {
    Result<std::span<const std::byte>> head = bytes_.view(address, 8);
    if (!head)
    {
      return forward_error(head);
    }
    if (!begins_with(*head, "SNOD"))
    {
      return corrupt(bytes_, "there are no names where a group's tree says they are", address);
    }
    Cursor cursor(head->subspan(6));
    const std::size_t count = cursor.u16();
    if (Result<void> good = count_in(8 + 40 * count, address); !good)
    {
      return good;
    }
    Result<std::span<const std::byte>> entries = bytes_.view(address + 8, 40 * count);
    if (!entries)
    {
      return forward_error(entries);
    }
    Cursor entry(*entries);
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::uint64_t name = entry.u64();
      const std::uint64_t object = entry.u64();
      const std::uint32_t kind = entry.u32();
      entry.skip(20);
      if (kind == 2)
      {
        return fail(ErrorCode::Unsupported, "a group has symbolic links", {}, bytes_.path());
      }
      Result<std::string> text = name_at(name);
      if (!text)
      {
        return forward_error(text);
      }
      names_.push_back({ std::move(*text), object });
    }
    return {};
  }

  Result<std::string> name_at(std::uint64_t offset)
  {
    if (offset < heap_.size())
    {
      const std::span<const std::byte> rest = heap_.subspan(offset);
      const void* end = std::memchr(rest.data(), 0, rest.size());
      const auto* begin = reinterpret_cast<const char*>(rest.data());
      const auto length = end != nullptr ? static_cast<std::size_t>(static_cast<const char*>(end) - begin) : 0;
      characters_ += length + 1;
      if (end != nullptr && characters_ <= heap_.size()) // each name has its own bytes in the heap
      {
        return std::string(begin, length);
      }
    }
    return corrupt(bytes_, "a name lies outside its group's heap, or where others do", table_.heap);
  }

  BufferedFile& bytes_;
  SymbolTable table_;
  std::span<const std::byte> heap_;
  std::uint64_t walked_ = 0;   ///< bytes of the nodes visited
  std::size_t characters_ = 0; ///< bytes of the names read, with their terminators
  std::vector<Name> names_;
};

} // namespace

Result<OldStyleFile> OldStyleFile::open(BufferedFile& bytes)
{
  static constexpr std::size_t kPrefix = 24;
  static constexpr std::size_t kLargest = 100;
  if (bytes.size() < static_cast<std::int64_t>(kLargest))
  {
    return fail(ErrorCode::NotThisFormat, "this is not an HDF5 file", {}, bytes.path());
  }
  Result<std::span<const std::byte>> head = bytes.view(0, kLargest);
  if (!head)
  {
    return forward_error(head);
  }
  if (std::memcmp(head->data(), kSignature.data(), kSignature.size()) != 0)
  {
    // A user block may precede the signature; libhdf5 searches for it.
    return fail(ErrorCode::Unsupported, "the file does not begin with HDF5's signature", {}, bytes.path());
  }
  const int version = std::to_integer<int>((*head)[8]);
  const bool usual = version <= 1 && std::to_integer<int>((*head)[13]) == 8 && std::to_integer<int>((*head)[14]) == 8;
  if (!usual)
  {
    return fail(ErrorCode::Unsupported, "the file is of a newer style", {}, bytes.path());
  }
  Cursor cursor(head->subspan(kPrefix + (version == 1 ? 4 : 0)));
  const std::uint64_t base = cursor.u64();
  cursor.skip(8); // free space
  const std::uint64_t end = cursor.u64();
  cursor.skip(8); // driver
  cursor.skip(8); // name of the root group
  const std::uint64_t root = cursor.u64();
  if (base != 0)
  {
    return fail(ErrorCode::Unsupported, "the file's addresses do not begin at its beginning", {}, bytes.path());
  }
  return OldStyleFile(bytes, root, end <= static_cast<std::uint64_t>(bytes.size()));
}

Result<std::vector<Name>> OldStyleFile::names(std::uint64_t group)
{
  Result<ObjectHeader> header = object(group);
  if (!header)
  {
    return forward_error(header);
  }
  if (!header->group)
  {
    return fail(ErrorCode::BadArgument, "this is not a group", {}, bytes_->path(), static_cast<std::int64_t>(group));
  }
  return GroupWalk(*bytes_, *header->group).walk();
}

} // namespace rivulet::hdf5
