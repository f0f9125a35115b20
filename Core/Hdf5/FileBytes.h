// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes of a file for a reader that hops about in its metadata: they come in blocks, which are kept, and grow while
/// they are asked for one after the other, so that a file whose objects lie in order is read in few requests. Small
/// files come as a whole.
///
///     FileBytes bytes(file, size);
///     Result<std::span<const std::byte>> header = bytes.view(address, 16);
///
/// One thread at a time. Views are good until clear().
#pragma once

#include "Base/Buffer.h"
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
  static constexpr std::int64_t kWhole = std::int64_t{ 4 } << 20; ///< files up to this size are read at once
  static constexpr std::int64_t kSmallestBlock = std::int64_t{ 64 } << 10;
  static constexpr std::int64_t kLargestBlock = std::int64_t{ 1 } << 20;

  /// `file` must outlive this; `size` is what it had when it was opened: nothing beyond is asked for.
  FileBytes(const File& file, std::int64_t size)
    : file_(file)
    , size_(size)
  {
  }

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }

  /// Fails with Truncated where the file ends before, else as File::pread_full().
  [[nodiscard]] Result<std::span<const std::byte>> view(std::uint64_t address, std::uint64_t bytes);

  /// The same without reading: empty if they are not all here.
  [[nodiscard]] std::span<const std::byte> held(std::uint64_t address, std::uint64_t bytes) const;

  void clear();

private:
  [[nodiscard]] Result<const Buffer<std::byte>*> read(std::int64_t begin, std::int64_t bytes);

  const File& file_;
  std::int64_t size_;
  std::int64_t bytes_read_ = 0;
  std::int64_t kept_ = 0; ///< once it is more than the file has, the file is read as a whole: metadata that is sound
                          ///< does not lie in the same place again and again
  std::int64_t next_block_ = kSmallestBlock;
  std::int64_t last_end_ = -1;
  std::list<Buffer<std::byte>> blocks_;
  std::map<std::int64_t, const Buffer<std::byte>*> by_begin_; ///< the largest of those that begin there
};

} // namespace rivulet::hdf5
