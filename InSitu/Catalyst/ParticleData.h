// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles of this rank as vtkPolyData with one vertex for each. Point arrays: "id", "type", "velocity" where the
/// simulation has them, and its further arrays in place. Positions and velocities are copied, since VTK keeps x, y and
/// z together.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

namespace rivulet::insitu
{

[[nodiscard]] vtkSmartPointer<vtkPolyData> particle_data(const rivulet_particles& particles);

} // namespace rivulet::insitu
