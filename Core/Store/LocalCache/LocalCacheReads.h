// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine that reads bytes from a local cache if it has them, and else from the file; then the cache gets them.
/// Both kinds of reads go through one engine, so as many are under way as it allows.
///
///     auto engine = std::make_unique<LocalCacheReads>(open_read_engine(EngineChoice::Best), cache, counts);
///
/// A read that names the contents of its file is served by the cache if that has all its parts. The file is read where
/// a part is missing, has another seal, or cannot be read; and always while the cache is slower than the file or in
/// trouble. Bytes are the same.
///
/// Which one is slower: the time of a read, divided by the number of reads that were under way beside it. A hard disk
/// with one head loses against a file server with 64 requests at once, although each of these takes nearly as long.
/// Until the times of a few reads of the cache are known, kCareful of its reads are under way at once; others wait for
/// their news. A cache that seems slower is tried with twice as many at once as long as that helps: its reads may have
/// waited for its own writes, or for a processor. Reads beyond that number go to the file meanwhile. Once it is known
/// to be slower it rests from reads for kFirstRest, each time twice as long up to LocalCache::kRest, and goes on
/// getting values for later sessions.
///
/// Threads as in ReadEngine.h. Bytes.
#pragma once

#include "Io/Reads/ReadEngine.h"
#include "Store/LocalCache/LocalCache.h"
#include "Store/LocalCache/ReadTimes.h"

#include <deque>
#include <limits>
#include <unordered_map>

namespace rivulet
{

/// Counts and times of reads. Any thread.
struct LocalCacheCounts
{
  std::atomic<std::int64_t> found{ 0 };   ///< reads that the cache has served
  std::atomic<std::int64_t> bytes{ 0 };   ///< that files need not be read for; gaps between parts count
  std::atomic<std::int64_t> missing{ 0 }; ///< reads that it has not
  ReadTimes file;                         ///< times of reads of files
  ReadTimes cache;                        ///< times of reads of the cache
  std::atomic<bool> slow{ false };        ///< the cache was slower than the file
};

/// The hits of the cache, its trouble, and whether it pays; without a cache: whether one would. Sentences, each with a
/// blank before it. `cache` may be nullptr.
[[nodiscard]] std::string report_on(const LocalCache* cache, const LocalCacheCounts& counts);

class LocalCacheReads final : public ReadEngine
{
public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kLeastPart = 4096; ///< smaller parts are read from the file
  static constexpr int kCareful = 4;
  static constexpr std::chrono::milliseconds kFirstRest{ 250 };
  /// Twice as many reads at once help if each takes this part of the time, or less.
  static constexpr double kHelps = 0.7;

  struct Options
  {
    LocalCache::IfBusy if_busy = LocalCache::IfBusy::Drop;
    /// Seconds for a read, divided by the reads beside it: a cache that takes no longer is not compared with the file.
    double quick = 0.0005;
  };

  /// `cache` may be nullptr: then this engine only measures.
  LocalCacheReads(std::unique_ptr<ReadEngine> engine, std::shared_ptr<LocalCache> cache,
      std::shared_ptr<LocalCacheCounts> counts, const Options& options);

  [[nodiscard]] std::string name() const override { return engine_->name(); }
  [[nodiscard]] int depth() const override { return engine_->depth(); }
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { engine_->wake(); }

private:
  struct UnderWay;
  /// A part of a read, read from the cache.
  struct PartRead : FileRead
  {
    UnderWay* whole = nullptr;
    CacheKey key;
    CachePlace place;
  };
  struct UnderWay
  {
    FileRead* read = nullptr;
    std::vector<CacheKey> keys;     ///< of parts with memory
    std::vector<std::byte*> memory; ///< of these
    std::vector<bool> present;      ///< keys that the cache has; empty: it was not asked
    std::vector<PartRead> parts;    ///< being read from the cache; none: from the file
    std::size_t left = 0;           ///< of the parts
    bool wrong = false;             ///< a part could not be had
    int beside = 0;                 ///< reads under way from the same place when it began, itself included
    Clock::time_point since;
  };

  /// Times and number of the reads from one place.
  struct Side
  {
    ReadTimes times; ///< divided by the number of reads under way
    int under_way = 0;
  };

  [[nodiscard]] bool may_ask();
  [[nodiscard]] bool is_slow();
  [[nodiscard]] int most_at_once() const;
  [[nodiscard]] static UnderWay named(FileRead& read);
  [[nodiscard]] bool find_parts(UnderWay& one);
  void read_file(UnderWay& one);
  void read_parts(UnderWay& one);
  void read_held();
  void start_reads();
  void take(const ReadAnswer& answer, std::vector<ReadAnswer>& answers);
  void take_part(const PartRead& part, std::int64_t result, std::vector<ReadAnswer>& answers);
  void finish(const UnderWay& one, std::int64_t result, std::vector<ReadAnswer>& answers);
  void keep(const UnderWay& one, std::int64_t result);

  const std::unique_ptr<ReadEngine> engine_;
  const std::shared_ptr<LocalCache> cache_;
  const std::shared_ptr<LocalCacheCounts> counts_;
  const Options options_;
  const double quick_;                                ///< as in Options
  std::unordered_map<FileRead*, UnderWay> under_way_; ///< by the caller's read
  std::unordered_map<FileRead*, PartRead*> parts_;    ///< under way
  std::deque<FileRead*> waiting_;                     ///< for a place in the engine
  std::deque<UnderWay*> held_;                        ///< for news of the cache
  Side file_;
  Side cached_;
  int in_engine_ = 0;
  std::int64_t turns_ = 0;
  int tried_ = kCareful;                                     ///< reads of the cache at once, while it seems slower
  double tried_before_ = std::numeric_limits<double>::max(); ///< time of a read with half as many
  std::chrono::milliseconds rest_ = kFirstRest;              ///< the next one
  Clock::time_point rest_until_{};                           ///< from reads of the cache
  Clock::time_point broken_until_{};                         ///< from giving it values
};

} // namespace rivulet
