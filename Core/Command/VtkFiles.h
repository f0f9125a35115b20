// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK's own files (.vti, .vtr, .vtk, .pvti, .pvtr, .pvd, .series). librivulet and `rivulet` are without VTK, so
/// another program reads them: rivulet-vtk, a part of the ParaView plugin.
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// The first bytes of a file, at most 4096. Fails as File::open() does.
[[nodiscard]] Result<std::string> head_of(const std::string& path);

/// Decides by the first bytes, not by the name.
[[nodiscard]] bool is_vtk_file(const std::string& path);

/// Replaces this process by that program, with the same arguments. Returns only on failure (Unsupported).
[[nodiscard]] Result<Source> run_vtk_program(const SourceChoice& choice, char** argv);

} // namespace rivulet::command
