// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times of a field's steps: when two of them are the same, and how messages name them.
///
///     if (std::fabs(asked - times[i]) <= time_slack(times)) ...           // the time of step i
///     fail(..., "the input has no time " + format_time(asked));           // "1700000000.001"
///
/// Times may be seconds since 1970 with steps of milliseconds. So tolerances are shares of the intervals between steps.
///
/// Threads: any. Units: the field's.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rivulet
{

/// Distance within which two times are the same: times pass through text and sums, which change their last digits.
/// `times`: increasing, at least one. At most a quarter of the shortest interval between them.
[[nodiscard]] double time_slack(std::span<const double> times);

/// Number of whole intervals between two times. One that lacks no more than the rounding of the times is whole.
/// `interval` is above 0, and the number must fit.
[[nodiscard]] std::int64_t whole_intervals(double start, double end, double interval);

/// As many digits as tell a time from all others: "0.3", "1700000000.001".
[[nodiscard]] std::string format_time(double time);

} // namespace rivulet
