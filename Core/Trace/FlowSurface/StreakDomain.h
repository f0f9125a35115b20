// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The domain of a streak surface: seed curves x release times. At a time T it is the rectangle of all points s of the
/// curves and all times t0 from the start to T.
///
///     Result<std::unique_ptr<StreakDomain>> domain = StreakDomain::create({ { a, b, c } }, { .interval = 0.1 });
///
/// Rows of the base are the multiples of the release interval, counted from the start, and T, unless the last multiple
/// is T but for rounding. Columns are the points of the curves. With a `base_level` below 0 a cell has up to 2^-level
/// rows, aligned to multiples of that number, and as many columns as the shape of the curve allows. Above 0 the
/// interval of the rows is 2^level times shorter, and there are 2^level times as many columns. A coarse base pays where
/// neighbours stay together; where they part its long cells make more vertices than fine ones.
///
/// A curve whose last point is its first one is closed: the surface has no gap there. It has two points for each vertex
/// of this seam, with the lengths and coordinates of either end and one normal.
///
/// Vertices are points of a lattice with 2^32 steps between two points of a curve and between two rows, so that middles
/// are exact, and a point has the same release at all times T. Only the cells between the last multiple of the interval
/// and T depend on T: with T at such a multiple there are none.
#pragma once

#include "Trace/FlowSurface/SurfaceDomain.h"

#include <memory>

namespace rivulet
{

struct StreakRelease
{
  double start = 0.0;
  double interval = 1.0;        ///< positive
  std::int32_t base_level = 0;  ///< -10 to 10
  double curve_tolerance = 0.0; ///< world; largest distance of the curve's points from the edges of the base
};

class StreakDomain final : public SurfaceDomain
{
public:
  /// Polylines. Points that repeat the one before are left out. Fails with BadArgument for a curve without two points,
  /// and numbers that are not finite or make no sense.
  [[nodiscard]] static Result<std::unique_ptr<StreakDomain>> create(
      const std::vector<std::vector<Vec3>>& curves, const StreakRelease& release);

  [[nodiscard]] double start() const override { return release_.start; }
  [[nodiscard]] Result<SurfaceBase> base(double time, std::int64_t most) const override;
  [[nodiscard]] SurfaceSeed middle(
      const SurfaceSeed& a, const SurfaceSeed& b, const std::array<std::int64_t, 2>& ids, double time) const override;
  /// Share of the curve's length, and share of the time since the start; both in [0, 1].
  [[nodiscard]] std::array<double, 2> texture(const SurfaceSeed& of, double time) const override
  {
    return { of.texture[0], (of.time - release_.start) / (time - release_.start) };
  }
  [[nodiscard]] std::optional<SurfaceSeed> across_seam(
      const SurfaceSeed& of, const SurfaceSeed& neighbour) const override;

private:
  struct Curve
  {
    std::size_t first = 0; ///< point
    std::size_t last = 0;
    bool closed = false;
    double length = 0.0;
  };
  /// A place along the curves or along time: a lattice number, and the level of the edge that leads to the next place.
  struct Place
  {
    std::int64_t at = 0;
    std::int32_t level = 0;
  };

  StreakDomain() = default;
  void add_curve(const std::vector<Vec3>& points);
  void add_columns(const Curve& curve, const std::vector<Place>& along, const std::vector<Place>& across, double time,
      SurfaceBase& base) const;
  [[nodiscard]] std::vector<Place> columns(const Curve& curve) const;
  [[nodiscard]] std::vector<Place> rows(double time) const;
  [[nodiscard]] std::size_t step_along(const Curve& curve, std::size_t at) const;
  [[nodiscard]] bool straight(std::size_t first, std::size_t last) const;
  [[nodiscard]] const Curve& curve_with(std::int64_t place) const;
  [[nodiscard]] std::int64_t whole_intervals(double time) const;
  [[nodiscard]] bool ends_with_row(double time, std::int64_t row) const;
  [[nodiscard]] double row_time(std::int64_t number) const;
  [[nodiscard]] SurfaceSeed seed(const std::array<std::int64_t, 2>& at, double time) const;

  StreakRelease release_;             ///< with the interval of the rows
  std::vector<Vec3> points_;          ///< of all curves
  std::vector<double> lengths_;       ///< of the curve up to each point
  std::vector<std::size_t> curve_of_; ///< each point's
  std::vector<Curve> curves_;
};

} // namespace rivulet
