// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/MeshDomain.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

Result<std::unique_ptr<MeshDomain>> MeshDomain::create(const std::vector<Vec3>& points,
    const std::vector<std::array<std::int32_t, 3>>& triangles, double time,
    const std::vector<std::array<double, 2>>& texture)
{
  std::unique_ptr<MeshDomain> domain(new MeshDomain());
  domain->time_ = time;
  bool finite = std::isfinite(time);
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    finite = finite && std::all_of(points[i].begin(), points[i].end(), [](double x) { return std::isfinite(x); });
    domain->base_.seeds.push_back({ .key = { -1, static_cast<std::int64_t>(i) },
        .point = points[i],
        .time = time,
        .texture = i < texture.size() ? texture[i] : std::array<double, 2>{ 0, 0 } });
  }
  if (!finite)
  {
    return fail(ErrorCode::BadArgument, "a point of the seed mesh, or its release time, is not a number");
  }
  const auto count = static_cast<std::int32_t>(points.size());
  for (const auto& [a, b, c] : triangles)
  {
    if (std::min({ a, b, c }) < 0 || std::max({ a, b, c }) >= count || a == b || b == c || c == a)
    {
      return fail(ErrorCode::BadArgument,
          "triangle " + std::to_string(domain->base_.cells.size()) + " of the seed mesh does not have three points",
          "clean the mesh");
    }
    domain->base_.cells.push_back({ { a, b, c, -1 } });
  }
  if (triangles.empty())
  {
    return fail(ErrorCode::BadArgument, "the seed mesh has no triangles", "triangulate the surface to be released");
  }
  return domain;
}

Result<SurfaceBase> MeshDomain::base(double time, std::int64_t most) const
{
  if (static_cast<std::int64_t>(base_.seeds.size()) > most)
  {
    return fail(ErrorCode::BadArgument, "the seed mesh has more points than the surface may have vertices",
        "allow more than " + std::to_string(most) + " vertices, or give a coarser mesh");
  }
  return time >= time_ ? base_ : SurfaceBase{};
}

SurfaceSeed MeshDomain::middle(
    const SurfaceSeed& a, const SurfaceSeed& b, const std::array<std::int64_t, 2>& ids, double) const
{
  SurfaceSeed made;
  made.key = { std::min(ids[0], ids[1]), std::max(ids[0], ids[1]) };
  made.time = time_;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    made.point[axis] = 0.5 * (a.point[axis] + b.point[axis]);
  }
  made.texture = { 0.5 * (a.texture[0] + b.texture[0]), 0.5 * (a.texture[1] + b.texture[1]) };
  return made;
}

} // namespace rivulet
