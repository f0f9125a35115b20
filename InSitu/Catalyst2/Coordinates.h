// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Coordinates of a coordset of Mesh Blueprint. Axes are x, y and z, of which the last ones may be missing. Others,
/// such as r and z of a cylinder, are refused by name.
#pragma once

#include "Values.h"

namespace rivulet::catalyst2
{

/// The leaves of values/x, values/y and values/z: one to three.
[[nodiscard]] Result<std::vector<Place>> axes_of(const Place& coordset);

/// Coordinates of points, as float32 or float64.
[[nodiscard]] Result<Values> points_of(const Place& coordset);

} // namespace rivulet::catalyst2
