// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The triangles of a refined surface with their points alone, and normals.
#pragma once

#include "Trace/FlowSurface/RefineSurface.h"

namespace rivulet
{

struct ShapedSurface
{
  std::vector<std::int32_t> vertices; ///< of the refinement, increasing: one for each point
  std::vector<Vec3> points;
  std::vector<Vec3> normals; ///< unit; means of the triangles' normals, weighted by area. 0 where these cancel
  std::vector<RefineSurface::Triangle> triangles; ///< of points
  std::int64_t lost = 0;                          ///< number of vertices without an image
};

/// Throws std::bad_alloc.
[[nodiscard]] ShapedSurface shape_surface(const RefineSurface& refined);

} // namespace rivulet
