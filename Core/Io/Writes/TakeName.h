// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Gives a finished file its name in one step: any reader sees either the old file or the new one.
///
///     Result<void> named = take_name(".flow.rvf.tmp-1", "flow.rvf", Existing::Keep);
///
/// No state; any thread.
#pragma once

#include "Base/Result.h"

namespace rivulet
{

/// Treatment of an existing file of that name.
enum class Existing : std::uint8_t
{
  Keep,   ///< it stays and taking the name fails, also if the file appeared only a moment ago
  Replace ///< the new file takes its place
};

/// Ways to take a name without replacing a file. Not every file system has each; the first available one is used.
enum class FirstWay : std::uint8_t
{
  Rename, ///< renameat2 with RENAME_NOREPLACE
  Link,   ///< a second name, then removal of the first
  Claim   ///< an empty file of that name, then its replacement
};

/// Both names lie in one file system. Fails with CannotWrite. `first` is for tests.
[[nodiscard]] Result<void> take_name(
    const std::string& from, const std::string& to, Existing existing, FirstWay first = FirstWay::Rename);

} // namespace rivulet
