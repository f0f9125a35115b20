// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From what a user opens to the summaries of all time steps: an index file, one summary, or a folder of dumps.
///
///     const std::vector<std::string> paths{ "run/dumps.visit" };
///     Result<DumpIndex> index = find_dumps(paths, built_in_names(), {});
///     index->dumps[3].path, index->dumps[3].time
///
/// Uses the HDF5 library (for the times): call it from the pipeline's thread.
#pragma once

#include "Amr/DumpNames.h"

namespace rivulet
{

/// One time step.
struct DumpStep
{
  std::string path; ///< of its summary
  double time = 0.0;
  std::int64_t cycle = 0;
};

struct DumpIndex
{
  std::vector<DumpStep> dumps;    ///< by time, then cycle
  std::vector<std::string> notes; ///< what was left out, and why
};

struct DumpSearchOptions
{
  /// Also the dumps that lie beside an index and are not in it: a program that was restarted begins its index anew.
  bool all_beside_index = false;
  /// Not the newest step if it is half written; see order_steps().
  bool only_complete = false;
};

/// `paths` are index files, summaries, folders, or patterns for these, in any mixture. A folder is that of one dump, or
/// holds an index, or dumps. Steps that cannot be opened are left out and noted; so are lines of an index that lead out
/// of its folder. Fails with NotFound or CannotRead if nothing is left.
[[nodiscard]] Result<DumpIndex> find_dumps(
    std::span<const std::string> paths, std::span<const DumpNames> names, const DumpSearchOptions& options);

/// Whether a folder is something that find_dumps() takes.
[[nodiscard]] bool is_dump_folder(const std::string& path, std::span<const DumpNames> names);

/// Whether a file is the index of dumps, by its content: a line of it names a summary.
[[nodiscard]] bool is_dump_index(const std::string& path, std::span<const DumpNames> names);

} // namespace rivulet
