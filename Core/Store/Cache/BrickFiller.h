// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Fills a BrickCache with the bricks of a RequestTable on threads of its own, and tells the waiters. Two kinds: many
/// reads at once from one thread (BrickFetcher.h), or one brick at a time on each of several threads
/// (BrickBuilderPool.h). This is their common part.
///
/// Each waiter gets the brick pinned: it keeps its slot until all of them have unpinned it.
///
/// Threads: any. The cache and the table must outlive this.
#pragma once

#include "Store/Cache/BrickCache.h"
#include "Store/Cache/RequestTable.h"

#include <atomic>

namespace rivulet
{

/// The cache and the table that a filler serves.
struct BrickPlaces
{
  BrickCache& cache;
  RequestTable& requests;
};

class BrickFiller : private BrickWaiter
{
public:
  explicit BrickFiller(const BrickPlaces& places)
    : places_(places)
  {
  }
  BrickFiller(const BrickFiller&) = delete;
  BrickFiller& operator=(const BrickFiller&) = delete;
  virtual ~BrickFiller() = default;

  /// Called when a request was added or a slot may be free. Any thread.
  virtual void notify() = 0;

protected:
  [[nodiscard]] RequestTable& table() { return places_.requests; }
  /// A slot for a brick that was taken from the table. nullptr if there is none; then the brick is queued again.
  [[nodiscard]] Slot* take_slot(const WantedBrick& brick);
  /// notify() is called when there may be a slot for the brick. If there never will be one, its requests are answered.
  void ask_for_slot(const WantedBrick& brick);
  /// Puts the brick, or its error, into the cache and answers its requests.
  void deliver(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded);

  /// Answers all remaining requests. No brick is under way.
  void answer_all() { tell(places_.requests.withdraw_queued()); }

private:
  /// Called by the cache when a slot may be free.
  void brick_arrived(const BrickKey&, Lookup&&) override;

  const BrickPlaces places_;
  std::atomic<bool> asked_for_slot_{ false };
};

} // namespace rivulet
