// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that have arrived and were not fetched yet. They stay pinned until those who asked for them come, or a small
/// cache would evict each brick for the next one before anybody has looked at it, for ever.
///
///     held.keep(number, std::move(pin), waiters);
///     held.fetched(number);                           // each of them, in try_get()
///     held.let_go_old(now, age);                      // those who asked may be gone: when slots run out
///
/// Threads: any. Must be empty before the cache of the pins goes. Pins are released outside the mutex, because that
/// may tell whoever waits for a slot.
#pragma once

#include "Store/BrickSource.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

class HeldBricks
{
public:
  using Clock = std::chrono::steady_clock;

  void keep(std::int64_t number, BrickPin&& pin, std::size_t waiters);
  void fetched(std::int64_t number);
  void let_go_old(Clock::time_point now, Clock::duration age);
  void let_go_all();
  [[nodiscard]] bool any() const { return any_.load(std::memory_order_relaxed); }

private:
  struct Held
  {
    BrickPin pin;
    std::size_t waiters = 0;
    Clock::time_point since;
  };

  std::atomic<bool> any_{ false };
  std::mutex mutex_; ///< guards all below
  std::unordered_map<std::int64_t, Held> bricks_;
  Clock::time_point oldest_; ///< no brick is older
};

} // namespace rivulet
