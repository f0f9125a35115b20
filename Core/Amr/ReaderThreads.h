// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Number of reader threads of each process: the number that the storage serves best, less the readers of other
/// programs, divided by the processes (Shi et al. 2016, figure 8; see PatchReader.h). The first two numbers come from
/// the table of the site (Io/Files/StorageTable.h). Without an entry there the number is an upper limit that suits most
/// storage, and ReadTurns.h limits the threads that compute at one time. Design note 0010 gives the reason why the
/// storage is not measured.
///
/// Any thread may call any function.
#pragma once

#include "Io/Files/StorageTable.h"

#include <string>

namespace rivulet
{

struct ReadingLoad
{
  std::string file;  ///< path of one of the files to read
  int processes = 1; ///< number of processes that read at the same time
  int most = 1;      ///< threads of each process if the table has no entry
};

struct ThreadChoice
{
  int threads = 1;
  std::string why; ///< reason, for the user
};

/// (readers - others) / processes, and 1 at least.
[[nodiscard]] int threads_by_rule(int readers, int others, int processes);

/// Number for a load. A table that cannot be read counts as empty; ThreadChoice::why reports it.
[[nodiscard]] ThreadChoice choose_threads(const ReadingLoad& load);

} // namespace rivulet
