// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Orders files of single time steps, of any format, to a series, and finds files that are still being written.
///
///     DumpIndex index = *order_steps(paths, { read_chombo_time, check_chombo }, {}, true);
///
/// Uses libhdf5 for the times: only the thread of the pipeline may call it.
#pragma once

#include "Amr/DumpIndex.h"

#include <functional>
#include <set>

namespace rivulet
{

/// Functions of a format for one file.
struct StepFormat
{
  std::function<Result<DumpStep>(const std::string& path)> time; ///< reads time and cycle
  std::function<Result<void>(const std::string& path)> check;    ///< fails if the step is incomplete
};

/// Steps of `paths` by time, then by cycle. Of several steps at one time the last in alphabetical order is taken. Steps
/// that cannot be opened are left out; messages about them precede `notes`. With `only_complete` the newest of several
/// steps is left out with a message if it is incomplete. Fails with the error of the first path, or with NotFound and
/// the name `asked`, if no step is left.
[[nodiscard]] Result<DumpIndex> order_steps(const std::set<std::string>& paths, const StepFormat& format,
    std::vector<std::string> notes, bool only_complete, const std::string& asked);

/// Paths with shell patterns (`*`, `?`, `[...]`) replaced by the names that match. The name of an existing file is no
/// pattern. A pattern without matches is kept, so that an error can name it.
[[nodiscard]] std::vector<std::string> expand_patterns(std::span<const std::string> paths);

/// Checks that an HDF5 file exists and, if it is of the old style, has its full length.
[[nodiscard]] Result<void> check_whole_file(const std::string& path);

} // namespace rivulet
