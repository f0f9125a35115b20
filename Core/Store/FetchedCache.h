// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache of bricks that a thread of its own fills with what is asked for: what asynchronous sources have in common.
///
///     cache_.start(std::move(reads), std::move(engine));
///     Lookup found = cache_.find({ key, number });             // never waits for the disk
///     cache_.request({ key, number }, waiter, particles);      // leaves a note
///
/// Numbers are the source's own: one for each brick, neighbours in the file near each other.
///
/// Threads: any, after start(). On destruction reads under way are waited for and every request is answered; what the
/// reads need must still be there. Bytes.
#pragma once

#include "Store/BrickFetcher.h"

#include <memory>
#include <set>

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

  /// Once, before all others. `places`: where in a slot is read to; the engine knows memory by that.
  void start(
      std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine, std::set<std::int64_t> places = { 0 });

  [[nodiscard]] Lookup find(const WantedBrick& brick);
  void request(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles);
  void withdraw(const BrickWaiter& waiter) { tell(requests_.withdraw(waiter)); }
  void unpin(void* token) { cache_.unpin(token); }

  [[nodiscard]] std::int64_t slot_bytes() const { return cache_.slot_bytes(); }
  [[nodiscard]] std::int64_t memory_budget() const { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes);
  [[nodiscard]] SourceStatistics statistics() const { return cache_.statistics(); }

private:
  BrickCache cache_;
  RequestTable requests_;
  HeldBricks held_;
  std::unique_ptr<BrickFetcher> fetcher_; ///< last: uses all above until it is gone
};

} // namespace rivulet
