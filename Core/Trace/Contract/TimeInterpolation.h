// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Velocities and arrays between the time steps of a field: which time steps an interval needs, and with which weights.
///
/// Linear: the line through the two time steps of the interval.
///
/// Cubic: with h the duration of the interval between steps 1 and 2, s the share of it that has gone, and v[0, 1, 2]
/// the second divided difference of steps 0, 1 and 2,
///
///     v(s) = (1 - s) v1 + s v2 + s (1 - s) ((1 - s) A + s B),   A = -h^2 v[0, 1, 2],   B = -h^2 v[1, 2, 3]
///
/// The first two terms with s (1 - s) A are the parabola through steps 0, 1 and 2; with s (1 - s) B, through steps 1, 2
/// and 3. The sum goes from the first parabola to the second as s grows: this is Overhauser's parabolic blending
/// (Brewer, Anderson, "Visual interaction with Overhauser curves and surfaces", SIGGRAPH 1977, for unequal spacing),
/// the cubic with the values of both steps and the slopes of both parabolas there ("piecewise cubic Bessel
/// interpolation" in de Boor, "A Practical Guide to Splines", chapter IV). Values and slopes are continuous at the
/// steps. In the first and the last interval of a field there is one parabola, and v(s) is that parabola; in a field of
/// two steps there is none, and v(s) is the line. A field that is quadratic in time is reproduced.
///
/// At s = 0 and s = 1 the weights of the steps are exactly 0 and 1.
#pragma once

#include "Trace/Contract/IntervalRange.h"
#include "Trace/Contract/TraceOptions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace rivulet
{

/// Time steps `first` to `last` of a field.
struct StepRange
{
  std::int32_t first = 0;
  std::int32_t last = 0;

  [[nodiscard]] std::int32_t count() const { return last - first + 1; }
  [[nodiscard]] bool has(std::int32_t step) const { return step >= first && step <= last; }
  [[nodiscard]] bool operator==(const StepRange&) const = default;
};

/// A moment between two time steps of a field: the share of their interval that has gone. At the time of a step the
/// interval before and the one after say the same. Has no meaning in steady flow, nor for meshes that do not move.
struct Moment
{
  std::int32_t interval = 0;
  double share = 0.0;
};

/// The time from which the kernel counts within an interval. At times that are large in comparison, as seconds since
/// 1970 are, it is the interval's begin: else the clock of a particle would be rounded and its steps would not. Nearer
/// to 0, where rounding is less than 1e-9 of a hundredth of the interval, it is 0.
[[nodiscard]] inline double clock_origin(double begin, double end)
{
  constexpr double kFar = 65536.0;
  return std::max(std::fabs(begin), std::fabs(end)) > kFar * (end - begin) ? begin : 0.0;
}

/// The most time steps that an interval needs.
inline constexpr std::int32_t kMostSteps = 4;

/// Number of time steps on either side of an interval that it needs beside its own.
[[nodiscard]] inline std::int32_t steps_beyond(TimeInterpolation rule)
{
  return rule == TimeInterpolation::Cubic ? 1 : 0;
}

/// The time steps that some intervals need, in a field of `steps` time steps.
[[nodiscard]] inline StepRange steps_for(TimeInterpolation rule, const IntervalRange& intervals, std::size_t steps)
{
  const std::int32_t beyond = steps_beyond(rule);
  return { std::max(intervals.first - beyond, 0),
    std::min(intervals.last + 1 + beyond, static_cast<std::int32_t>(steps) - 1) };
}

/// Whether all steps that an interval needs are there. `steps`: one pointer for each step, nullptr where it is missing.
template <class Steps>
[[nodiscard]] bool holds_all_steps(TimeInterpolation rule, std::int32_t interval, const Steps& steps)
{
  const StepRange needed = steps_for(rule, { interval, interval }, steps.size());
  const auto first = steps.begin() + needed.first;
  return std::find(first, first + needed.count(), nullptr) == first + needed.count();
}

/// Weights of the time steps about one interval, which lies between steps 1 and 2.
struct CubicWeights
{
  bool has_before = false;                 ///< whether there is a step 0
  bool has_after = false;                  ///< whether there is a step 3
  std::array<double, 3> before{ 0, 0, 0 }; ///< A = before[0] v0 + before[1] v1 + before[2] v2
  std::array<double, 3> after{ 0, 0, 0 };  ///< B = after[0] v1 + after[1] v2 + after[2] v3

  /// `times`: times of the field's steps.
  [[nodiscard]] static CubicWeights make(std::span<const double> times, std::int32_t interval)
  {
    const auto i = static_cast<std::size_t>(interval);
    const double h = times[i + 1] - times[i];
    // The weight in the middle makes the sum of all three 0, as for a constant.
    const auto difference = [h](double outer)
    {
      const double near = h / (outer + h);
      return std::array{ near * (h / outer), near };
    };
    CubicWeights weights;
    weights.has_before = i > 0;
    weights.has_after = i + 2 < times.size();
    if (weights.has_before)
    {
      const auto [far, near] = difference(times[i] - times[i - 1]);
      weights.before = { -far, far + near, -near };
    }
    if (weights.has_after)
    {
      const auto [far, near] = difference(times[i + 2] - times[i + 1]);
      weights.after = { -near, far + near, -far };
    }
    return weights;
  }

  /// Weights of A and B when the share `s` of the interval has gone.
  [[nodiscard]] std::array<double, 2> of_parabolas(double s) const
  {
    const double left = 1.0 - s;
    const double hump = s * left;
    const bool both = has_before && has_after;
    return { both ? hump * left : has_before ? hump : 0.0, both ? hump * s : has_after ? hump : 0.0 };
  }
  /// Weights of steps 0 to 3 when the share `s` of the interval has gone. The kernel does the same operations
  /// (Advector-inl.h).
  [[nodiscard]] std::array<double, 4> at(double s) const
  {
    const double left = 1.0 - s;
    const auto [of_before, of_after] = of_parabolas(s);
    return { before[0] * of_before, std::fma(before[1], of_before, std::fma(after[0], of_after, left)),
      std::fma(before[2], of_before, std::fma(after[1], of_after, s)), after[2] * of_after };
  }
};

} // namespace rivulet
