// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// HDF5 structures put together number by number, for what no library writes.
///
///     Handmade file(Bytes().node(1, 0, 1).chunk(0, 100));
///     list_chunks(file.bytes(), layout);
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/Layout.h"
#include "Support/TemporaryFolder.h"

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::test
{

struct Message;

/// Numbers have their least significant byte first.
class Bytes
{
public:
  [[nodiscard]] const std::string& text() const { return bytes_; }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

  Bytes& add(const Bytes& other) { return add(other.bytes_); }
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

  /// The same with another byte at `at`.
  [[nodiscard]] Bytes with(std::size_t at, unsigned byte) const
  {
    Bytes changed = *this;
    changed.bytes_.at(at) = static_cast<char>(byte);
    return changed;
  }
  /// The same without its last bytes.
  [[nodiscard]] Bytes without(std::size_t last) const { return Bytes().add(bytes_.substr(0, bytes_.size() - last)); }

  /// The beginning of a node of a tree: of groups (0) or of chunks (1).
  Bytes& node(std::uint64_t kind, std::uint64_t level, std::uint64_t children)
  {
    return add("TREE")
        .add(kind, 1)
        .add(level, 1)
        .add(children, 2)
        .add(~std::uint64_t{ 0 }, 8)
        .add(~std::uint64_t{ 0 }, 8);
  }
  /// An entry of a tree of chunks: a chunk, or in higher levels a node with its first chunk.
  Bytes& chunk(const hdf5::Chunk& chunk)
  {
    add(chunk.bytes, 4).add(chunk.skipped, 4);
    for (const std::int64_t first : chunk.first)
    {
      add(static_cast<std::uint64_t>(first), 8);
    }
    return add(0, 8).add(chunk.address, 8);
  }
  /// The same of one byte and one dimension.
  Bytes& chunk(std::int64_t first, std::uint64_t address) { return chunk({ address, 1, 0, { first } }); }

  inline Bytes& message(const Message& message);
  /// An object's header whose first block is `block`.
  Bytes& header(std::uint64_t messages, const Bytes& block)
  {
    return add(1, 1).add(0, 1).add(messages, 2).add(1, 4).add(block.size(), 4).add(0, 4).add(block);
  }

private:
  std::string bytes_;
};

/// A message of an object's header.
struct Message
{
  std::uint64_t type = 0;
  Bytes body;
  std::uint64_t flags = 0;

  [[nodiscard]] Message with(std::size_t at, unsigned byte) const { return { type, body.with(at, byte), flags }; }
  [[nodiscard]] Message without(std::size_t last) const { return { type, body.without(last), flags }; }
};

Bytes& Bytes::message(const Message& message)
{
  return add(message.type, 2).add(message.body.size(), 2).add(message.flags, 4).add(message.body);
}

namespace message
{

/// Dimensions of a dataset, in version 1.
[[nodiscard]] inline Message space(const std::vector<std::uint64_t>& dims)
{
  Bytes body = Bytes().add(1, 1).add(dims.size(), 1).zeros(6);
  for (const std::uint64_t dim : dims)
  {
    body.add(dim, 8);
  }
  return { 0x0001, body };
}

/// Integers of `size` bytes; bit 3 of `bits` means that they have signs.
[[nodiscard]] inline Message integers(std::uint64_t size, std::uint64_t bits = 0)
{
  return { 0x0003, Bytes().add(0x10, 1).add(bits, 3).add(size, 4).add(0, 2).add(8 * size, 2) };
}

/// Floats of four bytes.
[[nodiscard]] inline Message floats()
{
  return { 0x0003, Bytes().add(0x11, 1).add(0x1F20, 3).add(4, 4).add(0, 2).add(32, 2).add(0x17000817, 4).add(127, 4) };
}

[[nodiscard]] inline Message contiguous(std::uint64_t address, std::uint64_t bytes)
{
  return { 0x0008, Bytes().add(3, 1).add(1, 1).add(address, 8).add(bytes, 8) };
}

[[nodiscard]] inline Message compact(const std::string& values)
{
  return { 0x0008, Bytes().add(3, 1).add(0, 1).add(values.size(), 2).add(values) };
}

/// The last of `dims` is the size of a value.
[[nodiscard]] inline Message chunked(std::uint64_t tree, const std::vector<std::uint64_t>& dims)
{
  Bytes body = Bytes().add(3, 1).add(2, 1).add(dims.size(), 1).add(tree, 8);
  for (const std::uint64_t dim : dims)
  {
    body.add(dim, 4);
  }
  return { 0x0008, body };
}

/// Another block of the header.
[[nodiscard]] inline Message continuation(std::uint64_t address, std::uint64_t bytes)
{
  return { 0x0010, Bytes().add(address, 8).add(bytes, 8) };
}

[[nodiscard]] inline Message group(std::uint64_t tree, std::uint64_t heap)
{
  return { 0x0011, Bytes().add(tree, 8).add(heap, 8) };
}

} // namespace message

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
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const File& file() const { return file_; }
  [[nodiscard]] hdf5::BufferedFile& bytes() { return *bytes_; }

private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("file.h5");
  File file_;
  std::optional<hdf5::BufferedFile> bytes_;
};

} // namespace rivulet::test
