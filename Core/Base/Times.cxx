// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

constexpr double kLastDigits = 1e-12; ///< of a time

/// Distance between a number and the next one.
double rounding_of(double x)
{
  return std::nextafter(std::fabs(x), std::numeric_limits<double>::infinity()) - std::fabs(x);
}

} // namespace

double time_slack(std::span<const double> times)
{
  static constexpr double kOfInterval = 1e-3;
  static constexpr double kMostOfInterval = 0.25;
  const double largest = std::max(std::fabs(times.front()), std::fabs(times.back()));
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < times.size(); ++i)
  {
    shortest = std::min(shortest, times[i] - times[i - 1]);
  }
  const double of_digits = std::min(kLastDigits * largest, kOfInterval * shortest);
  return std::max(of_digits, std::min(2.0 * rounding_of(largest), kMostOfInterval * shortest));
}

std::int64_t whole_intervals(double start, double end, double interval)
{
  static constexpr double kMostLacking = 0.25;
  const double count = std::fabs(end - start) / interval;
  // The difference of two rounded times is off by the rounding of the larger one.
  const double rounding = rounding_of(std::max(std::fabs(start), std::fabs(end))) / interval;
  return static_cast<std::int64_t>(std::max(count * (1.0 + kLastDigits), count + std::min(rounding, kMostLacking)));
}

std::string format_time(double time)
{
  std::array<char, 32> text{};
  const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), time);
  return { text.data(), end.ptr };
}

} // namespace rivulet
