// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What fills a BrickCache with the bricks of a RequestTable, on threads of its own, and tells who waits: by reading
/// many at once from one thread (BrickFetcher.h), or by making each on one of several (BrickMakers.h). Here is what the
/// two have in common.
///
/// Whoever asked for a brick is handed it, pinned: it keeps its slot until each of them has let go.
///
/// Threads: any. The cache and the table must outlive this.
#pragma once

#include "Store/Cache/BrickCache.h"
#include "Store/Cache/RequestTable.h"

#include <atomic>

namespace rivulet
{

/// Where bricks go.
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

  /// A request was added, or a slot may be had. Any thread.
  virtual void notify() = 0;

protected:
  [[nodiscard]] RequestTable& table() { return places_.requests; }
  /// A slot for a brick that was taken from the table, or nullptr; then the brick is queued again.
  [[nodiscard]] Slot* take_slot(const WantedBrick& brick);
  /// notify() comes when there may be a slot for the brick. If there never will be, its requests are answered.
  void ask_for_slot(const WantedBrick& brick);
  /// Puts the brick, or its error, into the cache and answers its requests.
  void deliver(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded);

  /// Nothing is under way any more: answers what is left.
  void answer_all() { tell(places_.requests.withdraw_queued()); }

private:
  /// A slot of the cache may be had.
  void brick_arrived(const BrickKey&, Lookup&&) override;

  const BrickPlaces places_;
  std::atomic<bool> asked_for_slot_{ false };
};

} // namespace rivulet
