// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Gives a finished file its name in one step: any reader sees either the old file or the new one.
///
///     Result<void> named = publish_file(".flow.rvf.tmp-1", "flow.rvf", OnExisting::Keep);
///
/// Likewise for two names at a time: the finished folder gets the name of the old one, and the old one gets its name.
///
///     Result<void> replaced = exchange_names(".flow.rvs.tmp-1", "flow.rvs", ".flow.rvs.old-1");
///
/// No state; any thread.
#pragma once

#include "Base/Result.h"

namespace rivulet
{

/// Treatment of an existing file of that name.
enum class OnExisting : std::uint8_t
{
  Keep,   ///< it stays and taking the name fails, also if the file appeared only a moment ago
  Replace ///< the new file takes its place
};

/// Ways to take a name without replacing a file. Not every file system has each; the first available one is used.
enum class NamePolicy : std::uint8_t
{
  Rename, ///< renameat2 with RENAME_NOREPLACE
  Link,   ///< a second name, then removal of the first
  Claim   ///< an empty file of that name, then its replacement
};

/// Both names lie in one file system. Fails with CannotWrite. `first` is for tests.
[[nodiscard]] Result<void> publish_file(
    const std::string& from, const std::string& to, OnExisting existing, NamePolicy first = NamePolicy::Rename);

/// Ways to exchange two names.
enum class ExchangeWay : std::uint8_t
{
  AtOnce, ///< renameat2 with RENAME_EXCHANGE; where the file system lacks it, the other way
  InTurn  ///< three renames
};

/// All names lie in one folder. In turn, the old folder is called `aside` for a moment, in which nothing has the name
/// `to`; after a kill in that moment the caller must give it back. Where nothing has the name `to`, `from` gets it.
/// Fails with CannotWrite, and then both have their names. `way` is for tests.
[[nodiscard]] Result<void> exchange_names(
    const std::string& from, const std::string& to, const std::string& aside, ExchangeWay way = ExchangeWay::AtOnce);

} // namespace rivulet
