// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From files that describe one time step each to a series, whatever their format; and which of them are still being
/// written.
///
///     DumpIndex index = *order_steps(paths, { read_chombo_time, check_chombo }, {}, true);
///
/// Uses the HDF5 library (for the times): call it from the pipeline's thread.
#pragma once

#include "Amr/DumpIndex.h"

#include <functional>
#include <set>

namespace rivulet
{

/// What a format knows of one file.
struct StepFormat
{
  std::function<Result<DumpStep>(const std::string& path)> time; ///< and cycle
  std::function<Result<void>(const std::string& path)> check;    ///< whether all that it speaks of is there
};

/// The steps of `paths` by time, then cycle; of several at one time the last in the alphabet. What cannot be opened is
/// left out and noted, in front of `notes`. With `only_complete` the newest step is looked at closely, if there are
/// others: it is left out and noted, too, if it has not been written to its end. Fails with the error of the first
/// path, or NotFound naming `asked`, if nothing is left.
[[nodiscard]] Result<DumpIndex> order_steps(const std::set<std::string>& paths, const StepFormat& format,
    std::vector<std::string> notes, bool only_complete, const std::string& asked);

/// Paths with the patterns among them (`*`, `?`, `[...]`, as a shell has them) replaced by what they stand for. A name
/// that exists is no pattern; a pattern that stands for nothing is kept, for an error to name it.
[[nodiscard]] std::vector<std::string> expand_patterns(std::span<const std::string> paths);

/// That an HDF5 file of the old style is there and as long as it says; of newer styles, that it is there.
[[nodiscard]] Result<void> check_whole_file(const std::string& path);

} // namespace rivulet
