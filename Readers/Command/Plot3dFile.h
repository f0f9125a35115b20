// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A solution file of PLOT3D (Q) with its grid file (XYZ), through VTK's own reader: density, momentum, stagnation
/// energy, velocity and pressure at the nodes of one zone, what IBLANK hides, and the solution's time.
///
///     Result<std::unique_ptr<VtkFileReader>> file = open_plot3d({ .path = "wing.xyz", .zone = 2 }, "wing-0100.q");
///
/// Binary files of either byte order and precision, with or without record marks, are told apart (Plot3dShape.h). VTK
/// holds all zones in memory. Without VTK's module (IOParallel) every file is refused by name.
#pragma once

#include "Command/Source.h"
#include "Readers/Command/VtkFileReader.h"

namespace rivulet
{

/// Fails with NotFound if a file is not there, CannotRead for text files, Unsupported for several zones of which none
/// is chosen, and BudgetTooSmall as VtkFileReader::open().
[[nodiscard]] Result<std::unique_ptr<VtkFileReader>> open_plot3d(
    const command::Plot3dGrid& grid, const std::string& solution);

} // namespace rivulet
