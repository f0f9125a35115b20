// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Errors and warnings of VTK, collected instead of printed, so that a message can name the file.
///
///     collect_vtk_messages();                         // once
///     reader->Update();
///     if (VtkMessages said = take_vtk_messages(); !said.error.empty()) ...
///
/// Threads: any that run VTK's readers, one at a time.
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

/// Messages since the last call, each without the place in VTK's sources.
[[nodiscard]] VtkMessages take_vtk_messages();

} // namespace rivulet
