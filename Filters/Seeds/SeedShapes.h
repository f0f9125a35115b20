// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Curves and triangles of a seed dataset, on which surfaces begin.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"

#include <array>
#include <cstdint>
#include <vector>

class vtkDataSet;

namespace rivulet
{

/// Polylines and lines of a dataset. A line of two points goes on with the line before where it begins at its end. If
/// there are none, all points in their order are one curve. Fails with BadArgument if there are fewer than two points.
[[nodiscard]] Result<std::vector<std::vector<Vec3>>> curves_of(vtkDataSet& seeds);

/// Length of all curves together.
[[nodiscard]] double length_of(const std::vector<std::vector<Vec3>>& curves);

/// Curves of the same shape whose straight parts have points as far apart as `spacing`, at most.
[[nodiscard]] std::vector<std::vector<Vec3>> respaced(const std::vector<std::vector<Vec3>>& curves, double spacing);

struct SeedMesh
{
  std::vector<Vec3> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

/// Cells of two dimensions, cut into triangles. Fails with BadArgument if there are none.
[[nodiscard]] Result<SeedMesh> triangles_of(vtkDataSet& seeds);

} // namespace rivulet
