// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The data files of a field of blocks, opened when needed; no more than a few hundred stay open however many there
/// are.
///
///     BlockFiles files;
///     Result<std::shared_ptr<const BlockFile>> file = files.open("flow.00007.raw", 4096);    // of 4096 bytes at least
///     if (file) (*file)->read(0, 4096, out);
///
/// Any thread. A handle stays valid while it is held, even when the family has forgotten it.
#pragma once

#include "Base/Result.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

/// One file, open for reading.
class BlockFile
{
public:
  /// Fails with NotFound or CannotRead. `direct` asks for reads past the page cache, where the file system has them.
  [[nodiscard]] static Result<std::shared_ptr<const BlockFile>> open(const std::string& path, bool direct = false);

  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;
  ~BlockFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t size() const { return size_; } ///< when it was opened
  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Fails with Truncated, naming the bytes there are, if the file is shorter than `bytes`.
  [[nodiscard]] Result<void> require(std::int64_t bytes) const;

  /// Reads exactly `bytes`; fails with CannotRead or, where the file has become shorter, with Truncated.
  [[nodiscard]] Result<void> read(std::int64_t offset, std::int64_t bytes, void* out) const;

  /// Reads at least `least` bytes, up to `most`: past the end of the file there is nothing more to be had.
  [[nodiscard]] Result<void> read_some(std::int64_t offset, std::int64_t least, std::int64_t most, void* out) const;

private:
  BlockFile(std::string path, int descriptor, std::int64_t size);

  std::string path_;
  int descriptor_;
  std::int64_t size_;
};

class BlockFiles
{
public:
  explicit BlockFiles(bool direct = false, std::size_t most_open = 256)
    : direct_(direct)
    , most_open_(most_open)
  {
  }

  /// The file, of `bytes` at least. Fails with NotFound, CannotRead, Truncated.
  [[nodiscard]] Result<std::shared_ptr<const BlockFile>> open(const std::string& path, std::int64_t bytes);

private:
  struct Entry
  {
    std::shared_ptr<const BlockFile> file;
    std::uint64_t last_use = 0;
  };
  void forget_oldest();

  bool direct_;
  std::size_t most_open_;
  std::mutex mutex_; // guards what follows
  std::unordered_map<std::string, Entry> open_;
  std::uint64_t uses_ = 0;
};

/// The error that a file of `held` bytes is, where `needed` are.
[[nodiscard]] Error too_short(const std::string& path, std::int64_t held, std::int64_t needed);

} // namespace rivulet
