// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a source of bricks has done, in numbers. Plain values.
#pragma once

#include <cstdint>

namespace rivulet
{

/// Counters since the source was opened; all monotonic but peak_bytes, which is the largest memory held at once.
struct SourceStatistics
{
  std::int64_t bytes_read = 0;  ///< bytes asked of the operating system; for mappings, bytes of bricks first touched or
                                ///< re-touched after a drop
  std::int64_t bricks_read = 0; ///< bricks brought in, re-reads included
  std::int64_t cache_hits = 0;
  std::int64_t cache_misses = 0;
  std::int64_t peak_bytes = 0;
  double stall_seconds = 0; ///< time that callers spent inside reads; none where reads are asynchronous

  /// Of two sources that hold memory at the same time: their peaks are added too.
  SourceStatistics& operator+=(const SourceStatistics& more);
  /// What was counted after `before`; the peak stays.
  [[nodiscard]] SourceStatistics since(const SourceStatistics& before) const;
};

} // namespace rivulet
