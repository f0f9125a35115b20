// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Comparison of the times of steps that two programs, or two runs of one, have computed: equal steps may differ in the
/// last digits.
///
///     if (find_step(store.times(), source.times, step) >= 0) ... the store has this step ...
///
/// No state; any thread. Units of time as in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

/// Two times are the same if they differ by less than this share of the interval to the nearest other step, in either
/// list. Of a single step without others: by less than a few roundings.
inline constexpr double kSameStep = 1e-6;

/// Number of the step of `there` with the time of step `step` of `times`; -1 if there is none. Both increase.
[[nodiscard]] std::int64_t find_step(std::span<const double> there, std::span<const double> times, std::size_t step);

/// Number of the steps that lie before a time. One with the same time is not before it.
[[nodiscard]] std::size_t steps_before(std::span<const double> there, double time);

/// Whether the known times increase.
[[nodiscard]] bool times_increase(const std::vector<std::optional<double>>& times);

/// All times; unknown ones lie evenly between and beyond known ones. At least one is known, and known ones increase.
[[nodiscard]] std::vector<double> times_between(const std::vector<std::optional<double>>& times);

} // namespace rivulet
