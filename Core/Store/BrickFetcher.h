// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The thread that reads the bricks of a RequestTable into a BrickCache, many reads at once, and tells who waits.
///
/// Each read begins with the brick that most particles wait for and takes in its neighbours along the curve that are
/// asked for too, over gaps of at most kMostGap: one request of the device costs more than a brick that is read in
/// vain. How much is read ahead is bounded by the slots that are free or can be evicted; bricks that have arrived keep
/// theirs until they are fetched (HeldBricks.h), or for kHold if others wait for a slot, because whoever asked may be
/// gone.
///
/// notify() from any thread after a request was added. The destructor waits for reads under way and answers every
/// request that is left. The cache, the table and the held bricks must outlive this. Bytes.
#pragma once

#include "Io/ReadEngine.h"
#include "Store/BrickCache.h"
#include "Store/FieldRecords.h"
#include "Store/HeldBricks.h"
#include "Store/RecordRead.h"
#include "Store/RequestTable.h"

#include <functional>
#include <thread>

namespace rivulet
{

class BrickFetcher final : private BrickWaiter
{
public:
  /// Where bricks come from and go to.
  struct Field
  {
    const FieldRecords& records;
    BrickCache& cache;
    RequestTable& requests;
    HeldBricks& held;
    bool direct;
    /// Checks a record that was read into a slot, and makes plain values of it. Called by the fetcher's thread.
    std::function<Result<BrickView>(const BrickKey&, std::byte*)> admit;
  };

  static constexpr std::int64_t kMostBytes = 512 * 1024; ///< of one read
  static constexpr std::int64_t kMostGap = 32 * 1024;
  static constexpr std::chrono::milliseconds kHold{ 50 };

  BrickFetcher(Field field, std::unique_ptr<ReadEngine> engine);
  BrickFetcher(const BrickFetcher&) = delete;
  BrickFetcher& operator=(const BrickFetcher&) = delete;
  ~BrickFetcher();

  void notify();

private:
  /// A slot of the cache may be had.
  void brick_arrived(const BrickKey&) override;

  void run();
  void start_reads();
  [[nodiscard]] bool start_read();
  [[nodiscard]] bool add(RecordRead& read, const WantedBrick& brick, bool behind);
  void take_in_neighbours(RecordRead& read, const WantedBrick& first);
  void wait_for_slot(const WantedBrick& brick);
  void submit(std::unique_ptr<RecordRead> read);
  void wait();
  void answer(const ReadAnswer& answered);
  void split(const RecordRead& read);
  void finish(const RecordRead& read);
  void finish_brick(const RecordRead& read, const RecordRead::Brick& brick, std::int64_t waste);

  const Field field_;
  const std::unique_ptr<ReadEngine> engine_;
  std::atomic<bool> stopping_{ false };
  std::atomic<bool> news_{ false };   ///< something to do came up since it was last looked for
  std::atomic<bool> asleep_{ false }; ///< the thread must be woken
  std::atomic<bool> asked_for_slot_{ false };

  // The thread's own.
  std::vector<std::unique_ptr<RecordRead>> retries_;
  std::vector<ReadAnswer> answers_;
  int under_way_ = 0;
  bool starved_ = false; ///< bricks are queued and there is no slot for them

  std::thread thread_;
};

} // namespace rivulet
