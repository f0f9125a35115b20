// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The whole program but for one thing, which needs VTK: how VTK's files are opened.
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// What main() returns.
[[nodiscard]] int run_program(int argc, char** argv, const SourceOpener& open_vtk);

} // namespace rivulet::command
