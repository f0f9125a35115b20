// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache of bricks that threads of its own fill on request: the common part of asynchronous sources.
///
///     cache_.start(std::move(reads), std::move(engine));
///     cache_.start(loader, [] { return 4; });                  // or: bricks made by threads, not read by one
///     Lookup found = cache_.find({ key, number });             // never waits for the disk
///     cache_.request({ key, number }, waiter, particles);      // the waiter is told later
///
/// Numbers belong to the source: one for each brick, with near numbers for neighbours in the file.
///
/// Threads: any, after start(). The destructor waits for bricks under way and answers every request; the objects that
/// BrickReads or the loader use must still exist then. Bytes.
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
  /// `owner`: the source that pins are returned to.
  FetchedCache(BrickSource& owner, const BrickCacheOptions& options)
    : cache_(owner, options)
  {
  }
  FetchedCache(const FetchedCache&) = delete;
  FetchedCache& operator=(const FetchedCache&) = delete;

  /// One of the start functions must be called once, before all other functions. They throw std::system_error if
  /// the system gives no thread; then a source that waits must be used instead.
  void start(std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine);
  /// `at_once`: number of bricks that may be loaded at a time (BrickBuilderPool.h).
  void start(BrickLoader& loader, std::function<int()> at_once);
  /// For a filler of another kind, which `make` returns.
  void start_filler(const std::function<std::unique_ptr<BrickFiller>(const BrickPlaces&)>& make)
  {
    filler_ = make({ cache_, requests_ });
  }

  [[nodiscard]] Lookup find(const WantedBrick& brick) { return cache_.find(brick.key); }
  void request(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles);
  void withdraw(const BrickWaiter& waiter) { tell(requests_.withdraw(waiter)); }
  void prefetch(const WantedBrick& brick, std::int64_t priority);
  void unpin(void* token) { cache_.unpin(token); }

  [[nodiscard]] bool settled(const BrickKey& key) { return cache_.settled(key); }
  [[nodiscard]] std::int64_t held_bytes() const { return cache_.held_bytes(); }
  [[nodiscard]] std::int64_t slot_bytes() const { return cache_.slot_bytes(); }
  [[nodiscard]] std::int64_t memory_budget() const { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) { cache_.set_memory_budget(bytes); }
  [[nodiscard]] SourceStatistics statistics() const { return cache_.statistics(); }

private:
  BrickCache cache_;
  RequestTable requests_;
  std::unique_ptr<BrickFiller> filler_; ///< last member: uses the members above until it is destroyed
};

} // namespace rivulet
