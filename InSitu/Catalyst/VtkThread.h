// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The thread that VTK takes for the program's main one.
#pragma once

namespace rivulet::insitu
{

/// Makes the calling thread the one on which VTK collects garbage. VTK has the thread for that which has loaded it, and
/// ends the program when a pipeline with composite data is drawn by another (vtkPVGeometryFilter defers collections).
/// Call before each use of pipelines, which must not be under way on another thread.
void use_vtk_on_this_thread();

} // namespace rivulet::insitu
