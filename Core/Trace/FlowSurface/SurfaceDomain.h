// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The domain of a flow surface: where and when its particles are released. A vertex of a surface is the particle of a
/// point of the domain; the middle of an edge is a point of the domain, too.
///
/// Threads: one. All functions throw std::bad_alloc.
#pragma once

#include "Base/Result.h"
#include "Trace/FlowSurface/RefineSurface.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rivulet
{

/// A point of a domain.
struct SurfaceSeed
{
  /// Names the point: the same key is the same release, for all times of the surface.
  std::array<std::int64_t, 2> key{ 0, 0 };
  Vec3 point{ 0, 0, 0 };                 ///< of the release, world
  double time = 0.0;                     ///< of the release
  double s = 0.0;                        ///< streak surfaces: length of the seed curve up to the point, world units
  std::array<double, 2> texture{ 0, 0 }; ///< coordinates in the domain; see SurfaceDomain::texture()
  bool lasting = true;                   ///< false: belongs to surfaces of one time only
};

/// The part of a domain that is released up to a time, before refinement.
struct SurfaceBase
{
  std::vector<SurfaceSeed> seeds;
  std::vector<SurfaceCell> cells; ///< of the seeds by index
};

class SurfaceDomain
{
public:
  SurfaceDomain() = default;
  SurfaceDomain(const SurfaceDomain&) = delete;
  SurfaceDomain& operator=(const SurfaceDomain&) = delete;
  virtual ~SurfaceDomain() = default;

  /// Time of the first release.
  [[nodiscard]] virtual double start() const = 0;
  /// The domain at a time; empty if it has no area then. Fails with BadArgument if it has more than `most` seeds.
  [[nodiscard]] virtual Result<SurfaceBase> base(double time, std::int64_t most) const = 0;
  /// The middle of an edge of the surface at a time. `ids` number the seeds `a` and `b` in the same way for all times.
  [[nodiscard]] virtual SurfaceSeed middle(
      const SurfaceSeed& a, const SurfaceSeed& b, const std::array<std::int64_t, 2>& ids, double time) const = 0;
  /// Coordinates of a point on the surface at a time.
  [[nodiscard]] virtual std::array<double, 2> texture(const SurfaceSeed& of, double time) const
  {
    (void)time;
    return of.texture;
  }
  /// The other side of a point on a seam, where the coordinates of the surface begin and end: if the neighbour lies at
  /// that end.
  [[nodiscard]] virtual std::optional<SurfaceSeed> across_seam(
      const SurfaceSeed& of, const SurfaceSeed& neighbour) const
  {
    (void)of;
    (void)neighbour;
    return {};
  }
};

} // namespace rivulet
