// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReaderThreads.h"

#include "Io/File.h"
#include "Store/MeasureStorage.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

constexpr int kMostThreads = 256;
constexpr double kWorthAProbe = 1024.0 * (1 << 20); ///< bytes to be read: a second on a fast disk

std::string counted(int number, const char* what)
{
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// What is known of the storage, or is found out now.
std::optional<StorageSpeed> speed_of(const ReadingLoad& load)
{
  const std::optional<StorageDevice> device = device_of(load.file);
  if (!device)
  {
    return std::nullopt;
  }
  if (std::optional<StorageSpeed> known = KnownStorage::process().find(*device, load.request))
  {
    return known;
  }
  const Result<File> file = File::open(load.file, File::Mode::Read);
  const std::int64_t size = file ? file->size().value_or(0) : 0;
  if (load.bytes < kWorthAProbe || size == 0)
  {
    return std::nullopt;
  }
  return measure_storage({ .path = load.file, .begin = 0, .end = size, .request = load.request }, {}, true).speed;
}

} // namespace

int threads_by_rule(int readers, int others, int processes)
{
  return others >= readers ? 1 : std::max(1, (readers - others) / std::max(1, processes));
}

ThreadChoice choose_threads(const ReadingLoad& load)
{
  const Result<std::vector<StorageEntry>> table = read_site_table();
  if (!table)
  {
    return { load.most, table.error().describe() };
  }
  const std::string shared = load.processes > 1 ? ", for " + std::to_string(load.processes) + " processes" : "";
  if (const std::optional<StorageEntry> entry = entry_for(*table, storage_place_of(load.file)))
  {
    const int threads = std::min(threads_by_rule(entry->readers, entry->others, load.processes), kMostThreads);
    return { threads, "the site's table has " + counted(entry->readers, "reader") + ", of which " +
                          std::to_string(entry->others) + " are others" + shared };
  }
  if (const std::optional<StorageSpeed> speed = speed_of(load))
  {
    const double under_way = speed->latency * speed->requests_per_second;
    const int readers = static_cast<int>(std::clamp(std::ceil(under_way), 1.0, 1e6));
    return { std::min(threads_by_rule(readers, 0, load.processes), load.most),
      "the storage was measured to serve " + counted(static_cast<int>(std::lround(under_way)), "request") + " at once" +
          shared };
  }
  return { load.most, "nothing is known of the storage" };
}

} // namespace rivulet
