// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How many threads should read in each of several processes: as many as the storage serves best, less what other
/// programs use of it, shared among the processes (the rule of Shi et al. 2016, figure 8; PatchReader.h).
///
/// How many readers a storage serves best, N*, is what the site's table says (Io/StorageTable.h), or else what was
/// measured: a storage that answers after `latency` seconds and answers so many requests a second has, by Little's law,
/// their product under way. It is measured once a day for each file system, by a probe of some milliseconds
/// (Io/StorageProbe.h), and only for reads that are worth it. A probe finds what others leave of the storage: then they
/// need not be counted.
///
/// Any thread.
#pragma once

#include "Io/StorageTable.h"

#include <cstdint>
#include <string>

namespace rivulet
{

struct ReadingLoad
{
  std::string file;         ///< one of those that are read
  double bytes = 0;         ///< to be read by this process
  std::int64_t request = 0; ///< bytes of one read
  int processes = 1;        ///< that read at the same time
  int most = 1;             ///< threads that there may be
};

struct ThreadChoice
{
  int threads = 1;
  std::string why; ///< for people
};

/// The rule alone: 1 if the others keep the storage busy.
[[nodiscard]] int threads_by_rule(int readers, int others, int processes);

/// `load.most` where nothing is known of the storage, or the site's table cannot be read.
[[nodiscard]] ThreadChoice choose_threads(const ReadingLoad& load);

} // namespace rivulet
