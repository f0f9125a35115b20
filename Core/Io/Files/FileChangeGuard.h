// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Detects changes of a field's files, which are opened when they are needed and some of them more than once: each must
/// be the file from when the field was opened.
///
///     if (Result<void> same = seen.see(file, identity); !same) ...
///
/// A file that is seen again must be the same as before. A file that is seen for the first time must not have changed
/// since this object was made, as its change time tells. A rename onto its path changes that time, too. If a server's
/// clock is ahead of ours, a file that was written moments before the field was opened may be refused as well. A change
/// time in our future tells nothing and is accepted. File times advance in ticks of the kernel of some milliseconds: a
/// change in the tick in which this object was made is not noticed before the next change.
///
/// Threads: any.
#pragma once

#include "Io/Files/FileIdentity.h"

#include <ctime>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

class FileChangeGuard
{
public:
  FileChangeGuard();

  /// Notes that the file at `path` must have this identity.
  void expect(const std::string& path, const FileIdentity& identity);

  /// Fails with Truncated or CannotRead, as FileIdentity::check() does.
  [[nodiscard]] Result<void> see(const File& file, const FileIdentity& identity);
  /// The same for a file that is not kept open. Fails as File::open() does, too.
  [[nodiscard]] Result<void> see(const std::string& path);

  /// Fails likewise if any file that was seen is not the same any more. A missing file is no failure.
  [[nodiscard]] Result<void> check_all();

private:
  timespec since_{};
  std::mutex mutex_; // guards the members below
  std::unordered_map<std::string, FileIdentity> seen_;
};

} // namespace rivulet
