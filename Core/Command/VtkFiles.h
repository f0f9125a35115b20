// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK's own files (.vti, .vtr, .vtk, .pvti, .pvtr, .pvd, .series). VTK's readers read them, in a program of its own
/// that comes with the ParaView plugin: librivulet and `rivulet` are without VTK.
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// The first bytes of a file, 4096 at most. Fails with what opening it says.
[[nodiscard]] Result<std::string> head_of(const std::string& path);

/// By its first bytes, whatever its name.
[[nodiscard]] bool is_vtk_file(const std::string& path);

/// Becomes that program, with the same arguments. Returns only where it cannot: Unsupported.
[[nodiscard]] Result<Source> run_vtk_program(const SourceChoice& choice, char** argv);

} // namespace rivulet::command
