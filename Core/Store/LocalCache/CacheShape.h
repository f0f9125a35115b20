// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Layout of the file of a local cache:
///
///     header | table of segments | index: buckets of a page, each with kEntries entries | segments with values
///
/// A segment is filled by one process from its beginning to its end. Values begin on pages. To make room the segment
/// that was used last the longest time ago gets the next generation: all entries of the generation before are invalid
/// then. The bucket of an entry depends on the group of its key, so that values that lie close together in a field are
/// found in one page of the index. Where that is full, entries are in the next bucket.
///
/// Nothing here is trusted when it is read: an entry is a hint, and the seal of a value decides.
///
/// Plain values, little-endian as on all machines that Rivulet runs on. Bytes.
#pragma once

#include "Base/Bytes.h"
#include "Base/Result.h"
#include "Store/LocalCache/CacheKey.h"

#include <array>
#include <bit>

namespace rivulet
{

static_assert(std::endian::native == std::endian::little);

struct CacheHeader
{
  static constexpr std::array<char, 16> kMagic{ 'r', 'i', 'v', 'u', 'l', 'e', 't', ' ', 'c', 'a', 'c', 'h', 'e', '\n',
    '\x1a', '\0' };
  static constexpr std::uint32_t kVersion = 1;

  std::array<char, 16> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t reserved = 0;
  std::int64_t limit = 0; ///< of the whole file
  std::int64_t segment_bytes = 0;
  std::int64_t segments = 0;
  std::int64_t buckets = 0;
  std::uint64_t machine = 0; ///< hash of the name of the machine whose processes use the file

  friend bool operator==(const CacheHeader&, const CacheHeader&) = default;
};
static_assert(sizeof(CacheHeader) == 64);

struct SegmentRecord
{
  std::uint32_t generation = 0; ///< 0: never used
  std::uint32_t pages = 0;      ///< pages with values, from the beginning
  std::int64_t last_use = 0;    ///< nanoseconds since 1970
};
static_assert(sizeof(SegmentRecord) == 16);

struct EntryRecord
{
  std::uint64_t tag = 0;
  std::uint64_t seal = 0;
  std::int64_t page = 0; ///< of the value, counted from the beginning of the file; 0: no entry
  std::uint32_t bytes = 0;
  std::uint32_t generation = 0; ///< of the segment when the value was written; 0: the entry is invalid
};
static_assert(sizeof(EntryRecord) == 32);

/// Places in the file.
class CacheShape
{
public:
  static constexpr std::int64_t kLeastLimit = 16 * kMiB;
  static constexpr std::int64_t kMostValue = kMiB; ///< a larger value is kept as several
  static constexpr std::int64_t kEntries = kPage / static_cast<std::int64_t>(sizeof(EntryRecord));

  /// Fails with BadArgument if the limit is below kLeastLimit.
  [[nodiscard]] static Result<CacheHeader> header_for(std::int64_t limit, std::uint64_t machine);

  CacheShape() = default;
  explicit CacheShape(const CacheHeader& header)
    : header_(header)
  {
  }
  /// Whether the header is of this version and its numbers go together.
  [[nodiscard]] bool is_sound() const;

  [[nodiscard]] const CacheHeader& header() const { return header_; }
  [[nodiscard]] std::int64_t segments() const { return header_.segments; }
  [[nodiscard]] std::int64_t segment_bytes() const { return header_.segment_bytes; }
  [[nodiscard]] std::int64_t file_bytes() const { return values() + header_.segments * header_.segment_bytes; }

  [[nodiscard]] std::int64_t place_of_segment_record(std::int64_t segment) const
  {
    return kPage + segment * static_cast<std::int64_t>(sizeof(SegmentRecord));
  }
  /// The first or the second bucket of a name.
  [[nodiscard]] std::int64_t place_of_bucket(const CacheName& name, std::int64_t choice = 0) const;
  static constexpr std::int64_t kChoices = 2;
  /// Buckets of neighbours in a file lie side by side: the part of the index with a bucket.
  static constexpr std::int64_t kPart = CacheName::kGroups * kPage;
  [[nodiscard]] std::int64_t parts() const { return header_.buckets / CacheName::kGroups; }
  [[nodiscard]] std::int64_t part_of_bucket(std::int64_t place) const { return (place - index()) / kPart; }
  [[nodiscard]] std::int64_t place_of_part(std::int64_t part) const { return index() + part * kPart; }
  [[nodiscard]] std::int64_t place_of_values(std::int64_t segment) const
  {
    return values() + segment * header_.segment_bytes;
  }
  /// The segment that holds all pages of an entry's value; -1 if none does.
  [[nodiscard]] std::int64_t segment_of(const EntryRecord& entry) const;

private:
  [[nodiscard]] std::int64_t index() const;
  [[nodiscard]] std::int64_t values() const { return index() + header_.buckets * kPage; }

  CacheHeader header_;
};

} // namespace rivulet
