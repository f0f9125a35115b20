// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/CacheShape.h"

#include <algorithm>

namespace rivulet
{

namespace
{

// Segments are large for the disk and many for the eviction: a 256th of the cache goes at a time.
constexpr std::int64_t kWantedSegments = 256;
constexpr std::int64_t kLeastSegment = 2 * kMiB;
constexpr std::int64_t kMostSegment = 64 * kMiB;
// With two buckets for each group of a field that is kept whole, few groups share one.
constexpr std::int64_t kBucketsPerGroup = 2;
constexpr std::int64_t kMostLimit = std::int64_t{ 1 } << 50;

} // namespace

Result<CacheHeader> CacheShape::header_for(std::int64_t limit, std::uint64_t machine)
{
  if (limit < kLeastLimit || limit > kMostLimit)
  {
    return fail(ErrorCode::BadArgument,
        "a limit of " + format_bytes(limit) + " is " + (limit < kLeastLimit ? "too small" : "too large") +
            " for a local cache",
        "allow " + format_bytes(kLeastLimit) + " or more, or 0 for half of the free space");
  }
  CacheHeader header;
  header.limit = limit;
  header.machine = machine;
  header.segment_bytes = std::clamp(round_up(limit / kWantedSegments, kPage), kLeastSegment, kMostSegment);
  header.buckets = round_up(kBucketsPerGroup * limit / CacheName::kGroup, CacheName::kGroups);
  header.segments = limit / header.segment_bytes + 1;
  while (CacheShape(header).file_bytes() > limit)
  {
    --header.segments;
  }
  return header;
}

bool CacheShape::is_sound() const
{
  const Result<CacheHeader> expected = header_for(header_.limit, header_.machine);
  return expected && *expected == header_;
}

std::int64_t CacheShape::place_of_bucket(const CacheName& name, std::int64_t choice) const
{
  const auto part = static_cast<std::int64_t>(name.region % static_cast<std::uint64_t>(parts()));
  return index() + (part * CacheName::kGroups + name.group + choice) % header_.buckets * kPage;
}

std::int64_t CacheShape::index() const
{
  return kPage + round_up(header_.segments * static_cast<std::int64_t>(sizeof(SegmentRecord)), kPage);
}

std::int64_t CacheShape::segment_of(const EntryRecord& entry) const
{
  const std::int64_t last_page = file_bytes() / kPage;
  if (entry.page < values() / kPage || entry.page >= last_page || entry.bytes == 0 || entry.bytes > kMostValue)
  {
    return -1;
  }
  const std::int64_t begin = entry.page * kPage - values();
  const std::int64_t segment = begin / header_.segment_bytes;
  return (begin + entry.bytes - 1) / header_.segment_bytes == segment ? segment : -1;
}

} // namespace rivulet
