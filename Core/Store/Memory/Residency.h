// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Keeps what a mapping holds in memory under a budget. The kernel brings pages in by itself and more than was asked
/// for (it maps neighbours that happen to be cached), so two things are counted: the bricks that were touched since
/// they were last dropped, exactly; and the surplus, by watching how the process's file-backed resident pages
/// (/proc/self/statm) grow beyond that.
///
///     residency.arrive(bytes);      // before a brick is touched: drops others if there is no room
///     ... touch it ...
///
/// When the sum would pass the budget, the owner is told to drop until it is below three quarters. Bricks in use may be
/// dropped too: the kernel brings them in again when they are read. The bricks are in the process's account.
///
/// Threads: any; room is made by one at a time. The owner must outlive this. Bytes.
#pragma once

#include "Store/Memory/MemoryAccount.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace rivulet
{

/// Who can give pages back.
class ResidentOwner
{
public:
  /// Drops about `bytes` of what arrived, longest-held first as well as it knows, and returns how much it was: 0 only
  /// when nothing is left. Called by one thread at a time.
  [[nodiscard]] virtual std::int64_t drop(std::int64_t bytes) = 0;

protected:
  ~ResidentOwner() = default;
};

class Residency
{
public:
  Residency(ResidentOwner& owner, std::int64_t budget);
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;

  void arrive(std::int64_t bytes);
  /// Takes an arrival back that another thread had counted already.
  void depart(std::int64_t bytes);
  /// Notes that bricks which arrived before are in use.
  void touch() { lease_.touch(); }

  [[nodiscard]] std::int64_t budget() const { return budget_.load(std::memory_order_relaxed); }
  void set_budget(std::int64_t bytes);

  /// Bytes of bricks that arrived and were not dropped; the surplus is not in it.
  [[nodiscard]] std::int64_t resident() const { return resident_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }

private:
  [[nodiscard]] bool fits(std::int64_t resident, std::int64_t more) const;
  void make_room(std::int64_t bytes);
  void count(std::int64_t bytes);
  [[nodiscard]] std::int64_t held() const; ///< bytes, with the surplus
  /// Returns the bytes of bricks that were dropped. Called with the mutex locked.
  std::int64_t drop_until(std::int64_t target);
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);
  void note_peak(std::int64_t resident);
  void watch_surplus(std::int64_t arrived);
  [[nodiscard]] std::int64_t interval() const;

  ResidentOwner& owner_;
  std::atomic<std::int64_t> budget_;
  std::atomic<std::int64_t> resident_{ 0 };
  std::atomic<std::int64_t> surplus_{ 0 };
  std::atomic<std::int64_t> unwatched_{ 0 }; ///< arrived since the surplus was last looked at
  std::atomic<std::int64_t> peak_{ 0 };

  /// The process when it was last watched, in bytes.
  struct ProcessPages
  {
    std::int64_t bytes = 0;   ///< file-backed and resident
    std::int64_t arrived = 0; ///< in all residencies so far; 0 before the first time
    std::int64_t freed = 0;   ///< by all residencies so far
  };
  std::mutex mutex_; ///< guards dropping and what follows
  ProcessPages seen_;
  MemoryLease lease_;
};

} // namespace rivulet
