// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What VTK says when something is wrong: collected instead of printed, to be told with the file's name.
///
///     collect_vtk_messages();                         // once
///     reader->Update();
///     if (VtkMessages said = take_vtk_messages(); !said.error.empty()) ...
///
/// Threads: those who run VTK's readers, one at a time.
#pragma once

#include <string>
#include <vector>

namespace rivulet
{

struct VtkMessages
{
  std::string error; ///< the first; empty if there is none
  std::vector<std::string> warnings;
};

void collect_vtk_messages();

/// Those since the last call, each without the place in VTK's sources.
[[nodiscard]] VtkMessages take_vtk_messages();

} // namespace rivulet
