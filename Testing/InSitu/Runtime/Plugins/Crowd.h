// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Counts of threads that are somewhere at once. A visit sleeps for 2 ms, so that virtual cores fill as real ones do;
/// and, on a machine with other work, until as many have been there at once as a test waits for.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <thread>

namespace rivulet::test
{

struct Crowd
{
  std::atomic<int> now{ 0 };
  std::atomic<int> most{ 0 };
  std::atomic<std::int64_t> visits{ 0 };
  std::atomic<bool> executing{ false };
  std::atomic<bool> held{ false }; ///< analytics go on until this is false, so that no test races with their end
  std::atomic<int> wanted{ 0 };    ///< threads that visits wait for, a while
  std::atomic<bool> stranger_was_here{ false }; ///< the thread `stranger`
  std::atomic<std::thread::id> stranger{};
  std::atomic<std::thread::id> master{}; ///< that has called execute
  std::array<std::atomic<int>, 64> slots{};
  std::atomic<int> first_core{ -1 }; ///< of those that the master may use
  std::atomic<int> cores{ 0 };       ///< their number
  std::atomic<int> slot_shared{ 0 }; ///< visits of a slot that somebody else was in
  std::atomic<int> most_slot{ 0 };

  void visit()
  {
    raise(most, ++now);
    ++visits;
    if (std::this_thread::get_id() == stranger.load())
    {
      stranger_was_here = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    wait_for_others();
    --now;
  }

  /// Threads that the machine keeps from running come later than a visit takes.
  void wait_for_others() const
  {
    for (int i = 0; i < 100 && most < wanted; ++i)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  /// What the calling thread may use.
  void look_at_cores()
  {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    cores = CPU_COUNT(&allowed);
    first_core = 0;
    while (CPU_ISSET(static_cast<unsigned>(first_core.load()), &allowed) == 0)
    {
      ++first_core;
    }
  }

  void visit_slot(int slot)
  {
    raise(most_slot, slot);
    slot_shared += slots.at(static_cast<std::size_t>(slot))++ == 0 ? 0 : 1;
    visit();
    --slots.at(static_cast<std::size_t>(slot));
  }

  static void raise(std::atomic<int>& most, int value)
  {
    int old = most;
    while (old < value && !most.compare_exchange_weak(old, value))
    {
    }
  }
};

} // namespace rivulet::test
