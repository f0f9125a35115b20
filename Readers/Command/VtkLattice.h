// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK's files as something to convert from: one file, or one for each step.
///
///     Result<command::Source> source = open_vtk_files(choice);           // choice.paths
///
/// Values go through VTK's readers one piece at a time, also for several threads; packing and writing go on meanwhile.
#pragma once

#include "Command/Source.h"

namespace rivulet
{

/// Looks at every file first: that its grid is that of the first, and that it has the same arrays. Steps are sorted by
/// their times: times of a list, else each file's own (TimeValue), else 0, 1, 2 ... as the files are named.
[[nodiscard]] Result<command::Source> open_vtk_files(const command::SourceChoice& choice);

} // namespace rivulet
