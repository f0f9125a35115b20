// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Mistyped words: which one was probably meant.
///
///     nearest_word("convrt", { "convert", "info" })            // "convert"
///     unknown_command(program, { "frob", "a.rvf" })                // "\"frob\" is not a command; the nearest is
///     \"info\""
#pragma once

#include "CommandLine/CommandLine.h"

#include <string>
#include <vector>

namespace rivulet::command
{

/// The one of `words` that takes the fewest changes of letters; of several, the first.
[[nodiscard]] std::string nearest_word(const std::string& typed, const std::vector<std::string>& words);

/// What is wrong with the command that the arguments begin with, or with the kind that follows it; empty if nothing is.
[[nodiscard]] std::string unknown_command(const cli::Command& program, const std::vector<std::string>& arguments);

} // namespace rivulet::command
