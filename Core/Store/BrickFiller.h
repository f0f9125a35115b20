// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What fills a BrickCache with the bricks of a RequestTable, on threads of its own, and tells who waits: by reading
/// many at once from one thread (BrickFetcher.h), or by making each on one of several (BrickMakers.h). Here is what the
/// two have in common.
///
/// Bricks that have arrived keep their slot until they are fetched (HeldBricks.h), or for kHold if others wait for a
/// slot, because whoever asked may be gone.
///
/// Threads: any. The cache, the table and the held bricks must outlive this.
#pragma once

#include "Store/BrickCache.h"
#include "Store/HeldBricks.h"
#include "Store/RequestTable.h"

#include <atomic>
#include <chrono>

namespace rivulet
{

/// Where bricks go.
struct BrickPlaces
{
  BrickCache& cache;
  RequestTable& requests;
  HeldBricks& held;
};

class BrickFiller : private BrickWaiter
{
public:
  static constexpr std::chrono::milliseconds kHold{ 50 };

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
  /// notify() comes when there may be a slot for the brick. False if there never will be: its requests are answered.
  [[nodiscard]] bool ask_for_slot(const WantedBrick& brick);
  /// Puts the brick, or its error, into the cache and answers its requests.
  void deliver(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded);

  [[nodiscard]] bool holds_any() const { return places_.held.any(); }
  void let_go_old() { places_.held.let_go_old(HeldBricks::Clock::now(), kHold); }
  /// Nothing is under way any more: answers what is left.
  void answer_all();

private:
  /// A slot of the cache may be had.
  void brick_arrived(const BrickKey&) override;

  const BrickPlaces places_;
  std::atomic<bool> asked_for_slot_{ false };
};

} // namespace rivulet
