// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Identity of a file when it was opened, to detect changes later.
///
///     Result<FileIdentity> identity = FileIdentity::of(file);
///     ...
///     if (Result<void> same = identity->check(file); !same) ...
///
/// Immutable; any thread.
#pragma once

#include "Io/Files/File.h"

#include <optional>
#include <sys/stat.h>

namespace rivulet
{

class FileIdentity
{
public:
  /// Fails with CannotRead.
  [[nodiscard]] static Result<FileIdentity> of(const File& file);
  /// Identity of the file that the path leads to now; empty if there is none.
  [[nodiscard]] static std::optional<FileIdentity> of(const std::string& path);

  [[nodiscard]] std::int64_t size() const { return status_.st_size; }
  [[nodiscard]] dev_t device() const { return status_.st_dev; } ///< of its file system
  /// Time when contents, name or owner last changed.
  [[nodiscard]] const timespec& changed() const { return status_.st_ctim; }

  /// A number for the file with its contents, from its path, size and times: not from numbers of file and file system,
  /// which many file systems give anew with each mount. Images that are made by a recipe give all files one time, in
  /// whole seconds. So where the time of the last change is in whole seconds, kSamples pages of the file are read and
  /// count, too. 0: they cannot be read, or the last change was so young (kTick) when the identity was taken that
  /// another one could have the same time.
  [[nodiscard]] std::uint64_t fingerprint(const File& file) const;
  static constexpr std::int64_t kSamples = 16;
  static constexpr std::int64_t kTick = 50'000'000; ///< nanoseconds; times of files advance in ticks of the kernel
  /// Whether both are the same file, with the same size and time of its last change.
  [[nodiscard]] bool same_as(const FileIdentity& other) const;

  /// Bytes of the file now if the path still leads to it, else -1. For signal handlers, too.
  [[nodiscard]] std::int64_t length_now(const char* path) const noexcept;

  /// Fails if the file is shorter than it was (Truncated, at its new end), was written to, or if its path leads to
  /// another file (CannotRead). A path that leads nowhere is no failure: the descriptor keeps the file.
  [[nodiscard]] Result<void> check(const File& file) const;
  /// The same check for the file at `path`, for callers that do not keep it open.
  [[nodiscard]] Result<void> check(const std::string& path) const;

private:
  [[nodiscard]] Result<void> check(const FileIdentity& now, const std::string& path) const;

  struct stat status_
  {
  };
  std::int64_t seen_ = 0; ///< when, in nanoseconds since 1970
};

} // namespace rivulet
