// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Requests for parts of a file that will be read in a known order: the system begins to read them some megabytes ahead
/// of the reader, and neighbouring parts together. Without them a reader waits for the storage at each part.
///
///     ReadAhead ahead(file, { { 4096, 800 }, { 4896, 800 }, { 9000, 800 } });
///     for (std::size_t i = 0; i < 3; ++i) { ahead.reach(i); read(i); }
///
/// One thread at a time. The file must outlive the object. Offsets and sizes are in bytes. There are no errors: a
/// request that the system ignores costs time only.
#pragma once

#include "Io/Files/File.h"

#include <cstddef>
#include <vector>

namespace rivulet
{

/// Consecutive bytes of a file.
struct FilePart
{
  std::int64_t begin = 0; ///< offset in the file
  std::int64_t bytes = 0;
};

class ReadAhead
{
public:
  static constexpr std::int64_t kAhead = std::int64_t{ 4 } << 20; ///< bytes requested and not reached yet, at most

  ReadAhead(const File& file, std::vector<FilePart>&& parts)
    : file_(file)
    , parts_(std::move(parts))
  {
  }

  /// Requests part `i`, if it was not, and the next ones up to kAhead. Parts are reached in their order, each before
  /// it is read.
  void reach(std::size_t i);
  /// Requests all parts that were not.
  void prefetch_all();

private:
  void prefetch_next();

  const File& file_;
  const std::vector<FilePart> parts_;
  std::size_t next_ = 0;       ///< part to request next
  std::int64_t requested_ = 0; ///< bytes of requested parts
  std::int64_t behind_ = 0;    ///< bytes of parts that were reached
};

} // namespace rivulet
