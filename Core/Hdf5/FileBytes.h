// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes of a file for a reader that hops about in its metadata: they come in blocks, which are kept, and grow while
/// they are asked for one after the other, so that a file whose objects lie in order is read in few requests.
///
///     FileBytes bytes(file, size);
///     Result<std::span<const std::byte>> header = bytes.view(address, 16);
///
/// One thread at a time. Views are good until small(), trim() or clear().
#pragma once

#include "Hdf5/BlockPool.h"
#include "Io/File.h"

#include <cstddef>
#include <list>
#include <map>
#include <span>

namespace rivulet::hdf5
{

class FileBytes
{
public:
  static constexpr std::int64_t kWhole = BlockPool::kLent[1]; ///< files up to this size are read at once
  static constexpr std::int64_t kBlock = BlockPool::kLent[0]; ///< the largest block of others
  static constexpr std::int64_t kMostHeld = 2 * kBlock;       ///< of these, after trim()
  /// The smallest block, where much or little is wanted.
  static constexpr std::int64_t kMuch = std::int64_t{ 64 } << 10;
  static constexpr std::int64_t kLittle = std::int64_t{ 8 } << 10;

  /// `file` must outlive this; `size` is what it had when it was opened: nothing beyond is asked for. `wanted`: about
  /// how many bytes of it will be, in all. `pool` lends the blocks, if there is one.
  FileBytes(const File& file, std::int64_t size, std::int64_t wanted, BlockPool* pool);
  FileBytes(const File& file, std::int64_t size)
    : FileBytes(file, size, size, nullptr)
  {
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() { clear(); }

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }
  /// Whether so much of the file will be wanted that all of it may as well be read.
  [[nodiscard]] bool much_wanted() const { return much_; }

  /// Fails with Truncated where the file ends before, else as File::pread_full().
  [[nodiscard]] Result<std::span<const std::byte>> view(std::uint64_t address, std::uint64_t bytes);

  /// The same without reading: empty if they are not all here.
  [[nodiscard]] std::span<const std::byte> held(std::uint64_t address, std::uint64_t bytes) const;

  /// trim(), then held(); where much is wanted view(), which reads what lies around it, too.
  [[nodiscard]] Result<std::span<const std::byte>> small(std::uint64_t address, std::uint64_t bytes);

  /// Drops what was read longest ago, if much is held.
  void trim();
  void clear();

private:
  struct Block
  {
    Buffer<std::byte> memory;
    std::size_t size = 0; ///< of these, the file's
    std::int64_t begin = 0;
  };
  [[nodiscard]] Result<const Block*> read(std::int64_t begin, std::int64_t bytes);
  void drop_oldest();

  const File& file_;
  std::int64_t size_;
  BlockPool* pool_;
  bool much_;
  std::int64_t bytes_read_ = 0;
  std::int64_t held_ = 0;
  std::int64_t next_block_;
  std::int64_t last_end_ = -1;
  std::list<Block> blocks_;
  std::map<std::int64_t, const Block*> by_begin_; ///< the largest of those that begin there
};

} // namespace rivulet::hdf5
