// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/CacheFile.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

constexpr std::int64_t kTouchEvery = 200'000'000; // nanoseconds

std::int64_t now()
{
  timespec time = {};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return std::int64_t{ time.tv_sec } * 1'000'000'000 + time.tv_nsec;
}

/// Whether all bytes were written; errno tells why not.
bool write_all(int file, const void* from, std::int64_t bytes, std::int64_t offset)
{
  const auto* next = static_cast<const std::byte*>(from);
  while (bytes > 0)
  {
    const ssize_t done = ::pwrite(file, next, static_cast<std::size_t>(bytes), offset);
    if (done <= 0 && !(done < 0 && errno == EINTR))
    {
      errno = done == 0 ? ENOSPC : errno;
      return false;
    }
    next += std::max<ssize_t>(0, done);
    offset += std::max<ssize_t>(0, done);
    bytes -= std::max<ssize_t>(0, done);
  }
  return true;
}

std::int64_t place_in(std::int64_t bucket, std::size_t entry)
{
  return bucket + static_cast<std::int64_t>(entry * sizeof(EntryRecord));
}

bool fits(const EntryRecord& entry, const CacheName& name, const CacheKey& key)
{
  return entry.page != 0 && entry.tag == name.tag && entry.bytes == key.bytes;
}

} // namespace

CacheFile::CacheFile(CacheDescriptors&& opened)
  : opened_(std::move(opened))
  , touched_(static_cast<std::size_t>(opened_.shape.segments()))
  , parts_asked_(static_cast<std::size_t>(opened_.shape.parts()))
{
}

int CacheFile::descriptor(bool whole_pages) const
{
  return whole_pages && opened_.direct.get() >= 0 ? opened_.direct.get() : opened_.buffered.get();
}

tl::unexpected<Error> CacheFile::failure(const std::string& what, int number) const
{
  return fail(ErrorCode::CannotWrite, what, number == ENOSPC ? "free some space, or set a smaller limit" : "", path(),
      -1, number);
}

/// Buckets beside this one are soon looked up, too: read-ahead of their part of the index is requested once.
bool CacheFile::read_bucket(std::int64_t place, Bucket& bucket) const
{
  const std::int64_t part = shape().part_of_bucket(place);
  if (std::atomic<bool>& asked = parts_asked_[static_cast<std::size_t>(part)]; !asked.load(std::memory_order_relaxed))
  {
    asked.store(true, std::memory_order_relaxed);
    ::posix_fadvise(opened_.buffered.get(), shape().place_of_part(part), CacheShape::kPart, POSIX_FADV_WILLNEED);
  }
  return ::pread(opened_.buffered.get(), bucket.data(), sizeof bucket, place) == ssize_t{ sizeof bucket };
}

std::optional<SegmentRecord> CacheFile::record_of(std::int64_t segment) const
{
  SegmentRecord record;
  const ssize_t got = ::pread(opened_.buffered.get(), &record, sizeof record, shape().place_of_segment_record(segment));
  return got == ssize_t{ sizeof record } ? std::optional(record) : std::nullopt;
}

std::vector<SegmentRecord> CacheFile::all_records() const
{
  std::vector<SegmentRecord> records(static_cast<std::size_t>(shape().segments()));
  const auto bytes = static_cast<ssize_t>(records.size() * sizeof(SegmentRecord));
  if (::pread(opened_.buffered.get(), records.data(), static_cast<std::size_t>(bytes),
          shape().place_of_segment_record(0)) != bytes)
  {
    records.clear();
  }
  return records;
}

bool CacheFile::write_record(std::int64_t segment, const SegmentRecord& record) const
{
  return write_all(opened_.buffered.get(), &record, sizeof record, shape().place_of_segment_record(segment));
}

