// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/Moments.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rivulet
{

namespace
{

/// Sums that the compiler keeps in vector registers.
constexpr std::int64_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sum_of(const Lanes& lanes)
{
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

bool is_finite(double value)
{
  return std::abs(value) < kInfinity;
}

/// Calls add(lane, value) for all values, the lanes in turn.
template <class T, class Add>
void for_lanes(const T* values, std::int64_t stride, std::int64_t begin, std::int64_t end, const Add& add)
{
  std::int64_t at = begin;
  for (; at + kLanes <= end; at += kLanes)
  {
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
    {
      add(static_cast<std::size_t>(lane), static_cast<double>(values[(at + lane) * stride]));
    }
  }
  for (std::int64_t lane = 0; at + lane < end; ++lane)
  {
    add(static_cast<std::size_t>(lane), static_cast<double>(values[(at + lane) * stride]));
  }
}

template <class T>
Moments block_of(const T* values, std::int64_t stride, std::int64_t begin, std::int64_t end)
{
  Lanes counts{};
  Lanes sums{};
  Lanes least;
  Lanes most;
  least.fill(kInfinity);
  most.fill(-kInfinity);
  for_lanes(values, stride, begin, end,
      [&](std::size_t lane, double value)
      {
        const bool finite = is_finite(value);
        counts[lane] += finite ? 1.0 : 0.0;
        sums[lane] += finite ? value : 0.0;
        least[lane] = finite && value < least[lane] ? value : least[lane];
        most[lane] = finite && value > most[lane] ? value : most[lane];
      });
  Moments block;
  block.count = static_cast<std::int64_t>(sum_of(counts));
  block.not_finite = end - begin - block.count;
  if (block.count == 0)
  {
    return block;
  }
  block.mean = sum_of(sums) / static_cast<double>(block.count);
  block.least = *std::min_element(least.begin(), least.end());
  block.most = *std::max_element(most.begin(), most.end());
  Lanes squares{};
  for_lanes(values, stride, begin, end,
      [&](std::size_t lane, double value)
      {
        const double off = is_finite(value) ? value - block.mean : 0.0;
        squares[lane] += off * off;
      });
  block.deviations = sum_of(squares);
  return block;
}

} // namespace

double Moments::standard_deviation() const
{
  return std::sqrt(deviations / static_cast<double>(count));
}

Moments moments_of(const Column& column, std::int64_t begin, std::int64_t end)
{
  Moments block;
  visit(column,
      [&](const auto* values, std::int64_t stride)
      {
        // A constant stride lets the compiler load whole vectors.
        block = stride == 1 ? block_of(values, 1, begin, end) : block_of(values, stride, begin, end);
      });
  return block;
}

Moments merge(const Moments& a, const Moments& b)
{
  if (a.count < 0 || b.count < 0)
  {
    return Moments::failed();
  }
  Moments both = a.count == 0 ? b : a;
  both.count = a.count + b.count;
  both.not_finite = a.not_finite + b.not_finite;
  both.least = std::min(a.least, b.least);
  both.most = std::max(a.most, b.most);
  if (a.count > 0 && b.count > 0)
  {
    const double share = static_cast<double>(b.count) / static_cast<double>(both.count);
    const double off = b.mean - a.mean;
    both.mean = a.mean + off * share;
    both.deviations = a.deviations + b.deviations + off * off * share * static_cast<double>(a.count);
  }
  return both;
}

} // namespace rivulet
