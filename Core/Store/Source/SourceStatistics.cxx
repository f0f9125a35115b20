// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/SourceStatistics.h"

namespace rivulet
{

SourceStatistics& SourceStatistics::operator+=(const SourceStatistics& more)
{
  bytes_read += more.bytes_read;
  bytes_from_local_cache += more.bytes_from_local_cache;
  bricks_read += more.bricks_read;
  cache_hits += more.cache_hits;
  cache_misses += more.cache_misses;
  peak_bytes += more.peak_bytes;
  bricks_prefetched += more.bricks_prefetched;
  prefetched_used += more.prefetched_used;
  stall_seconds += more.stall_seconds;
  return *this;
}

SourceStatistics SourceStatistics::since(const SourceStatistics& before) const
{
  return { .bytes_read = bytes_read - before.bytes_read,
    .bytes_from_local_cache = bytes_from_local_cache - before.bytes_from_local_cache,
    .bricks_read = bricks_read - before.bricks_read,
    .cache_hits = cache_hits - before.cache_hits,
    .cache_misses = cache_misses - before.cache_misses,
    .peak_bytes = peak_bytes,
    .bricks_prefetched = bricks_prefetched - before.bricks_prefetched,
    .prefetched_used = prefetched_used - before.prefetched_used,
    .stall_seconds = stall_seconds - before.stall_seconds };
}

} // namespace rivulet