std::optional<CachePlace> CacheFile::find(const CacheKey& key) const
{
  const CacheName name = name_of(key);
  Bucket bucket;
  for (std::int64_t choice = 0; choice < CacheShape::kChoices; ++choice)
  {
    if (!read_bucket(shape().place_of_bucket(name, choice), bucket))
    {
      return std::nullopt;
    }
    const auto found =
        std::find_if(bucket.begin(), bucket.end(), [&](const EntryRecord& entry) { return fits(entry, name, key); });
    if (found != bucket.end())
    {
      return place_of(*found);
    }
    if (bucket.back().page == 0) // entries are filled from the first on
    {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The value of an entry, if its segment still has it.
std::optional<CachePlace> CacheFile::place_of(const EntryRecord& entry) const
{
  const std::int64_t segment = shape().segment_of(entry);
  const std::optional<SegmentRecord> record = segment < 0 ? std::nullopt : record_of(segment);
  return record && record->generation == entry.generation
             ? std::optional(CachePlace{ entry.page * kPage, entry.seal, segment })
             : std::nullopt;
}

bool CacheFile::is_right(const CacheKey& key, const CachePlace& place, std::span<const std::byte> value)
{
  return seal_of(name_of(key), value) == place.seal;
}

void CacheFile::touch(const CachePlace& place)
{
  const std::int64_t time = now();
  std::atomic<std::int64_t>& last = touched_[static_cast<std::size_t>(place.segment)];
  std::int64_t before = last.load(std::memory_order_relaxed);
  if (time - before < kTouchEvery || !last.compare_exchange_strong(before, time, std::memory_order_relaxed))
  {
    return;
  }
  const std::int64_t where = shape().place_of_segment_record(place.segment);
  // A refusal costs the segment its place in the order, no more.
  static_cast<void>(write_all(opened_.buffered.get(), &time, sizeof time,
      where + static_cast<std::int64_t>(offsetof(SegmentRecord, last_use))));
}

/// Entries lose their generation, but do not become empty: find() would skip the next bucket, which may have more.
void CacheFile::forget(const CacheKey& key)
{
  const CacheName name = name_of(key);
  Bucket bucket;
  for (std::int64_t choice = 0; choice < CacheShape::kChoices; ++choice)
  {
    const std::int64_t place = shape().place_of_bucket(name, choice);
    if (!read_bucket(place, bucket))
    {
      return;
    }
    for (std::size_t i = 0; i < bucket.size(); ++i)
    {
      if (fits(bucket[i], name, key))
      {
        EntryRecord none = bucket[i];
        none.generation = 0;
        static_cast<void>(write_all(opened_.buffered.get(), &none, sizeof none, place_in(place, i)));
      }
    }
  }
}

bool CacheFile::lock(std::int64_t segment, short type) const
{
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = shape().place_of_segment_record(segment);
  lock.l_len = sizeof(SegmentRecord);
  return ::fcntl(opened_.buffered.get(), F_OFD_SETLK, &lock) == 0;
}

void CacheFile::unlock(std::int64_t segment) const
{
  static_cast<void>(lock(segment, F_UNLCK));
}

/// The buckets of entries that are entered one after the other, which are often the same.
class CacheFile::IndexPages
{
public:
  explicit IndexPages(const CacheFile& file)
    : file_(file)
    , records_(file.all_records())
  {
  }

  Result<void> enter(const Entry& entry, std::uint32_t generation)
  {
    const CacheName name = name_of(entry.key);
    for (std::int64_t choice = 0; choice < CacheShape::kChoices; ++choice)
    {
      const std::int64_t place = file_.shape().place_of_bucket(name, choice);
      if (places_[choice] != place && !file_.read_bucket(place, buckets_[choice]))
      {
        places_[choice] = -1;
        return file_.failure("the index of the local cache cannot be read", 0);
      }
      places_[choice] = place;
    }
    const auto [choice, number] = best_for(entry.key, name);
    EntryRecord& record = buckets_[choice][number];
    record = { name.tag, entry.seal, entry.offset / kPage, static_cast<std::uint32_t>(entry.key.bytes), generation };
    if (places_[0] == places_[1])
    {
      buckets_[1 - choice][number] = record;
    }
    return write_all(file_.opened_.buffered.get(), &record, sizeof record, place_in(places_[choice], number))
               ? Result<void>()
               : file_.failure("the index of the local cache cannot be written", errno);
  }

private:
  struct Place
  {
    std::size_t choice;
    std::size_t number;
  };

  /// Time of the last use of an entry's segment; the smallest is replaced. Empty and invalid entries: -1.
  [[nodiscard]] std::int64_t age_of(const EntryRecord& entry) const
  {
    const std::int64_t segment = entry.page == 0 ? -1 : file_.shape().segment_of(entry);
    if (segment < 0 || static_cast<std::size_t>(segment) >= records_.size())
    {
      return -1;
    }
    const SegmentRecord& record = records_[static_cast<std::size_t>(segment)];
    return record.generation == entry.generation ? record.last_use : -1;
  }

  /// The entry of the same key, else the first one that is free, else the oldest one.
  [[nodiscard]] Place best_for(const CacheKey& key, const CacheName& name) const
  {
    Place best{ 0, 0 };
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t choice = 0; choice < CacheShape::kChoices; ++choice)
    {
      for (std::size_t i = 0; i < buckets_[choice].size(); ++i)
      {
        const EntryRecord& entry = buckets_[choice][i];
        if (fits(entry, name, key))
        {
          return { choice, i };
        }
        if (const std::int64_t age = age_of(entry); age < least)
        {
          least = age;
          best = { choice, i };
        }
        if (entry.page == 0) // nothing is behind it
        {
          break;
        }
      }
      if (buckets_[choice].back().page == 0)
      {
        break;
      }
    }
    return best;
  }

  const CacheFile& file_;
  const std::vector<SegmentRecord> records_;
  std::array<Bucket, CacheShape::kChoices> buckets_{};
  std::array<std::int64_t, CacheShape::kChoices> places_{ -1, -1 };
};

/// With the segment locked, its record cannot change but for its time.
std::optional<OpenSegment> CacheFile::claim(std::int64_t segment, std::int64_t bytes, bool anew)
{
  if (!lock(segment, F_WRLCK))
  {
    return std::nullopt;
  }
  std::optional<SegmentRecord> record = record_of(segment);
  const std::int64_t used = record ? std::int64_t{ record->pages } * kPage : 0;
  const bool has_room = record && record->generation > 0 && used + bytes <= shape().segment_bytes();
  if (!record || (!anew && !has_room))
  {
    unlock(segment);
    return std::nullopt;
  }
  if (anew)
  {
    *record = { std::max<std::uint32_t>(1, record->generation + 1), 0, now() };
    if (!write_record(segment, *record))
    {
      unlock(segment);
      return std::nullopt;
    }
  }
  const std::int64_t begin = shape().place_of_values(segment);
  return OpenSegment{ segment, record->generation, begin + std::int64_t{ record->pages } * kPage,
    begin + shape().segment_bytes() };
}

Result<OpenSegment> CacheFile::claim(std::int64_t bytes)
{
  const std::vector<SegmentRecord> records = all_records();
  std::vector<std::int64_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto record = [&](std::int64_t segment)
  {
    return records[static_cast<std::size_t>(segment)];
  };
  for (const std::int64_t segment : order)
  {
    const SegmentRecord& each = record(segment);
    if (each.generation == 0 || std::int64_t{ each.pages } * kPage + bytes > shape().segment_bytes())
    {
      continue;
    }
    if (std::optional<OpenSegment> claimed = claim(segment, bytes, false))
    {
      return *claimed;
    }
  }
  std::stable_sort(order.begin(), order.end(),
      [&](std::int64_t a, std::int64_t b)
      {
        return (record(a).generation == 0 ? 0 : record(a).last_use) <
               (record(b).generation == 0 ? 0 : record(b).last_use);
      });
  for (const std::int64_t segment : order)
  {
    if (std::optional<OpenSegment> claimed = claim(segment, bytes, true))
    {
      return *claimed;
    }
  }
  return failure("no part of the local cache is free", 0);
}

void CacheFile::leave(const OpenSegment& segment)
{
  if (segment.number >= 0)
  {
    unlock(segment.number);
  }
}

Result<std::int64_t> CacheFile::write(OpenSegment& segment, std::span<const std::byte> pages)
{
  const auto bytes = static_cast<std::int64_t>(pages.size());
  if (!write_all(descriptor(true), pages.data(), bytes, segment.begin))
  {
    return failure("the local cache cannot be written", errno);
  }
  return std::exchange(segment.begin, segment.begin + bytes);
}

Result<void> CacheFile::enter(const OpenSegment& segment, std::span<const Entry> entries)
{
  // First the end of the values: a process that goes on with the segment must not write over them.
  const std::int64_t used = segment.begin - shape().place_of_values(segment.number);
  const SegmentRecord mine{ segment.generation, static_cast<std::uint32_t>(used / kPage), now() };
  if (!write_record(segment.number, mine))
  {
    return failure("the local cache cannot be written", errno);
  }
  IndexPages pages(*this);
  for (const Entry& entry : entries)
  {
    if (Result<void> entered = pages.enter(entry, segment.generation); !entered)
    {
      return entered;
    }
  }
  return {};
}

Result<void> CacheFile::health() const
{
  struct stat status = {};
  CacheHeader header;
  if (::fstat(opened_.buffered.get(), &status) != 0 || status.st_nlink == 0)
  {
    return failure("the local cache was removed while it was in use", 0);
  }
  if (status.st_size < shape().file_bytes() ||
      ::pread(opened_.buffered.get(), &header, sizeof header, 0) != ssize_t{ sizeof header })
  {
    return failure("the local cache was cut short while it was in use", 0);
  }
  if (header != shape().header())
  {
    return failure(header.machine != shape().header().machine ? "another machine uses the local cache, too"
                                                              : "the local cache was changed while it was in use",
        0);
  }
  return {};
}

} // namespace rivulet
