// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/StepControl.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace rivulet
{

double inverse_fourth_root(double x)
{
  return 1.0 / std::sqrt(std::sqrt(x));
}

double inverse_fifth_root(double x)
{
  // x = m * 2^(rest + 5 fifth), m in [1/2, 1). From a start within 7.2 % of the root, Newton's iteration for y^-5 = x
  // leaves errors of 2 %, 8e-4, 2e-6, 1e-11 and then only rounding.
  static constexpr std::array<double, 5> starts{ 1.0717734625362931, 0.9330329915368074, 0.8122523963562356,
    0.7071067811865476, 0.6155722066724582 }; // 2^((0.5 - rest) / 5)
  int exponent = 0;
  double scaled = std::frexp(x, &exponent);
  const int rest = (exponent % 5 + 5) % 5;
  const int fifth = (exponent - rest) / 5;
  scaled = std::ldexp(scaled, rest);
  double y = starts[static_cast<std::size_t>(rest)];
  for (int round = 0; round < 5; ++round)
  {
    const double square = y * y;
    y = y * (1.2 - 0.2 * scaled * square * square * y);
  }
  return std::ldexp(y, -fifth);
}

StepVerdict judge_step(double length, double error, double tolerance, const StepBounds& bounds)
{
  if (length <= bounds.minimum || !(tolerance > 0.0))
  {
    return { .accepted = true, .next = length };
  }
  const double ratio = error / tolerance;
  double wanted = bounds.maximum;
  if (ratio > 0.0)
  {
    wanted = 0.9 * length * (ratio > 1.0 ? inverse_fourth_root(ratio) : inverse_fifth_root(ratio));
  }
  if (wanted > bounds.maximum || wanted < bounds.minimum)
  {
    const double bound = wanted > bounds.maximum ? bounds.maximum : bounds.minimum;
    // The same length would give the same step again.
    return bound == length ? StepVerdict{ .accepted = true, .next = length }
                           : StepVerdict{ .accepted = false, .next = bound, .final = true };
  }
  return { .accepted = ratio <= 1.0, .next = wanted };
}

} // namespace rivulet
