// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache of bricks that threads of its own fill with what is asked for: what asynchronous sources have in common.
///
///     cache_.start(std::move(reads), std::move(engine));
///     cache_.start(loader, [] { return 4; });                  // or: made by threads, not read by one
///     Lookup found = cache_.find({ key, number });             // never waits for the disk
///     cache_.request({ key, number }, waiter, particles);      // leaves a note
///
/// Numbers are the source's own: one for each brick, neighbours in the file near each other.
///
/// Threads: any, after start(). On destruction what is under way is waited for and every request is answered; what
/// reads or the loader need must still be there. Bytes.
#pragma once

#include "Store/Cache/BrickFetcher.h"

#include <functional>
#include <memory>
#include <vector>

namespace rivulet
{

class FetchedCache
{
public:
  /// `owner` is who pins are returned to.
  FetchedCache(BrickSource& owner, const BrickCacheOptions& options)
    : cache_(owner, options)
  {
  }
  FetchedCache(const FetchedCache&) = delete;
  FetchedCache& operator=(const FetchedCache&) = delete;
  ~FetchedCache() { cache_.end_reclaim(); } // before the engine goes that is told of dropped slots

  /// One of the two, once, before all others; throws std::system_error if the system gives no thread: then what waits
  /// must do. `places`: where in a slot is read to; the engine knows memory by that.
  void start(
      std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine, std::vector<std::int64_t> places = { 0 });
  /// `at_once`: how many bricks may be loaded at a time (BrickMakers.h).
  void start(BrickLoader& loader, std::function<int()> at_once);

  [[nodiscard]] Lookup find(const WantedBrick& brick) { return cache_.find(brick.key); }
  void request(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles);
  void withdraw(const BrickWaiter& waiter) { tell(requests_.withdraw(waiter)); }
  void cancel(std::int64_t number, const BrickWaiter& waiter) { tell(requests_.cancel(number, waiter)); }
  void prefetch(const WantedBrick& brick, std::int64_t priority);
  void unpin(void* token) { cache_.unpin(token); }

  [[nodiscard]] std::int64_t slot_bytes() const { return cache_.slot_bytes(); }
  [[nodiscard]] std::int64_t memory_budget() const { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) { cache_.set_memory_budget(bytes); }
  [[nodiscard]] SourceStatistics statistics() const { return cache_.statistics(); }

private:
  BrickCache cache_;
  RequestTable requests_;
  std::unique_ptr<BrickFiller> filler_; ///< last: uses all above until it is gone
};

} // namespace rivulet
