// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Streak and time surfaces of flows in closed form, and their bytes.
#pragma once

#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Core/Trace/SurfaceChecks.h"
#include "Trace/FlowSurface.h"
#include "Trace/FlowSurface/MeshDomain.h"
#include "Trace/FlowSurface/StreakDomain.h"

namespace rivulet::test
{

using SeedCurve = std::vector<Vec3>;

inline SeedCurve straight_curve(const Vec3& from, const Vec3& to, int points)
{
  SeedCurve curve;
  for (int i = 0; i < points; ++i)
  {
    const double share = static_cast<double>(i) / (points - 1);
    curve.push_back({ from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
        from[2] + share * (to[2] - from[2]) });
  }
  return curve;
}

inline std::unique_ptr<const SurfaceDomain> streak(const std::vector<SeedCurve>& curves, const StreakRelease& release)
{
  Result<std::unique_ptr<StreakDomain>> domain = StreakDomain::create(curves, release);
  EXPECT_TRUE(domain.has_value()) << (domain ? "" : domain.error().describe());
  return std::move(*domain);
}

inline SurfaceCriteria edges_up_to(double length)
{
  SurfaceCriteria criteria;
  criteria.largest_edge = length;
  criteria.most_levels = 12;
  return criteria;
}

inline FlowSurface surface_of(FlowInTime& flow, std::unique_ptr<const SurfaceDomain> domain, double time,
    const SurfaceCriteria& criteria, const PathlineOptions& options = timed_steps(Integrator::RungeKutta4, 0.02))
{
  Result<AdvectionContext> context = flow_surface_context(flow.field(), {}, options);
  EXPECT_TRUE(context.has_value());
  Result<FlowSurface> surface = flow_surface(*context, std::move(domain), time, criteria, { 2, {} });
  EXPECT_TRUE(surface.has_value()) << (surface ? "" : surface.error().describe());
  EXPECT_EQ(surface->data_error, nullptr);
  return std::move(*surface);
}

inline double area(const FlowSurface& surface)
{
  return area(surface.points, surface.triangles);
}

/// All that must be the same for any way to the surface.
inline std::string bytes_of(const FlowSurface& surface)
{
  std::string bytes;
  const auto add = [&bytes](const auto& values)
  {
    append(bytes, values.data(), values.size());
  };
  append(bytes, &surface.time, 1);
  add(surface.points);
  add(surface.triangles);
  add(surface.normals);
  add(surface.releases);
  add(surface.release_times);
  add(surface.curve_lengths);
  add(surface.texture);
  for (const std::int64_t count : { surface.statistics.vertices, surface.statistics.lost, surface.statistics.torn })
  {
    append(bytes, &count, 1);
  }
  return bytes;
}

} // namespace rivulet::test
