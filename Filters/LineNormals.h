// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The normals that vtkStreamTracer gives its lines, for Tube and Ribbon: a vector that slides along the line with as
/// little turning as possible, turned about the line by the flow's rotation. Each line by itself, so that the result
/// does not depend on which lines stand beside it.
///
/// Pure: no VTK, no state. `points` are x y z; all arrays are parallel.
#pragma once

#include "Base/Box.h"

#include <span>

namespace rivulet
{

/// Sliding normals of one line, before they are turned: perpendicular to the line, carried over each bend by the
/// rotation that takes one segment to the next. All (0, 0, 1) if the line has no length.
void slide_normals(std::span<const float> points, std::span<Vec3> normals);

/// Turns `normal` about `velocity` by `angle` (radians), towards normal x velocity; its length stays.
[[nodiscard]] Vec3 turn_normal(const Vec3& normal, const Vec3& velocity, double angle);

} // namespace rivulet
