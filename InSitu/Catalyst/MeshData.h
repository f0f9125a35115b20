// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells of any shape as a VTK dataset, with all values in place.
///
/// Valid as long as the simulation's values are, that is until execute() returns. Threads: any.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkSmartPointer.h"
#include "vtkUnstructuredGrid.h"

namespace rivulet::insitu
{

/// Ghost cells are marked as duplicates in vtkGhostType.
[[nodiscard]] vtkSmartPointer<vtkUnstructuredGrid> mesh_data(const rivulet_mesh& mesh);

} // namespace rivulet::insitu
