// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where particles cross surfaces. A surface is where a function of the place changes its sign; a step over it is taken
/// again, shorter, until it ends on the far side within rounding, so that the crossing is a point of the path like any
/// other, as exact as the integrator. A surface that is crossed twice within one step is not seen.
///
///     CrossingLog log(surfaces);                 // one for each worker
///     std::vector<Surface> surfaces{ plane({ 0, 0, 1 }, { 0, 0, 1 }), box({ { 0, 0, 0 } }, { 1, 1, 1 }) };
#pragma once

#include "Trace/Mesh/StructuredMesh.h"

#include <functional>
#include <limits>
#include <vector>

namespace rivulet
{

struct Surface
{
  /// Positive on one side, negative or 0 on the other; called with a world position and the same as a cell's. Best
  /// continuous, as distances are: a label's 1 and -1 take more tries. Called by several threads at once.
  std::function<double(const Vec3&, const CellPosition&)> side;
  bool ends = false; ///< particles that cross it end there (Termination::Crossed)
};

/// Positive where the normal points to.
[[nodiscard]] Surface plane(const Vec3& point, const Vec3& normal);
/// Positive outside.
[[nodiscard]] Surface box(const Vec3& lower, const Vec3& upper);
/// Positive in cells whose label is another. `labels`: one for each cell of the (coarsest) mesh, which has so many
/// cells along each axis; must outlive the surface.
[[nodiscard]] Surface border_of_label(const std::int32_t* labels, const Int3& cells, std::int32_t label);

struct Crossing
{
  std::int64_t id = 0; ///< of the particle's release
  std::int32_t surface = 0;
  bool to_positive = false; ///< the side that the particle went to
  Vec3 point{ 0, 0, 0 };    ///< world
  double time = 0.0;        ///< as EndState::time
  double length = 0.0;      ///< of the path so far
};

/// The crossings of one worker's particles.
class CrossingLog
{
public:
  static constexpr std::size_t kMostSurfaces = 32;

  /// `surfaces`: at most kMostSurfaces; must outlive this.
  explicit CrossingLog(const std::vector<Surface>& surfaces)
    : surfaces_(surfaces)
  {
  }

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  [[nodiscard]] std::vector<Crossing>& crossings() { return crossings_; }
  /// Whether so many particles can each cross all surfaces. False where the system has no memory for that.
  [[nodiscard]] bool make_room(std::size_t particles);

  /// The sides of all surfaces that a place is on: bit s is set on the positive side of surface s.
  [[nodiscard]] std::uint32_t sides_of(const Vec3& world, const CellPosition& at) const;

private:
  const std::vector<Surface>& surfaces_;
  std::vector<Crossing> crossings_;
};

/// The search for the first crossing within a step: of lengths between one that crosses nothing and one that crosses
/// something, by the Illinois variant of regula falsi, with a bisection now and then (M. Dowell, P. Jarratt, BIT 11
/// (1971) 168-174).
class CrossingSearch
{
public:
  [[nodiscard]] bool active() const { return active_; }
  /// Something lies between a step of 0 and one of `high`. The values: of the surface crossed, at both.
  void begin(double high, double value_at_0, double value_at_high);
  /// What came of the step tried. `value`: of the surface that is crossed at the long end; not a number if that is
  /// another one than before.
  void narrow(double step, bool crosses, double value);
  /// Whether the two ends are the same within rounding.
  [[nodiscard]] bool converged() const;
  /// The step to try next: the long end, once converged.
  [[nodiscard]] double next() const;
  void end() { active_ = false; }

private:
  bool active_ = false;
  bool low_moved_ = false;
  std::int32_t tries_ = 0;
  double low_ = 0.0;
  double high_ = 0.0;
  double width_ = 0.0; ///< in the beginning
  double value_low_ = 0.0;
  double value_high_ = 0.0;
};

} // namespace rivulet
