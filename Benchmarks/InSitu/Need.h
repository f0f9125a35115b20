// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The end of a program that cannot go on: a benchmark without its conditions has no result.
///
///     need(file >= 0, "there is no shared memory");
#pragma once

#include <string>

namespace rivulet::bench
{

/// Ends the program with a message.
[[noreturn]] void stop(const std::string& why);
void need(bool good, const std::string& what);

} // namespace rivulet::bench
