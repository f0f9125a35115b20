// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Suggestions for mistyped words.
///
///     nearest_word("convrt", { "convert", "info" })     // "convert"
///     unknown_command(program, { "frob", "a.rvf" })     // "frob" is no command; the nearest is "info"
#pragma once

#include "CommandLine/CommandLine.h"

#include <string>
#include <vector>

namespace rivulet::command
{

/// The word with the smallest edit distance from `typed`; the first of several.
[[nodiscard]] std::string nearest_word(const std::string& typed, const std::vector<std::string>& words);

/// Message about an unknown command at the front of the arguments, or an unknown kind behind it. Empty if both are
/// known.
[[nodiscard]] std::string unknown_command(const cli::Command& program, const std::vector<std::string>& arguments);

} // namespace rivulet::command
