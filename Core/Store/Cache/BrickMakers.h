// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Threads that make the bricks of a RequestTable with a BrickLoader, one brick each at a time: for bricks that are not
/// simply read, but whose making reads and waits. There is one thread, and as many as bricks were wanted at once so
/// far, kMost at most, and fewer where the system refuses more.
///
/// Threads: notify() from any; the loader is called by many at once, never for one brick. The destructor waits for what
/// is being made and answers every request that is left; the loader must outlive this.
#pragma once

#include "Store/Cache/BrickFiller.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rivulet
{

class BrickMakers final : public BrickFiller
{
public:
  static constexpr int kMost = 16;

  /// `at_once`: how many may be made at a time now, at least 1; asked before each, under a mutex of this. Throws
  /// std::system_error if there can be no thread.
  BrickMakers(const BrickPlaces& places, BrickLoader& loader, std::function<int()> at_once);
  ~BrickMakers() override;

  void notify() override;

private:
  void run();
  [[nodiscard]] Result<LoadedBrick> load(const WantedBrick& brick, const Slot& slot);
  /// False if nothing is wanted, or there is no slot for it: notify() comes when there may be one.
  [[nodiscard]] bool make_one();
  void rest(std::unique_lock<std::mutex>& lock, std::int64_t seen);

  BrickLoader& loader_;
  const std::function<int()> at_once_;
  std::mutex mutex_; ///< guards what follows
  std::condition_variable woken_;
  std::int64_t news_ = 0; ///< counts notify()
  int idle_ = 0;          ///< threads that wait
  int called_ = 0;        ///< of these, those that were told of news
  int busy_ = 0;          ///< threads that make bricks
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace rivulet
