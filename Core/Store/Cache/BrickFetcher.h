// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A BrickFiller that reads from one thread, many reads at once. BrickReads chooses the reads of a brick
/// (Read/ReadScheduler.h).
///
/// Reads under way are limited by the slots that are free or can be evicted.
///
/// Threads: notify() from any; the functions for BrickReads on the fetcher's own thread only. The destructor waits for
/// reads under way and answers all remaining requests.
#pragma once

#include "Io/Reads/ReadEngine.h"
#include "Store/Cache/BrickFiller.h"

#include <thread>

namespace rivulet
{

class BrickFetcher;

/// Chooses and finishes the reads of requested bricks. Called by the fetcher's thread alone.
class BrickReads
{
public:
  BrickReads() = default;
  BrickReads(const BrickReads&) = delete;
  BrickReads& operator=(const BrickReads&) = delete;
  virtual ~BrickReads() = default;

  /// Submits a read. False if there is none to submit, or no room until another read is answered or a slot is free.
  [[nodiscard]] virtual bool start(BrickFetcher& fetcher) = 0;
  /// Handles the answer of a read that was submitted here: continues the read, or finishes its bricks.
  virtual void answer(BrickFetcher& fetcher, const ReadAnswer& answered) = 0;
  /// Finishes all bricks that were begun. No read is under way, and none will be submitted.
  virtual void end(BrickFetcher& fetcher) = 0;
};

class BrickFetcher final : public BrickFiller
{
public:
  /// Throws std::system_error if the system gives no thread.
  BrickFetcher(const BrickPlaces& places, std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine);
  ~BrickFetcher() override;

  void notify() override;

  // Functions for BrickReads.
  [[nodiscard]] RequestTable& requests() { return table(); }
  /// The brick to read next. Prefetches use at most half of the engine's queue.
  [[nodiscard]] std::optional<WantedBrick> take_best() { return table().take_best(under_way_ < engine_->depth() / 2); }
  /// A slot for a brick that was taken from the table. nullptr if there is none; then the brick is queued again.
  [[nodiscard]] Slot* begin(const WantedBrick& brick) { return take_slot(brick); }
  /// notify() is called when there may be a slot for the brick.
  void wait_for_slot(const WantedBrick& brick) { ask_for_slot(brick); }
  /// The read must stay until it is answered.
  void submit(FileRead& read);
  void finish(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded)
  {
    deliver(brick, slot, std::move(loaded));
  }

private:
  void run();
  void start_reads();
  void wait();

  const std::unique_ptr<BrickReads> reads_;
  const std::unique_ptr<ReadEngine> engine_;
  std::atomic<bool> stopping_{ false };
  std::atomic<bool> news_{ false };   ///< something to do came up since the last check
  std::atomic<bool> asleep_{ false }; ///< the thread must be woken

  // Used by the thread only.
  std::vector<ReadAnswer> answers_; ///< not handled yet
  int under_way_ = 0;

  std::thread thread_;
};

} // namespace rivulet
