// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times in messages.
///
///     "the time " + text_of_time(0.1 + 0.2)        // "the time 0.30000000000000004"
///
/// No state; any thread.
#pragma once

#include <string>

namespace rivulet
{

/// A time with the fewest digits that tell it from all others: "0.6", "1700000000.25".
[[nodiscard]] std::string text_of_time(double time);

} // namespace rivulet
