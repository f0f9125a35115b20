// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Counters of the work of a source of bricks. Plain values.
#pragma once

#include <cstdint>

namespace rivulet
{

/// Counters since the source was opened. All are monotonic except peak_bytes, the largest memory held at once.
struct SourceStatistics
{
  std::int64_t bytes_read = 0; ///< bytes asked of the operating system; for mappings, bytes of bricks first touched or
                               ///< re-touched after a drop
  std::int64_t bytes_from_local_cache = 0; ///< bytes that a local cache had; they are not in bytes_read
  std::int64_t bricks_read = 0;            ///< bricks brought in, re-reads included
  std::int64_t cache_hits = 0;
  std::int64_t cache_misses = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t bricks_prefetched = 0; ///< of bricks_read: bricks without a request when their read began
  std::int64_t prefetched_used = 0;   ///< of bricks_prefetched: bricks that were looked up later
  double stall_seconds = 0;           ///< time that callers spent in reads; 0 if reads are asynchronous

  /// Sum for two sources that hold memory at the same time: their peaks are added, too.
  SourceStatistics& operator+=(const SourceStatistics& more);
  /// The counts after `before`; the peak stays.
  [[nodiscard]] SourceStatistics since(const SourceStatistics& before) const;
};

} // namespace rivulet
