// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds the summaries of all time steps from the path that a user opens: an index file, one summary, or a folder of
/// dumps.
///
///     const std::vector<std::string> paths{ "run/dumps.visit" };
///     Result<DumpIndex> index = find_dumps(paths, built_in_names(), {});
///     index->dumps[3].path, index->dumps[3].time
///
/// Uses libhdf5 for the times: only the thread of the pipeline may call it. Times are in the units of the simulation.
#pragma once

#include "Amr/DumpNames.h"

namespace rivulet
{

/// One time step.
struct DumpStep
{
  std::string path; ///< path of the summary
  double time = 0.0;
  std::int64_t cycle = 0;
};

struct DumpIndex
{
  std::vector<DumpStep> dumps;    ///< sorted by time, then by cycle
  std::vector<std::string> notes; ///< messages about steps that were left out
};

struct DumpSearchOptions
{
  /// Includes dumps beside an index that it does not list. A restarted simulation begins a new index.
  bool all_beside_index = false;
  /// Leaves out the newest step if it is incomplete; see order_steps().
  bool only_complete = false;
};

/// Time steps of index files, summaries, folders, and patterns of their names, in any mixture. A folder is that of one
/// dump, or contains an index or dumps. Steps that cannot be opened are left out with a note, and so are lines of an
/// index that lead out of its folder. Fails with NotFound or CannotRead if no step is left.
[[nodiscard]] Result<DumpIndex> find_dumps(
    std::span<const std::string> paths, std::span<const DumpNames> names, const DumpSearchOptions& options);

/// True if find_dumps() accepts the folder.
[[nodiscard]] bool is_dump_folder(const std::string& path, std::span<const DumpNames> names);

/// True if a line of the file names a summary, which makes the file an index.
[[nodiscard]] bool is_dump_index(const std::string& path, std::span<const DumpNames> names);

} // namespace rivulet
