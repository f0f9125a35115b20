// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Errors are values: every Core function that can fail returns a Result, which holds either the requested value or one
/// Error: the failure in words, its place (path, byte offset, errno) and the remedy for the user.
///
///     Result<FieldFile> file = FieldFile::open("flow.rvf");
///     if (!file) return forward_error(file);
///
/// No exception leaves a Core function or a pool thread, save std::bad_alloc.
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>

namespace rivulet
{

/// The kind of a failure: callers branch on it, users read Error::describe().
enum class ErrorCode
{
  NotFound,       ///< no such file, array or step
  CannotRead,     ///< the operating system refused or failed a read (see sys_errno)
  CannotWrite,    ///< the operating system refused or failed a write, disk full included
  NotThisFormat,  ///< the file is something else
  OtherVersion,   ///< our format, written by an older or newer version that this one does not read
  Unfinished,     ///< our format, but its writer never finished
  Corrupt,        ///< our format, but a header, size or checksum does not hold
  Truncated,      ///< the file ends before the data does, or was cut short while open
  BadArgument,    ///< a value of the caller makes no sense
  BudgetTooSmall, ///< the memory budget is below the working minimum
  Unsupported,    ///< meaningful, but not something this build or version can do
  Cancelled,      ///< stopped on request
};

/// One failure. Offsets are bytes from the start of the file; -1 where there is none.
struct Error
{
  ErrorCode code = ErrorCode::BadArgument;
  std::string what;   ///< one sentence without a full stop: "the brick's checksum does not match"
  std::string remedy; ///< advice for the user: "convert the field again"; may be empty
  std::string path;   ///< the file concerned; may be empty
  std::int64_t offset = -1;
  int sys_errno = 0;

  /// "flow.rvf: the brick's checksum does not match (at byte 12288). Convert the field again."
  [[nodiscard]] std::string describe() const;

  Error&& at_path(std::string file) &&
  {
    path = std::move(file);
    return std::move(*this);
  }
  Error&& at_offset(std::int64_t byte) &&
  {
    offset = byte;
    return std::move(*this);
  }
  Error&& with_errno(int number) &&
  {
    sys_errno = number;
    return std::move(*this);
  }
};

/// Either a T or an Error. `Result<void>` is success or an Error.
template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::Corrupt, "...", "convert the field again", path);`
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string remedy = {},
    std::string path = {}, std::int64_t offset = -1, int sys_errno = 0)
{
  return tl::unexpected<Error>(Error{ code, std::move(what), std::move(remedy), std::move(path), offset, sys_errno });
}

/// Passes the error of `result` on: `if (!x) return forward_error(x);`
template <class T>
[[nodiscard]] tl::unexpected<Error> forward_error(Result<T>& result)
{
  return tl::unexpected<Error>(std::move(result.error()));
}

} // namespace rivulet
