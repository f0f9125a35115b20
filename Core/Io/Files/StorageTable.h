// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What those who run a machine know of its storage: how many readers at once serve it best, and how many of them
/// others are on most days. A list in a JSON file, of which the first entry that fits a file counts:
///
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
  int readers = 1; ///< at once, at which the storage gives most
  int others = 0;  ///< of these, that other programs are
};

/// Where a file is.
struct StoragePlace
{
  std::string host;
  std::string mount;
  std::string type;
};

/// Asks the system; what it does not say is empty.
[[nodiscard]] StoragePlace storage_place_of(const std::string& path);

/// Fails with NotFound, CannotRead, or BadArgument naming the entry.
[[nodiscard]] Result<std::vector<StorageEntry>> read_storage_table(const std::string& path);

/// The table of this site: of the file that RIVULET_STORAGE_TABLE names, else of $XDG_CONFIG_HOME/rivulet/storage.json
/// (~/.config/rivulet/storage.json), else of /etc/rivulet/storage.json; no entries where there is none.
[[nodiscard]] Result<std::vector<StorageEntry>> read_site_table();

[[nodiscard]] std::optional<StorageEntry> entry_for(std::span<const StorageEntry> table, const StoragePlace& place);

} // namespace rivulet
