// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From what a user opens to the summaries of all time steps: an index file, one summary, or a folder of dumps.
///
///     Result<DumpIndex> index = find_dumps({ "run/dumps.visit" }, built_in_names(), {});
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

/// `paths` are index files, summaries, or folders that hold dumps, in any mixture. A program that was restarted begins
/// its index anew: with `all_beside_index` the dumps that lie beside an index and are not in it are taken, too. Steps
/// that cannot be opened are left out and noted; so are lines of an index that lead out of its folder. Fails with
/// NotFound or CannotRead if nothing is left.
[[nodiscard]] Result<DumpIndex> find_dumps(
    std::span<const std::string> paths, std::span<const DumpNames> names, bool all_beside_index);

/// Whether a file is the index of dumps, by its content: a line of it names a summary.
[[nodiscard]] bool is_dump_index(const std::string& path, std::span<const DumpNames> names);

} // namespace rivulet
