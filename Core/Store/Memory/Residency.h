// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Keeps the resident memory of a mapping under a budget. The kernel brings pages in by itself, and more than requested
/// (it maps neighbours that happen to be cached). So two things are counted: exactly, the bricks that were read since
/// they were last dropped; and the surplus, by which the process's file-backed resident pages (/proc/self/statm) grow
/// beyond these bricks.
///
///     residency.arrive(bytes);      // before a brick is read: drops others if there is no room
///     ... read it ...
///
/// If the sum would exceed the budget, the owner must drop until it is below three quarters. Bricks in use may be
/// dropped, too: the kernel brings them in again when they are read. The bricks count in the process's account.
///
/// Threads: any; one at a time makes room. The owner must outlive this object. Bytes.
#pragma once

#include "Store/Memory/MemoryAccount.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace rivulet
{

/// The owner of the mapping, which can drop pages.
class ResidentOwner
{
public:
  /// Drops about `bytes` of bricks that arrived, roughly the longest-held first, and returns the bytes dropped: 0 only
  /// if none are left. Called by one thread at a time.
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
  /// Undoes an arrival that another thread had counted already.
  void depart(std::int64_t bytes);
  /// Notes that bricks that arrived before are in use.
  void touch() { lease_.touch(); }

  [[nodiscard]] std::int64_t budget() const { return budget_.load(std::memory_order_relaxed); }
  void set_budget(std::int64_t bytes);

  /// Bytes of bricks that arrived and were not dropped, without the surplus.
  [[nodiscard]] std::int64_t resident() const { return resident_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }

private:
  [[nodiscard]] bool fits(std::int64_t resident, std::int64_t more) const;
  void make_room(std::int64_t bytes);
  void count(std::int64_t bytes);
  [[nodiscard]] std::int64_t held() const; ///< bytes, surplus included
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
  std::atomic<std::int64_t> unwatched_{ 0 }; ///< bytes that arrived since the last look at the surplus
  std::atomic<std::int64_t> peak_{ 0 };

  /// State of the process at the last look, in bytes.
  struct ProcessPages
  {
    std::int64_t bytes = 0;   ///< file-backed and resident bytes
    std::int64_t arrived = 0; ///< bytes that arrived in all residencies so far; 0 before the first look
    std::int64_t freed = 0;   ///< bytes freed by all residencies so far
  };
  std::mutex mutex_; ///< guards dropping and the members below
  ProcessPages seen_;
  MemoryLease lease_;
};

} // namespace rivulet
