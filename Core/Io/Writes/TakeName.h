// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Gives a finished file its name in one step: whoever looks sees the old file or the new one.
///
///     Result<void> named = take_name(".flow.rvf.tmp-1", "flow.rvf", Existing::Keep);
///
/// No state; any thread.
#pragma once

#include "Base/Result.h"

namespace rivulet
{

/// What becomes of a file that has the name already.
enum class Existing : std::uint8_t
{
  Keep,   ///< it stays, and taking the name fails, also where it came only a moment ago
  Replace ///< the new file takes its place
};

/// How a name is taken without replacing a file. Not every file system knows each way; the first that it knows counts.
enum class FirstWay : std::uint8_t
{
  Rename, ///< renameat2 with RENAME_NOREPLACE
  Link,   ///< a second name, then the first is removed
  Claim   ///< an empty file of that name, which is then replaced
};

/// Both names lie in one file system. Fails with CannotWrite. `first` is for tests.
[[nodiscard]] Result<void> take_name(
    const std::string& from, const std::string& to, Existing existing, FirstWay first = FirstWay::Rename);

} // namespace rivulet
