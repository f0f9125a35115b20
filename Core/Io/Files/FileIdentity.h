// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a file was when it was opened, to notice later that it is not any more.
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
  /// Of what the path leads to now; nothing if that is nothing.
  [[nodiscard]] static std::optional<FileIdentity> of(const std::string& path);

  [[nodiscard]] std::int64_t size() const { return status_.st_size; }
  /// When its contents, name or owner last changed.
  [[nodiscard]] const timespec& changed() const { return status_.st_ctim; }

  /// Whether this is the same file, with the same size and time of its last change.
  [[nodiscard]] bool same_as(const FileIdentity& other) const;

  /// Fails when the file is shorter than it was (Truncated, at its new end), was written to, or when its path now leads
  /// to another file (CannotRead). A path that leads nowhere does no harm: the descriptor keeps the file.
  [[nodiscard]] Result<void> check(const File& file) const;
  /// The same of the file at `path`, for those who do not keep it open.
  [[nodiscard]] Result<void> check(const std::string& path) const;

private:
  [[nodiscard]] Result<void> check(const FileIdentity& now, const std::string& path) const;

  struct stat status_
  {
  };
};

} // namespace rivulet
