// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes of a file for a reader that hops about in its metadata: they come in blocks, which are kept, and grow while
/// they are asked for more or less in order, so that a file whose objects lie in order is read in few requests, and
/// hardly a byte of it twice. To look elsewhere in between does not disturb that.
///
///     BufferedFile bytes(file, size);
///     Result<std::span<const std::byte>> header = bytes.view(address, 16);
///
/// One thread at a time. Views are good until small(), trim() or clear().
#pragma once

#include "Hdf5/BlockPool.h"
#include "Io/File.h"

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <span>

namespace rivulet::hdf5
{

/// About what will be read of a file.
struct WantedBytes
{
  std::int64_t bytes = 0;
  std::int64_t pieces = 1; ///< number of places that the bytes lie in, spread over the file
};

class BufferedFile
{
public:
  static constexpr std::int64_t kWhole = BlockPool::kLent[1]; ///< files up to this size are read at once
  static constexpr std::int64_t kBlock = BlockPool::kLent[0]; ///< the largest block of others
  /// The smallest block, where much or little is wanted.
  static constexpr std::int64_t kMuch = std::int64_t{ 64 } << 10;
  static constexpr std::int64_t kLittle = std::int64_t{ 8 } << 10;

  /// Of blocks, after trim(): values may begin in one and end in the next, and what describes them lie elsewhere.
  static constexpr std::int64_t kMostHeld = 2 * kBlock + 4 * kMuch;
  /// The system is asked for so much more of a file that is read in order than is read at once.
  static constexpr std::int64_t kReadAhead = std::int64_t{ 4 } << 20;

  /// Pieces that are no farther from each other, in bytes from begin to begin, are read with what lies between: storage
  /// that answers late takes longer for one request more than for so many bytes.
  static constexpr std::int64_t kNear = std::int64_t{ 64 } << 10;

  /// `file` must outlive this; `size` is what it had when it was opened: nothing beyond is asked for. `pool` lends the
  /// blocks, if there is one.
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
  /// Whether so much of the file will be wanted that small() reads in order, and ahead.
  [[nodiscard]] bool much_wanted() const { return much_; }

  /// Fails with Truncated where the file ends before, else as File::pread_full().
  [[nodiscard]] Result<std::span<const std::byte>> view(std::uint64_t address, std::uint64_t bytes);

  /// The same without reading: empty if they are not all here.
  [[nodiscard]] std::span<const std::byte> held(std::uint64_t address, std::uint64_t bytes) const;

  /// Has the system begin to read what lies at that address, if it is not here: for several places, each of which
  /// view() would else wait for in turn.
  void prefetch(std::uint64_t address) const;

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
  /// Where the file is read in order.
  struct Stream
  {
    std::int64_t begin = -1;    ///< of the last block
    std::int64_t end = -1;      ///< and its end
    std::int64_t next = 0;      ///< the size of the next one
    std::int64_t requested = 0; ///< end of what was requested ahead
  };
  /// What to read for bytes that are not all here.
  struct Range
  {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  /// Metadata that is sound does not lie in the same place again and again: what does is read as a whole, once.
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
  bool much_;  ///< bytes that lie between are read, too
  bool ahead_; ///< the system is asked for what lies ahead
  std::int64_t bytes_read_ = 0;
  std::int64_t held_ = 0;
  /// The one that was used last comes first. One block elsewhere begins the second, and does not end the first.
  std::array<Stream, 2> streams_;
  std::list<Block> blocks_;
  std::int64_t joined_bytes_ = 0;
  std::list<Buffer<std::byte>> joined_;           ///< copies of what lies in more than one block
  std::map<std::int64_t, const Block*> by_begin_; ///< the largest of those that begin there
};

} // namespace rivulet::hdf5
