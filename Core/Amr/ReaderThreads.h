// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How many threads may read in each of several processes: as many as the storage serves best, less what other programs
/// use of it, shared among the processes (the rule of Shi et al. 2016, figure 8; PatchReader.h). What the storage
/// serves is what the site's table says (Io/StorageTable.h). Where it says nothing, a number that suits most, and how
/// many of them are at work at one time follows from how long the storage makes them wait (ReadTurns.h): design note
/// 0010 says why it is not measured beforehand.
///
/// Any thread.
#pragma once

#include "Io/StorageTable.h"

#include <string>

namespace rivulet
{

struct ReadingLoad
{
  std::string file;  ///< one of those that are read
  int processes = 1; ///< that read at the same time
  int most = 1;      ///< threads in each, where the table says nothing
};

struct ThreadChoice
{
  int threads = 1;
  std::string why; ///< for people
};

/// The rule alone: 1 if the others keep the storage busy.
[[nodiscard]] int threads_by_rule(int readers, int others, int processes);

/// A table that cannot be read is as good as none, and `why` says so.
[[nodiscard]] ThreadChoice choose_threads(const ReadingLoad& load);

} // namespace rivulet
