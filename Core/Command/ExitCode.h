// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Exit codes of `rivulet`. Scripts depend on the numbers, so they never change. Documentation/command-line.md lists
/// them.
#pragma once

#include "Base/Result.h"

namespace rivulet::command
{

enum class ExitCode : int
{
  Ok = 0,
  Usage = 1,   ///< wrong options, or a memory limit below the minimum
  Input = 2,   ///< a source is missing, cannot be read, or is no field
  Output = 3,  ///< the result cannot be written; disk full
  Corrupt = 4, ///< contents of a field file fail a check
  Cancelled = 130,
};

[[nodiscard]] ExitCode exit_code_of(const Error& error);

/// The same error. An error without a path gets `path`.
[[nodiscard]] Error concerning(const Error& error, const std::string& path);

/// Prints "rivulet: ..." to the standard error stream and returns the exit code of the error.
ExitCode report(const Error& error);

} // namespace rivulet::command
