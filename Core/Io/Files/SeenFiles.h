// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Files of one field that are opened when they are needed, some of them more than once: sees to it that they are those
/// that were there when the field was opened.
///
///     if (Result<void> same = seen.see(file, identity); !same) ...
///
/// A file that is seen again must be the one seen before. One that is seen for the first time must not have changed
/// since this object was made, which its change time tells: that of a file renamed onto its path, too. Where a server's
/// clock is ahead of ours, a file that was written moments before the field was opened may be refused as well; a change
/// time in our future tells nothing, and is passed over. Times of files go by the kernel's ticks of some milliseconds:
/// what changes within one of when this was made is not noticed before it changes again.
///
/// Threads: any.
#pragma once

#include "Io/Files/FileIdentity.h"

#include <ctime>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

class SeenFiles
{
public:
  SeenFiles();

  /// The file at `path` must be the one that `identity` was taken of.
  void expect(const std::string& path, const FileIdentity& identity);

  /// Fails with Truncated or CannotRead, as FileIdentity::check() does.
  [[nodiscard]] Result<void> see(const File& file, const FileIdentity& identity);
  /// The same of a file that is not kept open. Fails with what File::open() says, too.
  [[nodiscard]] Result<void> see(const std::string& path);

  /// Fails likewise if any file that was seen is not any more what it was. One that is gone does no harm.
  [[nodiscard]] Result<void> check_all();

private:
  timespec since_{};
  std::mutex mutex_; // guards what follows
  std::unordered_map<std::string, FileIdentity> seen_;
};

} // namespace rivulet
