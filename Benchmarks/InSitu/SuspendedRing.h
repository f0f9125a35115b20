// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory shared by a simulation and a process of analytics that it stops and continues: a ring without locks, for one
/// writer and one reader, and the clock of the time for which the reader may run.
///
/// The reader may be stopped anywhere, and then must not keep the writer from going on. Hence no lock.
///
/// The clock: a sleep goes on while a process is stopped. Work of the reader ends when this clock, which stands still
/// meanwhile, says so.
#pragma once

#include "VirtualCores.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace rivulet::bench
{

constexpr std::size_t kMostSlots = 256;

struct SuspendedRing
{
  std::atomic<std::int64_t> given{ 0 };         ///< steps of all runs, counted by the writer
  std::atomic<std::int64_t> done{ 0 };          ///< counted by the reader
  std::atomic<std::int64_t> written{ 0 };       ///< runs whose digests the reader has written
  std::atomic<double> ran{ 0 };                 ///< seconds, up to `since`
  std::atomic<double> since{ 0 };               ///< time of now() when the reader was continued
  std::array<std::int64_t, kMostSlots> steps{}; ///< by slot; -1: the run ends

  /// Seconds for which the reader was not stopped. For the reader, which runs now.
  [[nodiscard]] double clock() const
  {
    double before = 0;
    double begin = 0;
    do // until both are of one moment
    {
      begin = since;
      before = ran;
    } while (begin != since);
    return before + now() - begin;
  }
};

static_assert(std::atomic<double>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

/// Begin of the data of slots.
constexpr std::size_t kSlotsBegin = (sizeof(SuspendedRing) + 63) / 64 * 64;

/// Where a step lies.
[[nodiscard]] inline std::size_t slot_begin(std::int64_t number, int slots, std::size_t bytes)
{
  return kSlotsBegin + static_cast<std::size_t>(number % slots) * ((bytes + 63) / 64 * 64);
}

} // namespace rivulet::bench
