// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Error messages about options and arguments, with a pointer to the help.
///
///     describe_usage(program, parsed)    // "--sizee" is no option of `rivulet generate abc`; the nearest is "--size".
///     ...
#pragma once

#include "CommandLine/CommandLine.h"

#include <string>

namespace rivulet::command
{

/// `parsed`: result of program.parse(), Missing or Wrong.
[[nodiscard]] std::string describe_usage(const cli::Program& program, const cli::ParseResult& parsed);

} // namespace rivulet::command
