// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Latency of a storage, from the times of the latest reads. It is the time that a tenth of them did not exceed: reads
/// that waited behind others say nothing about the storage.
///
///     ReadTimes times;
///     times.add(0.0051);
///     if (times.latency() >= 0) ...
///
/// Threads: one adds; any asks. Seconds.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace rivulet
{

class ReadTimes
{
public:
  static constexpr std::size_t kLatest = 64;
  static constexpr std::size_t kFirst = 4;  ///< reads before their times say something
  static constexpr std::size_t kEvery = 16; ///< reads between two looks at them

  void add(double seconds);
  /// Number of reads so far. The thread that adds asks.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Forgets all.
  void reset();
  /// Negative: not known yet.
  [[nodiscard]] double latency() const { return latency_.load(std::memory_order_relaxed); }

private:
  std::array<double, kLatest> latest_{};
  std::size_t count_ = 0;
  std::atomic<double> latency_{ -1.0 };
};

} // namespace rivulet
