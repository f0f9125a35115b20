// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The whole program except the opening of VTK's files, which needs VTK.
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// Runs the program. Returns the exit code for main().
[[nodiscard]] int run_program(int argc, char** argv, const SourceOpener& open_vtk);

} // namespace rivulet::command
