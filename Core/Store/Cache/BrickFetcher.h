// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A BrickFiller that reads from one thread, many reads at once. BrickReads says which reads a brick takes
/// (Read/ExtentReads.h).
///
/// How much is read ahead is bounded by the slots that are free or can be evicted.
///
/// notify() from any thread; what BrickReads may call, on the fetcher's own thread only. The destructor waits for reads
/// under way and answers every request that is left.
#pragma once

#include "Io/Reads/ReadEngine.h"
#include "Store/Cache/BrickFiller.h"

#include <thread>

namespace rivulet
{

class BrickFetcher;

/// What is read for the bricks that are wanted. Called by the fetcher's thread alone.
class BrickReads
{
public:
  BrickReads() = default;
  BrickReads(const BrickReads&) = delete;
  BrickReads& operator=(const BrickReads&) = delete;
  virtual ~BrickReads() = default;

  /// Submits a read; false if there is none, or no room for it before another is answered or a slot comes free.
  [[nodiscard]] virtual bool start(BrickFetcher& fetcher) = 0;
  /// A read that was submitted here is answered: goes on with it, or finishes its bricks.
  virtual void answer(BrickFetcher& fetcher, const ReadAnswer& answered) = 0;
  /// Nothing will be read any more, and nothing is under way: finishes the bricks that were begun.
  virtual void end(BrickFetcher& fetcher) = 0;
};

class BrickFetcher final : public BrickFiller
{
public:
  /// Throws std::system_error if the system gives no thread.
  BrickFetcher(const BrickPlaces& places, std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine);
  ~BrickFetcher() override;

  void notify() override;

  // For BrickReads.
  [[nodiscard]] RequestTable& requests() { return table(); }
  /// A slot for a brick that was taken from the table, or nullptr; then the brick is queued again.
  [[nodiscard]] Slot* begin(const WantedBrick& brick) { return take_slot(brick); }
  /// Comes back when there may be a slot for it.
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
  std::atomic<bool> news_{ false };   ///< something to do came up since it was last looked for
  std::atomic<bool> asleep_{ false }; ///< the thread must be woken

  // The thread's own.
  std::vector<ReadAnswer> answers_;
  int under_way_ = 0;

  std::thread thread_;
};

} // namespace rivulet
