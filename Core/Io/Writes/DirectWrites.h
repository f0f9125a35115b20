// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes past the page cache, where the file system allows them. Copying through the cache costs the processor several
/// times the time that the device needs, and pushes out the cached data of other programs.
///
///     DirectWrites direct = DirectWrites::to("flow.rvf");
///     if (direct.take(records, bytes, offset)) written = direct.write(records, bytes, offset);
///
/// Any thread. Bytes that are written here must not be written through the cache at the same time.
#pragma once

#include "Io/Files/File.h"

namespace rivulet
{

class DirectWrites
{
public:
  DirectWrites() = default; ///< take() returns false

  /// For an existing file; take() returns false if its file system has no direct access.
  [[nodiscard]] static DirectWrites to(const std::string& path);

  /// Whether memory, length and offset have the alignment that the file system needs.
  [[nodiscard]] bool take(const void* values, std::int64_t bytes, std::int64_t offset) const;

  [[nodiscard]] Result<void> write(const void* values, std::int64_t bytes, std::int64_t offset) const
  {
    return file_.pwrite_full(values, bytes, offset);
  }

private:
  File file_;
  DirectLimits limits_;
};

} // namespace rivulet
