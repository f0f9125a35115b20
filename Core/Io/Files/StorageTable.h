// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Table of the storage of a machine, written by its administrators: how many readers at once serve it best, and how
/// many of these other programs usually take. It is a list in a JSON file, of which the first entry that fits a file is
/// used:
///     [ { "host": "login*", "mount": "/scratch*", "type": "lustre", "readers": 96, "others": 32 },
///       { "type": "nfs*", "readers": 8 } ]
///
/// "host" is a pattern for the machine's name, "mount" for the mount point that the file is below, "type" for its kind
/// of file system; each may be left out, `*` and `?` stand for anything. Plain values; any thread.
#pragma once

#include "Base/Result.h"

#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

struct StorageEntry
{
  std::string host = "*";
  std::string mount = "*";
  std::string type = "*";
  int readers = 1; ///< number of readers at once with the highest throughput
  int others = 0;  ///< number of these that other programs usually take
};

/// Place of a file: machine, mount point, kind of file system.
struct StoragePlace
{
  std::string host;
  std::string mount;
  std::string type;
};

/// Asks the system; unknown values are empty.
[[nodiscard]] StoragePlace storage_place_of(const std::string& path);

/// Fails with NotFound, CannotRead, or BadArgument naming the entry.
[[nodiscard]] Result<std::vector<StorageEntry>> read_storage_table(const std::string& path);

/// The table of this site: the file named by RIVULET_STORAGE_TABLE, else $XDG_CONFIG_HOME/rivulet/storage.json
/// (~/.config/rivulet/storage.json), else /etc/rivulet/storage.json. No entries if there is no file.
[[nodiscard]] Result<std::vector<StorageEntry>> read_site_table();

[[nodiscard]] std::optional<StorageEntry> entry_for(std::span<const StorageEntry> table, const StoragePlace& place);

} // namespace rivulet
