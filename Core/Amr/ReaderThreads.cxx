// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReaderThreads.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr int kMostThreads = 256;
constexpr int kUnknownStorage = 64; ///< readers of all processes together that most storage bears

std::string in_words(const StorageEntry& entry, int processes)
{
  return "the site's table has " + std::to_string(entry.readers) + (entry.readers == 1 ? " reader" : " readers") +
         ", of which " + std::to_string(entry.others) + " are others" +
         (processes > 1 ? ", for " + std::to_string(processes) + " processes" : "");
}

} // namespace

int threads_by_rule(int readers, int others, int processes)
{
  return others >= readers ? 1 : std::max(1, (readers - others) / std::max(1, processes));
}

ThreadChoice choose_threads(const ReadingLoad& load)
{
  const int usual = std::min(load.most, threads_by_rule(kUnknownStorage, 0, load.processes));
  const Result<std::vector<StorageEntry>> table = read_site_table();
  if (!table)
  {
    return { usual, table.error().describe() };
  }
  if (const std::optional<StorageEntry> entry = entry_for(*table, storage_place_of(load.file)))
  {
    const int threads = threads_by_rule(entry->readers, entry->others, load.processes);
    return { std::min(threads, kMostThreads), in_words(*entry, load.processes) };
  }
  return { usual, "the site's table says nothing of this storage: up to " + std::to_string(usual) +
                      (usual == 1 ? " thread" : " threads") + " while they wait for it" };
}

} // namespace rivulet
