// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Buffered reader for metadata that is scattered over a file. The file is read in blocks, which are kept. Blocks grow
/// while the accesses are roughly in order, so that a file whose objects lie in order is read in few requests and
/// almost no byte of it twice. A single access elsewhere does not end such a run.
///
///     BufferedFile bytes(file, size);
///     Result<std::span<const std::byte>> header = bytes.view(address, 16);
///
/// Addresses and sizes are in bytes. One thread at a time. The object owns its blocks; views into them are valid until
/// small(), trim() or clear(). Errors name the file and the offset.
#pragma once

#include "Hdf5/BlockPool.h"
#include "Io/Files/File.h"

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <span>

namespace rivulet::hdf5
{

/// Estimate of the bytes of a file that will be read.
struct WantedBytes
{
  std::int64_t bytes = 0;
  std::int64_t pieces = 1; ///< number of separate places of these bytes, spread over the file
};

class BufferedFile
{
public:
  static constexpr std::int64_t kWhole = BlockPool::kLent[1]; ///< size up to which a file may be read in one request
  static constexpr std::int64_t kBlock = BlockPool::kLent[0]; ///< largest block of larger files
  /// Smallest block, if much_wanted() and if not.
  static constexpr std::int64_t kMuch = std::int64_t{ 64 } << 10;
  static constexpr std::int64_t kLittle = std::int64_t{ 8 } << 10;

  /// Bytes of blocks that trim() keeps at most: two large blocks, because values may cross from one into the next, and
  /// four small ones for metadata elsewhere.
  static constexpr std::int64_t kMostHeld = 2 * kBlock + 4 * kMuch;
  /// Bytes that are requested from the system ahead of a run of accesses in order.
  static constexpr std::int64_t kReadAhead = std::int64_t{ 4 } << 20;

  /// Mean distance of wanted pieces, from begin to begin, up to which the bytes between them are requested too. Slow
  /// storage takes longer for another request than for so many bytes.
  static constexpr std::int64_t kNear = std::int64_t{ 64 } << 10;

  /// `file` must outlive this object. `size` is the size of the file when it was opened; no byte beyond it is read.
  /// `pool` lends the blocks and must outlive this object; nullptr: blocks come from the heap.
  BufferedFile(const File& file, std::int64_t size, const WantedBytes& wanted, BlockPool* pool);
  BufferedFile(const File& file, std::int64_t size, std::int64_t wanted, BlockPool* pool)
    : BufferedFile(file, size, WantedBytes{ wanted, 1 }, pool)
  {
  }
  BufferedFile(const File& file, std::int64_t size)
    : BufferedFile(file, size, size, nullptr)
  {
  }
  BufferedFile(const BufferedFile&) = delete;
  BufferedFile& operator=(const BufferedFile&) = delete;
  ~BufferedFile() { clear(); }

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }
  /// True if small() may read blocks, because much of the file will be read; false if it only searches cached blocks.
  [[nodiscard]] bool much_wanted() const { return much_; }

  /// The bytes at `address`, which are read if they are not held. Fails with Truncated if they reach beyond the end of
  /// the file, else as File::pread_full().
  [[nodiscard]] Result<std::span<const std::byte>> view(std::uint64_t address, std::uint64_t bytes);

  /// The same without reading; empty if some of the bytes are not held.
  [[nodiscard]] std::span<const std::byte> held(std::uint64_t address, std::uint64_t bytes) const;

  /// Lets the system begin to read the bytes at `address`, if they are not held. With several addresses the caller
  /// waits once, not for each.
  void prefetch(std::uint64_t address) const;

  /// Calls trim(), then view() if much_wanted(), else held().
  [[nodiscard]] Result<std::span<const std::byte>> small(std::uint64_t address, std::uint64_t bytes);

  /// Drops the oldest blocks beyond kMostHeld bytes. Ends all views.
  void trim();
  void clear();

private:
  struct Block
  {
    Buffer<std::byte> memory;
    std::size_t size = 0;   ///< bytes of `memory` that come from the file
    std::int64_t begin = 0; ///< offset in the file
  };
  /// Run of accesses in order.
  struct Stream
  {
    std::int64_t begin = -1;    ///< begin of its last block
    std::int64_t end = -1;      ///< end of its last block
    std::int64_t next = 0;      ///< size of its next block
    std::int64_t requested = 0; ///< end of the bytes requested ahead
  };
  /// Bytes to read, from `begin` to before `end`.
  struct Range
  {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  /// True if more bytes are held than the file has, which happens only if damaged metadata leads to the same place
  /// again and again. Then the file is read once as a whole.
  [[nodiscard]] bool too_much_held() const { return held_ + joined_bytes_ > size_; }
  [[nodiscard]] Range whole_or_block(std::int64_t begin, std::int64_t wanted);
  [[nodiscard]] Range next_of(Stream& stream, std::int64_t begin, std::int64_t wanted) const;
  void read_ahead(Stream& stream) const;
  [[nodiscard]] Stream* stream_of(std::int64_t begin, std::int64_t wanted);
  [[nodiscard]] std::int64_t first_block() const { return much_ ? kMuch : kLittle; }
  [[nodiscard]] Result<const Block*> read(const Range& range);
  [[nodiscard]] const Block* recent_block_with(std::int64_t at) const;
  std::int64_t held_from(std::int64_t begin, std::int64_t bytes, std::byte* to = nullptr) const;
  void drop_oldest();

  const File& file_;
  std::int64_t size_;
  BlockPool* pool_;
  bool much_;  ///< bytes between the wanted ones are read too
  bool ahead_; ///< bytes ahead of a run are requested from the system
  std::int64_t bytes_read_ = 0;
  std::int64_t held_ = 0;
  /// Two runs, the one used last first. A block elsewhere starts the second run and does not end the first.
  std::array<Stream, 2> streams_;
  std::list<Block> blocks_;
  std::int64_t joined_bytes_ = 0;
  std::list<Buffer<std::byte>> joined_;           ///< copies of views that cross blocks
  std::map<std::int64_t, const Block*> by_begin_; ///< by offset in the file; the largest block of each offset
};

} // namespace rivulet::hdf5
