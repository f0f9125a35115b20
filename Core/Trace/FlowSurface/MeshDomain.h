// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The domain of a time surface: a mesh of triangles, all of whose points are released at one time. The middle of an
/// edge is the middle of the straight line between the two seeds.
#pragma once

#include "Trace/FlowSurface/SurfaceDomain.h"

#include <memory>

namespace rivulet
{

class MeshDomain final : public SurfaceDomain
{
public:
  /// `texture`: coordinates of the points, or empty. Fails with BadArgument for a mesh without triangles, triangles of
  /// points that there are not or that repeat one, and numbers that are not finite.
  [[nodiscard]] static Result<std::unique_ptr<MeshDomain>> create(const std::vector<Vec3>& points,
      const std::vector<std::array<std::int32_t, 3>>& triangles, double time,
      const std::vector<std::array<double, 2>>& texture = {});

  [[nodiscard]] double start() const override { return time_; }
  [[nodiscard]] Result<SurfaceBase> base(double time, std::int64_t most) const override;
  [[nodiscard]] SurfaceSeed middle(
      const SurfaceSeed& a, const SurfaceSeed& b, const std::array<std::int64_t, 2>& ids, double time) const override;

private:
  MeshDomain() = default;

  double time_ = 0.0;
  SurfaceBase base_;
};

} // namespace rivulet
