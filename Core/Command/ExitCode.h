// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What `rivulet` tells the shell. Scripts depend on the numbers: they are documented in
/// Documentation/command-line.md and never change.
#pragma once

#include "Base/Result.h"

namespace rivulet::command
{

enum class ExitCode : int
{
  Ok = 0,
  Usage = 1,   ///< options that make no sense, memory limit below the minimum
  Input = 2,   ///< a file that is not there, cannot be read, or is no field
  Output = 3,  ///< the result cannot be written; disk full
  Corrupt = 4, ///< a field file whose contents do not hold
  Cancelled = 130,
};

[[nodiscard]] ExitCode exit_code_of(const Error& error);

/// The same, of the file at `path` where it names none.
[[nodiscard]] Error concerning(const Error& error, const std::string& path);

/// Prints "rivulet: ..." to the standard error stream and returns the code that goes with it.
ExitCode report(const Error& error);

} // namespace rivulet::command
