// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The program's standard streams: that they are there, and that what was printed has arrived.
///
///     open_standard_streams();                 // first of all
///     code = finish_output(code);              // last of all
#pragma once

#include "Command/ExitCode.h"

namespace rivulet::command
{

/// A stream that is closed gets a descriptor that takes nothing: a file that is opened would get its number, and what
/// is printed with it.
void open_standard_streams();

/// Brings out what was printed. Where that fails, says so and returns Output instead of Ok. A reader that wants no more
/// (`rivulet info flow.rvf | head -1`) is no failure.
[[nodiscard]] ExitCode finish_output(ExitCode code);

} // namespace rivulet::command
