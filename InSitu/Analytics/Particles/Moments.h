// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Mean, variance and range of numbers, in blocks that can be done in parallel.
///
///     Moments all;
///     for each block, in order:  all = merge(all, moments_of(column, begin, end));
///
/// Every block is summed in lanes of fixed places, and blocks are merged in order: the bits of the result depend on
/// the values and their order, and not on the threads. Sets that are spread over other ranks are cut elsewhere, so
/// there the last bits of mean and variance differ.
///
/// Merging: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
#pragma once

#include "Plugin/Particles.h"

#include <limits>

namespace rivulet
{

struct Moments
{
  std::int64_t count = 0;      ///< of finite values; -1: a rank has failed
  std::int64_t not_finite = 0; ///< left out
  double mean = 0.0;
  double deviations = 0.0; ///< sum of squares of value - mean
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  [[nodiscard]] static Moments failed()
  {
    Moments none;
    none.count = -1;
    return none;
  }
  /// Of the whole population, not an estimate from a sample; NaN without values.
  [[nodiscard]] double standard_deviation() const;
};

/// Values in a block: 32 KiB of them, which stay in a first-level cache between the two passes.
constexpr std::int64_t kBlock = 4096;

/// Of the values [begin, end), a block at most.
[[nodiscard]] Moments moments_of(const Column& column, std::int64_t begin, std::int64_t end);

/// Of the values of both; failed() if one is.
[[nodiscard]] Moments merge(const Moments& a, const Moments& b);

} // namespace rivulet
