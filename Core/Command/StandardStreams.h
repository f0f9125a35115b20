// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Standard streams of the program: opens missing ones, and checks at the end that the output was written.
///
///     open_standard_streams();                 // first of all
///     code = finish_output(code);              // last of all
#pragma once

#include "Command/ExitCode.h"

namespace rivulet::command
{

/// Opens /dev/null for each closed standard stream. Otherwise a later file would get the stream's number, and with it
/// the printed text.
void open_standard_streams();

/// Flushes the output. If that fails, prints an error and returns Output instead of Ok. A closed pipe
/// (`rivulet info flow.rvf | head -1`) is no failure.
[[nodiscard]] ExitCode finish_output(ExitCode code);

} // namespace rivulet::command
