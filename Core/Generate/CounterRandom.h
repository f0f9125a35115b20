// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Counter-based random numbers: the n-th number of a seed is a function of (seed, n). It is the same on every machine,
/// in any order and from any thread. The distributions of the standard library guarantee neither.
///
///     CounterRandom random(seed);
///     auto [u, v] = random.uniform_pair(n); // both in [0, 1)
///
/// Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace rivulet
{

using Words4 = std::array<std::uint32_t, 4>;

/// Ten rounds of Philox on a 128-bit counter with a 64-bit key.
[[nodiscard]] Words4 philox4x32(const Words4& counter, std::array<std::uint32_t, 2> key);

class CounterRandom
{
public:
  explicit CounterRandom(std::uint64_t seed)
    : key_{ static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) }
  {
  }

  /// Two independent numbers for each n, in [0, 1) in steps of 2^-53.
  [[nodiscard]] std::array<double, 2> uniform_pair(std::uint64_t draw) const;

private:
  std::array<std::uint32_t, 2> key_;
};

} // namespace rivulet
