// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Surfaces of particles as vtkPolyData.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Input/FlowInput.h"
#include "Trace/FlowSurface.h"
#include "Trace/FlowSurface/PointAttributes.h"

class vtkPolyData;

namespace rivulet
{

/// Fills in triangles, and at the points: arrays of the input, Normals, TextureCoordinates, ReleaseTime, ParticleAge,
/// CurveLength and ReleasePoint. `attributes`: at the surface's points; their values are moved.
void fill_surface(const FlowSurface& surface, PointAttributes& attributes, const FlowInput& flow, vtkPolyData& output);

} // namespace rivulet
