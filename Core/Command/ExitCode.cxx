// SPDX-License-Identifier: BSD-3-Clause
#include "Command/ExitCode.h"

#include <cstdio>

namespace rivulet::command
{

ExitCode exit_code_of(const Error& error)
{
  switch (error.code)
  {
  case ErrorCode::NotFound:
  case ErrorCode::CannotRead:
  case ErrorCode::NotThisFormat:
  case ErrorCode::OtherVersion:
  case ErrorCode::Unfinished:
  case ErrorCode::Unsupported:
    return ExitCode::Input;
  case ErrorCode::CannotWrite:
    return ExitCode::Output;
  case ErrorCode::Corrupt:
  case ErrorCode::Truncated:
    return ExitCode::Corrupt;
  case ErrorCode::BadArgument:
  case ErrorCode::BudgetTooSmall:
    return ExitCode::Usage;
  case ErrorCode::Cancelled:
    return ExitCode::Cancelled;
  }
  return ExitCode::Usage;
}

Error concerning(const Error& error, const std::string& path)
{
  return error.path.empty() ? Error(error).at_path(path) : error;
}

ExitCode report(const Error& error)
{
  std::fprintf(stderr, "rivulet: %s\n", error.describe().c_str());
  return exit_code_of(error);
}

} // namespace rivulet::command
