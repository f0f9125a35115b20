// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checks a field file with all cores. For each brick: reading, the place in the trailer, the checksum, and the range
/// in the table. For the file: checksums of the tables, ranges of variables, error of 16-bit values, and hidden points
/// and cells.
///
///     Result<VerifyReport> report = verify(*FieldFile::open("flow.rvf"), {});
///     if (report && report->sound()) ...
///
/// The calling thread calls `progress`. Any thread or a signal handler may set `cancel`. A bad brick is a finding, not
/// an error: the check goes on.
#pragma once

#include "Convert/Converter.h"
#include "Convert/Records.h"

namespace rivulet
{

struct VerifyOptions
{
  int threads = 0;                ///< number of threads; 0 means one per core
  std::size_t most_listed = 1000; ///< number of bad bricks in the list; all are counted
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct BadBrick
{
  RecordPlace id;
  Int3 brick{ 0, 0, 0 };   ///< place in the grid of bricks
  std::int64_t offset = 0; ///< offset of its record in bytes from the start of the file
  std::string what;
};

struct VerifyReport
{
  std::int64_t bricks = 0;
  std::int64_t bytes = 0;
  std::int64_t bad = 0;
  std::vector<BadBrick> listed;      ///< in file order
  std::vector<std::string> findings; ///< sentences about other errors

  [[nodiscard]] bool sound() const { return bad == 0 && findings.empty(); }
};

/// Fails with Cancelled, or with NotFound or CannotRead if the file cannot be opened.
[[nodiscard]] Result<VerifyReport> verify(const FieldFile& file, const VerifyOptions& options);

} // namespace rivulet
