// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The file of a local cache: finding values, and adding them. Any number of processes use one file. Index entries
/// may be stale, half-written or damaged; so the reader of a value compares its seal. No call waits for another
/// process.
///
///     CacheFile file(std::move(descriptors));
///     if (std::optional<CachePlace> place = file.find(key))
///     {
///       ... read key.bytes bytes at place->offset from file.descriptor(...) ...
///       if (file.is_right(key, *place, bytes)) file.touch(*place); else file.forget(key);
///     }
///
///     Result<OpenSegment> segment = file.claim(CacheShape::kMostValue);                     // for values of one
///     writer Result<std::int64_t> written = file.write(*segment, pages);                           // begins on a page
///     file.enter(*segment, key, offset, seal);                                              // from now on it is found
///
/// The index is read and written by calls, not mapped: a full disk, or a file that others cut short, is an error of a
/// call then, and not a signal.
///
/// Threads: any for find(), is_right(), touch() and forget(); the other functions of one segment one at a time. Bytes.
#pragma once

#include "Store/LocalCache/CacheFolder.h"
#include "Store/LocalCache/CacheKey.h"

#include <atomic>
#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

/// A value that an entry of the index promises.
struct CachePlace
{
  std::int64_t offset = 0;
  std::uint64_t seal = 0;
  std::int64_t segment = 0;
};

/// A segment that this process alone fills.
struct OpenSegment
{
  std::int64_t number = -1; ///< -1: none
  std::uint32_t generation = 0;
  std::int64_t begin = 0; ///< offset of the next value
  std::int64_t end = 0;   ///< of the segment

  [[nodiscard]] std::int64_t room() const { return end - begin; }
};

class CacheFile
{
public:
  explicit CacheFile(CacheDescriptors&& opened);

  [[nodiscard]] const std::string& path() const { return opened_.path; }
  [[nodiscard]] std::uint64_t device() const { return opened_.device; }
  [[nodiscard]] const CacheShape& shape() const { return opened_.shape; }
  /// For reads of values; direct ones if all addresses, offsets and lengths are whole pages.
  [[nodiscard]] int descriptor(bool whole_pages) const;

  [[nodiscard]] std::optional<CachePlace> find(const CacheKey& key) const;
  [[nodiscard]] static bool is_right(const CacheKey& key, const CachePlace& place, std::span<const std::byte> value);
  /// Notes the use of a value, so that its segment stays. Cheap: a segment's time is written a few times a second.
  void touch(const CachePlace& place);
  void forget(const CacheKey& key);

  /// A segment with room for `bytes`: one that a process has left unfinished, an unused one, or the one that was used
  /// last the longest time ago, whose values are dropped. Fails with CannotWrite if other processes fill all of them.
  [[nodiscard]] Result<OpenSegment> claim(std::int64_t bytes);
  /// Ends a claim.
  void leave(const OpenSegment& segment);
  /// Writes whole pages, from memory that begins on a page, and returns their offset. Fails with CannotWrite.
  [[nodiscard]] Result<std::int64_t> write(OpenSegment& segment, std::span<const std::byte> pages);
  /// Lets values be found.
  struct Entry
  {
    CacheKey key;
    std::int64_t offset = 0;
    std::uint64_t seal = 0;
  };
  [[nodiscard]] Result<void> enter(const OpenSegment& segment, std::span<const Entry> entries);

  /// Fails if the file is not in its folder any more, was cut short, or was taken over by another machine or another
  /// version: it is of no more use then.
  [[nodiscard]] Result<void> health() const;

private:
  using Bucket = std::array<EntryRecord, CacheShape::kEntries>;
  class IndexPages;

  [[nodiscard]] bool read_bucket(std::int64_t place, Bucket& bucket) const;
  [[nodiscard]] std::optional<CachePlace> place_of(const EntryRecord& entry) const;
  [[nodiscard]] std::optional<SegmentRecord> record_of(std::int64_t segment) const;
  [[nodiscard]] std::vector<SegmentRecord> all_records() const;
  [[nodiscard]] bool write_record(std::int64_t segment, const SegmentRecord& record) const;
  [[nodiscard]] bool lock(std::int64_t segment, short type) const;
  void unlock(std::int64_t segment) const;
  [[nodiscard]] std::optional<OpenSegment> claim(std::int64_t segment, std::int64_t bytes, bool anew);
  [[nodiscard]] tl::unexpected<Error> failure(const std::string& what, int number) const;

  const CacheDescriptors opened_;
  std::vector<std::atomic<std::int64_t>> touched_; ///< when this process wrote a segment's time last, in nanoseconds
  mutable std::vector<std::atomic<bool>> parts_asked_; ///< of the index, from the disk
};

} // namespace rivulet
