// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file mapped read-only, with handling of files that are cut short.
///
///     Result<std::unique_ptr<MappedFile>> file = MappedFile::open("flow.rvf");
///     const std::byte* values = (*file)->data() + offset;
///     ... use values ...
///     if ((*file)->damaged(offset, bytes)) { ... some values were NaN that the file does not hold ... }
///
/// A page that the file no longer has, or that the disk cannot read, raises SIGBUS. One handler per process replaces it
/// with pages of NaN (every aligned float and double in them is NaN). It notes that *before* the replacement, so that
/// damaged() is true for every reader that got NaN. Signals for other addresses go to the handler that was there
/// before. Libraries may replace the handler; open() and health() install it again.
///
/// Limit of the handler: if a file is cut short within a page, the rest of that page reads as zeros without a signal.
/// health() finds that.
///
/// Kernel read-ahead is off (MADV_RANDOM): neighbouring bytes are wanted only where the caller requests them with
/// will_need().
///
/// No descriptor is kept: a field may have more files than a process may have descriptors. Checks look the file up by
/// its path, and accept one that leads nowhere any more.
///
/// for_users() maps the file once more, for users with a plain pointer through which they may write, although they
/// should not: written pages belong to that mapping, and the file and all other mappings do not change.
///
/// Threads: any; readers take no locks. The memory of data() is valid as long as the object.
#pragma once

#include "Io/Files/BusErrors.h"
#include "Io/Files/WriteGuard.h"

#include <cstddef>
#include <memory>

namespace rivulet
{

class MappedFile
{
public:
  /// Fails with NotFound, CannotRead, Truncated (empty file).
  [[nodiscard]] static Result<std::unique_ptr<MappedFile>> open(const std::string& path);
  /// The same of an open file, which need not stay open.
  [[nodiscard]] static Result<std::unique_ptr<MappedFile>> of(const File& file);

  /// The same file in a mapping that may be written to. Fails as open() does, and if it has changed since.
  [[nodiscard]] Result<std::unique_ptr<MappedFile>> for_users() const;

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t size() const { return identity_.size(); }
  [[nodiscard]] const std::byte* data() const { return data_; }
  [[nodiscard]] std::byte* user_data() { return data_; } ///< only after for_users()

  /// Whether a user wrote to the mapping; only possible after for_users().
  [[nodiscard]] bool written() const { return guard_ != nullptr && guard_->written(); }

  /// Whether any page in this range of the file was found missing so far. Costs one load while none is.
  [[nodiscard]] bool damaged(std::int64_t offset, std::int64_t bytes) const { return region_->damaged(offset, bytes); }

  /// Error for a damaged range at `offset`: Truncated, or CannotRead if the file still has its length.
  [[nodiscard]] Error damage_at(std::int64_t offset) const;

  /// Fails when the file was cut short (Truncated), written to or replaced (CannotRead) since it was opened, or when
  /// the disk failed to read a page.
  [[nodiscard]] Result<void> health() const;

  /// Identity of the file when it was mapped.
  [[nodiscard]] const FileIdentity& identity() const { return identity_; }

  /// Starts reading a range with as few requests as possible; does not wait.
  void will_need(std::int64_t offset, std::int64_t bytes) const;

  /// Returns the pages of this range to the kernel; the next access reads them again. A mapping that was written to
  /// keeps all its pages.
  void drop(std::int64_t offset, std::int64_t bytes) const;

private:
  MappedFile(std::string path, const FileIdentity& identity)
    : path_(std::move(path))
    , identity_(identity)
  {
  }
  [[nodiscard]] Result<void> map(const File& file, bool for_users);

  const std::string path_;
  const FileIdentity identity_;
  std::byte* data_ = nullptr;
  BusErrorRegion* region_ = nullptr;
  std::unique_ptr<WriteGuard> guard_; ///< only after for_users()
};

} // namespace rivulet
