// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checks every brick of a field file with all cores: that it can be read, that its trailer names it, that its checksum
/// holds, that its range in the table is that of its values. Then what the file says of all bricks: the tables'
/// checksums, the ranges of variables, the error of 16-bit values, what is hidden.
///
///     Result<VerifyReport> report = verify(*FieldFile::open("flow.rvf"), {});
///     if (report && report->sound()) ...
///
/// The calling thread watches and calls `progress`; `cancel` may be set from anywhere. A bad brick is a finding, not an
/// error: the rest is checked all the same.
#pragma once

#include "Convert/Converter.h"
#include "Convert/Records.h"

namespace rivulet
{

struct VerifyOptions
{
  int threads = 0;                ///< 0 = all cores
  std::size_t most_listed = 1000; ///< bad bricks listed; all are counted
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct BadBrick
{
  RecordPlace id;
  Int3 brick{ 0, 0, 0 };   ///< place in the grid of bricks
  std::int64_t offset = 0; ///< byte in the file where its record starts
  std::string what;
};

struct VerifyReport
{
  std::int64_t bricks = 0;
  std::int64_t bytes = 0;
  std::int64_t bad = 0;
  std::vector<BadBrick> listed;      ///< in file order
  std::vector<std::string> findings; ///< what else is wrong, a sentence each

  [[nodiscard]] bool sound() const { return bad == 0 && findings.empty(); }
};

/// Fails with NotFound or CannotRead when the file cannot be opened, Cancelled.
[[nodiscard]] Result<VerifyReport> verify(const FieldFile& file, const VerifyOptions& options);

} // namespace rivulet
