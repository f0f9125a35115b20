// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Normals of lines for Tube and Ribbon, as vtkStreamTracer makes them: a vector that slides along the line with least
/// turning, turned about the line by the flow's rotation. Lines are independent of each other.
///
/// Pure functions, without VTK; any thread. `points` are x y z in world units; all arrays are parallel.
#pragma once

#include "Base/Box.h"

#include <span>

namespace rivulet
{

/// Sliding normals of one line, before the turn: perpendicular to the line, and rotated at each bend as one segment is
/// rotated into the next. All (0, 0, 1) if the line has no length.
void slide_normals(std::span<const float> points, std::span<Vec3> normals);
void slide_normals(std::span<const double> points, std::span<Vec3> normals);

/// Turns `normal` about `velocity` by `angle` (radians) towards normal x velocity. The length does not change.
[[nodiscard]] Vec3 turn_normal(const Vec3& normal, const Vec3& velocity, double angle);

} // namespace rivulet
