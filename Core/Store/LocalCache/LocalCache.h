// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A folder on a local disk that keeps bytes of files on slower storage: between that storage and memory (D. Camp, H.
/// Childs, A. Chourasia, C. Garth, K. I. Joy, "Evaluating the Benefits of an Extended Memory Hierarchy for Parallel
/// Streamline Algorithms", LDAV 2011). All fields of a process share one object for a folder, all processes of a
/// machine its file (CacheFile.h).
///
///     Result<std::shared_ptr<LocalCache>> cache = LocalCache::open({ "/scratch/me/cache", 64 * kGiB });
///     (*cache)->keep(key, bytes);                             // copies; written soon
///     std::optional<CachePlace> place = (*cache)->file().find(key);
///
/// Values wait in two batches of kBatch bytes, which count in the process's account: one is filled while a thread of
/// this object writes the other. Where values come faster than the disk takes them, they are dropped. A disk in trouble
/// (full, broken) gets no values for kRest.
///
/// Threads: any. Bytes.
#pragma once

#include "Base/Buffer.h"
#include "Store/LocalCache/CacheFile.h"
#include "Store/Memory/MemoryAccount.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace rivulet
{

struct LocalCacheOptions
{
  std::string folder{};   ///< empty: none
  std::int64_t limit = 0; ///< bytes on the disk; 0: as the cache is, or half of the free space for a new one
  bool keep_all = false;  ///< reads wait for the disk of the cache, so that it gets all values
};

/// The folder and limit of RIVULET_CACHE_DIRECTORY and RIVULET_CACHE_LIMIT where `options` names no folder. Fails with
/// BadArgument if RIVULET_CACHE_LIMIT is no number of bytes.
[[nodiscard]] Result<LocalCacheOptions> or_of_environment(const LocalCacheOptions& options);

class LocalCache;

/// The cache for a file, or the reason for none.
struct CacheChoice
{
  std::shared_ptr<LocalCache> cache{}; ///< nullptr: none
  std::string why_not{};               ///< a sentence; empty if there is one or none was asked for
  bool trouble = false;                ///< one was asked for, and cannot be used
};

/// Opens the cache of the options, or of the environment, for a file. None if file and cache share a file system.
[[nodiscard]] CacheChoice local_cache_for(const std::string& file, const LocalCacheOptions& options);

class LocalCache
{
public:
  static constexpr std::int64_t kBatch = 2 * kMiB;
  static constexpr std::chrono::milliseconds kLinger{ 50 }; ///< before a batch that is not full is written
  static constexpr std::chrono::milliseconds kRest{ 5000 };

  enum class IfBusy : std::uint8_t
  {
    Drop,
    Wait
  };
  struct Counts
  {
    std::int64_t kept = 0;    ///< values that were written
    std::int64_t dropped = 0; ///< values that were not: haste, trouble, no name, or not of a size that is kept
  };

  /// Fails as open_cache_file(), and with CannotWrite if there is no memory or thread for it.
  [[nodiscard]] static Result<std::shared_ptr<LocalCache>> open(const LocalCacheOptions& options);
  LocalCache(const LocalCache&) = delete;
  LocalCache& operator=(const LocalCache&) = delete;
  /// Writes the waiting values.
  ~LocalCache();

  [[nodiscard]] CacheFile& file() { return file_; }
  [[nodiscard]] const CacheFile& file() const { return file_; }
  [[nodiscard]] bool usable() const { return usable_.load(std::memory_order_relaxed); } ///< false: it is no more

  /// Copies a value of at most CacheShape::kMostValue bytes, to be written. Returns whether it was taken.
  bool keep(const CacheKey& key, std::span<const std::byte> value, IfBusy if_busy = IfBusy::Drop);
  /// Counts a read that has no name, or parts of a size that is not kept, as dropped.
  void count_left_out();
  /// Reads a value, and waits for it. False if the cache does not have it.
  [[nodiscard]] bool read(const CacheKey& key, std::byte* to);
  /// Waits until all values that were taken are written or dropped.
  void flush();

  [[nodiscard]] Counts counts() const;
  /// The last trouble in words; empty if there was none.
  [[nodiscard]] std::string trouble() const;
  void note_trouble(const std::string& text);

private:
  using Clock = std::chrono::steady_clock;
  struct Value
  {
    CacheKey key;
    std::int64_t begin; ///< in the batch; a whole page
  };
  struct Batch
  {
    std::byte* memory = nullptr;
    std::int64_t bytes = 0;
    std::vector<Value> values;
  };

  LocalCache(CacheDescriptors&& opened, Buffer<std::byte>&& memory);
  [[nodiscard]] bool resting() const { return Clock::now() < rest_until_; }
  [[nodiscard]] bool make_room(std::unique_lock<std::mutex>& lock, std::int64_t bytes, IfBusy if_busy);
  void write_batches();
  [[nodiscard]] Result<void> write_batch();
  /// Writes as many values from `first` on as the segment has room for; returns the number of the next one.
  [[nodiscard]] Result<std::size_t> write_some(std::size_t first);

  CacheFile file_;
  MemoryPart account_{ MemoryUse::Staging };
  const Buffer<std::byte> memory_;
  std::atomic<bool> usable_{ true };
  OpenSegment segment_; ///< the thread's

  mutable std::mutex mutex_; ///< guards the members below; the thread alone uses writing_ while busy_
  std::condition_variable work_;
  std::condition_variable done_;
  Batch filling_;
  Batch writing_;
  bool busy_ = false;
  bool hurry_ = false; ///< a thread waits in flush()
  bool stopping_ = false;
  Clock::time_point rest_until_{};
  Counts counts_;
  std::string trouble_;
  std::thread thread_;
};

} // namespace rivulet
