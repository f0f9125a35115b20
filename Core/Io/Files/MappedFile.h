// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file mapped read-only that survives being cut short.
///
///     Result<std::unique_ptr<MappedFile>> file = MappedFile::open("flow.rvf");
///     const std::byte* values = (*file)->data() + offset;
///     ... use values ...
///     if ((*file)->damaged(offset, bytes)) { ... some of them were NaN that the file does not hold ... }
///
/// A page that the file no longer has, or that the disk cannot read, raises SIGBUS. One handler per process puts pages
/// of NaN in its place (every aligned float and double in them is NaN) and notes that *before* it does, so that whoever
/// read a NaN finds damaged() true. Signals for other addresses go to the handler that was there before. Libraries may
/// replace the handler; open() and health() put it back.
///
/// What the handler cannot see: the last page of a file cut short in its middle reads as zeros behind the cut,
/// silently. health() finds that.
///
/// Read-ahead is off (MADV_RANDOM): what is near in the file is wanted only where the caller says so, see will_need().
///
/// for_users() maps the file once more, for users with a plain pointer who may write through it although they should
/// not: written pages are that mapping's own, in memory, and the file and all other mappings stay as they are.
///
/// Threads: everything from any thread; no locks on the way of a reader. Memory returned by data() goes with the
/// object.
#pragma once

#include "Io/Files/BusErrors.h"
#include "Io/Files/SeenFiles.h"
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

  /// The same file in a mapping that bears being written to. Fails with CannotRead.
  [[nodiscard]] Result<std::unique_ptr<MappedFile>> for_users() const;

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return identity_.size(); }
  [[nodiscard]] const std::byte* data() const { return data_; }
  [[nodiscard]] std::byte* user_data() { return data_; } ///< of for_users() only

  /// Whether somebody wrote to the mapping; only possible after for_users().
  [[nodiscard]] bool written() const { return guard_ != nullptr && guard_->written(); }

  /// Whether anything in this range of the file was found missing so far. Costs one load while nothing is.
  [[nodiscard]] bool damaged(std::int64_t offset, std::int64_t bytes) const { return region_->damaged(offset, bytes); }

  /// The error for a damaged range at `offset`: Truncated, or CannotRead where the file is as long as ever.
  [[nodiscard]] Error damage_at(std::int64_t offset) const;

  /// Fails when the file was cut short (Truncated), written to or replaced (CannotRead) since it was opened, or when
  /// the disk failed to read a page.
  [[nodiscard]] Result<void> health() const;

  /// Fails if it is not the file that was there when the field was opened.
  [[nodiscard]] Result<void> see(SeenFiles& seen) const { return seen.see(file_, identity_); }
  /// Fails as health() does if this is not the file that `identity` was taken of.
  [[nodiscard]] Result<void> require(const FileIdentity& identity) const { return identity.check(file_); }

  /// Starts reading a range in as few requests as possible; does not wait.
  void will_need(std::int64_t offset, std::int64_t bytes) const;

  /// Gives the pages that this range touches back to the kernel; touching them again reads them again. A mapping that
  /// was written to keeps all its pages.
  void drop(std::int64_t offset, std::int64_t bytes) const;

private:
  explicit MappedFile(File&& file)
    : file_(std::move(file))
  {
  }
  [[nodiscard]] Result<void> map(bool for_users);

  File file_;
  FileIdentity identity_;
  std::byte* data_ = nullptr;
  BusErrorRegion* region_ = nullptr;
  std::unique_ptr<WriteGuard> guard_; ///< of for_users() only
};

} // namespace rivulet
