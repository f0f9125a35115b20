// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An open file. Every call transfers all requested bytes or fails with the file, the byte and errno.
///
///     Result<File> file = File::open("flow.rvf", File::Mode::Read);
///     Result<void> read = file->pread_full(buffer, bytes, offset);
///
/// Owns the descriptor; closes it on destruction. pread_full() and pwrite_full() may be called from any number of
/// threads; append() moves the file's position, so one thread at a time. Interrupted and short transfers are continued.
#pragma once

#include "Base/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace rivulet
{

/// Requirements of O_DIRECT on buffers, offsets and lengths, in bytes; powers of two.
struct DirectLimits
{
  std::int64_t memory = 4096; ///< alignment of the buffer
  std::int64_t offset = 4096; ///< alignment of offset and length
};

/// Called when a read is not served from memory and the thread is about to wait for the storage.
class ReadPause
{
public:
  virtual void before_waiting() = 0;
  virtual void after_waiting() = 0;

protected:
  ~ReadPause() = default;
};

class File
{
public:
  enum class Mode : std::uint8_t
  {
    Read,
    ReadDirect, ///< O_DIRECT: buffers, offsets and lengths must keep to direct_limits()
    ReadWrite,
    WriteDirect ///< O_DIRECT, as ReadDirect
  };

  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  /// Fails with NotFound, CannotRead (Read, ReadDirect), CannotWrite, or Unsupported where O_DIRECT is refused. Folders
  /// and devices are refused.
  [[nodiscard]] static Result<File> open(const std::string& path, Mode mode);

  /// A new, empty file for reading and writing; fails with CannotWrite where one exists.
  [[nodiscard]] static Result<File> create(const std::string& path);

  [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] Result<std::int64_t> size() const;

  /// `pause` is called when pread_full() has to wait; nullptr: none. It must outlive the reads. From now on a read that
  /// has to wait requests all its bytes at once, because slow storage would else answer piece by piece.
  void tell_of_waiting(ReadPause* pause) { pause_ = pause; }

  /// From now on bytes that pread_full() does not find in the page cache are read past it, straight into the caller's
  /// memory, if there are at least kMuchPastCache of them and address and offset are the same modulo kPage. For data as
  /// large as memory: caching it would push everything else out. Returns false, and changes nothing, if the file system
  /// has no direct reads.
  bool read_past_cache();
  static constexpr std::int64_t kMuchPastCache = std::int64_t{ 1 } << 20;

  /// Asks the system to start reading these bytes, and does not wait. A refusal has no effect.
  void will_need(std::int64_t offset, std::int64_t bytes) const;

  /// Whether the byte at `offset` is in the page cache; false if the file system does not tell. Does not
  /// wait; the system may begin to read ahead there.
  [[nodiscard]] bool is_cached(std::int64_t offset) const;

  /// Fails with CannotRead, or with Truncated, at the first missing byte, if the file ends too early.
  [[nodiscard]] Result<void> pread_full(void* out, std::int64_t bytes, std::int64_t offset) const;

  [[nodiscard]] Result<void> pwrite_full(const void* values, std::int64_t bytes, std::int64_t offset) const;

  /// Writes after the bytes appended before.
  [[nodiscard]] Result<void> append(const void* values, std::int64_t bytes);

  /// Fails if the process may not write files of that many bytes (RLIMIT_FSIZE). A write beyond the limit would end it.
  [[nodiscard]] Result<void> check_size_limit(std::int64_t bytes) const;

  /// Compares `bytes` with the free space, reserves room on the disk for that many bytes if the file system can, and
  /// makes the file that long.
  [[nodiscard]] Result<void> reserve(std::int64_t bytes) const;

  [[nodiscard]] Result<void> sync() const;

  /// Closes now, to get errors that a network file system reports late.
  [[nodiscard]] Result<void> close();

private:
  File(int descriptor, std::string path)
    : descriptor_(descriptor)
    , path_(std::move(path))
  {
  }

  [[nodiscard]] tl::unexpected<Error> read_failure(std::int64_t offset, int number) const;
  [[nodiscard]] tl::unexpected<Error> write_failure(const char* what, std::int64_t offset, int number) const;
  [[nodiscard]] Result<void> check_free_space(std::int64_t bytes) const;

  [[nodiscard]] std::int64_t read_cached(std::byte* out, std::int64_t bytes, std::int64_t offset) const;
  [[nodiscard]] std::int64_t read_waiting(std::byte* out, std::int64_t bytes, std::int64_t offset) const;
  [[nodiscard]] std::int64_t read_direct(std::byte* out, std::int64_t bytes, std::int64_t offset) const;

  int descriptor_ = -1;
  int direct_ = -1; ///< descriptor of the same file for direct reads
  std::string path_;
  ReadPause* pause_ = nullptr;
};

/// Requirements of direct reads of this file, whatever its mode; Unsupported if its file system has none. Asks statx;
/// if the kernel does not tell, tries O_DIRECT: then 4096 for both.
[[nodiscard]] Result<DirectLimits> direct_limits(const std::string& path);

/// Makes a rename or a new file in the folder of `path` durable.
[[nodiscard]] Result<void> sync_folder_of(const std::string& path);

} // namespace rivulet
