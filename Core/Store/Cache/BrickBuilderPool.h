// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Threads that make the bricks of a RequestTable with a BrickLoader, each one brick at a time: for bricks that are
/// made with several reads and waits instead of one read. The number of threads begins with one and grows to the
/// largest number of bricks wanted at once, kMost at most; fewer if the system refuses more.
///
/// Threads: notify() from any. The loader is called by several threads at once, never for the same brick, and must
/// outlive this object. The destructor waits for bricks being made and answers all remaining requests.
#pragma once

#include "Store/Cache/BrickFiller.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rivulet
{

class BrickBuilderPool final : public BrickFiller
{
public:
  static constexpr int kMost = 16;

  /// `at_once`: number of bricks that may be made at a time now, at least 1; called before each brick, under a mutex of
  /// this object. Throws std::system_error if there can be no thread.
  BrickBuilderPool(const BrickPlaces& places, BrickLoader& loader, std::function<int()> at_once);
  ~BrickBuilderPool() override;

  void notify() override;

private:
  void run();
  [[nodiscard]] Result<LoadedBrick> load(const WantedBrick& brick, const Slot& slot);
  /// Makes one brick. False if none is wanted or there is no slot for it: notify() is called when there may be one.
  [[nodiscard]] bool make_one();
  void rest(std::unique_lock<std::mutex>& lock, std::int64_t seen);

  BrickLoader& loader_;
  const std::function<int()> at_once_;
  std::mutex mutex_; ///< guards the members below
  std::condition_variable woken_;
  std::int64_t news_ = 0; ///< number of calls of notify()
  int idle_ = 0;          ///< threads that wait
  int called_ = 0;        ///< waiting threads that were woken
  int busy_ = 0;          ///< threads that make bricks
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace rivulet
