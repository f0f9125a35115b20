// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Crossings of particles through surfaces. A surface is where a function of the place changes its sign. A step over it
/// is repeated with a shorter length until it ends on the far side within rounding. So the crossing is an ordinary
/// point of the path, as exact as the integrator. A step that begins and ends on the same side may pass through a
/// corner in between: it is cut where the parabola through its ends comes nearest to the surface, if that may be on the
/// other side. So is a step to a crossing, before which it may cross another surface, or the same one twice. Of
/// functions that have the same value at both ends and in the middle, as labels, a visit is found if it is longer than
/// a sixteenth of a step; of others if they are convex along the step, or not more than the distance to the surface.
/// Visits within one step are missed where the parabola is far from the path (a particle that slows down or turns
/// within the step), and where a function has several dips and is no distance. A maximum step below the thickness of
/// regions and gaps finds them.
///
///     std::vector<Surface> surfaces{ plane({ 0, 0, 1 }, { 0, 0, 1 }), box({ { 0, 0, 0 } }, { 1, 1, 1 }) };
///     CrossingLog log(surfaces);                 // one for each worker
///
/// A log keeps all crossings, or first entries only: where a particle comes to the negative side of a surface for the
/// first time. A particle that is released there enters at its release. When it has entered all, it ends.
#pragma once

#include "Trace/Mesh/Mesh.h"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace rivulet
{

struct Surface
{
  /// Positive on one side, negative or 0 on the other; called with a place in the world and its number, if `numbers`
  /// asks for one. Best continuous, as distances are: labels of 1 and -1 take more tries. Called by several threads at
  /// once.
  std::function<double(const Vec3&, std::int64_t)> side;
  /// Numbers of cells or of points that `side` gets (Mesh::label_number()); else -1.
  std::optional<Centering> numbers{};
  bool ends = false;            ///< particles that cross it end there (Termination::Crossed)
  bool within_distance = false; ///< the magnitude of `side` is nowhere more than the distance to the surface
};

/// Positive on the side that the normal points to.
[[nodiscard]] Surface plane(const Vec3& point, const Vec3& normal);
/// Positive outside.
[[nodiscard]] Surface box(const Vec3& lower, const Vec3& upper);
/// Positive in cells with another label. `labels`: one for each cell of the (coarsest) mesh; must outlive the surface.
[[nodiscard]] Surface border_of_label(const std::int32_t* labels, std::int32_t label);

struct Crossing
{
  std::int64_t id = 0; ///< id of the particle's release
  std::int32_t surface = 0;
  bool to_positive = false; ///< whether the particle went to the positive side
  Vec3 point{ 0, 0, 0 };    ///< world
  double time = 0.0;        ///< as EndState::time
  double length = 0.0;      ///< length of the path up to here
};

/// A set of surfaces: bit s stands for surface s.
using SurfaceSet = std::uint64_t;

/// A place on a particle's way.
struct WayPoint
{
  const Mesh* mesh = nullptr;
  Vec3 world{ 0, 0, 0 };
  Position at{};   ///< the same place
  Moment moment{}; ///< at which it has that cell
};

/// The value of a surface's or a region's function there.
template <class Bounded>
[[nodiscard]] double side_at(const Bounded& of, const WayPoint& place)
{
  return of.side(
      place.world, of.numbers ? place.mesh->label_number(place.world, place.at, place.moment, *of.numbers) : -1);
}

/// The crossings of one worker's particles.
class CrossingLog
{
public:
  static constexpr std::size_t kMostSurfaces = 64;

  enum class Kept : std::uint8_t
  {
    All,
    FirstEntries ///< the first to the negative side of each surface
  };

  /// `surfaces`: at most kMostSurfaces; must outlive this.
  explicit CrossingLog(const std::vector<Surface>& surfaces, Kept kept = Kept::All)
    : surfaces_(surfaces)
    , kept_(kept)
  {
  }

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  [[nodiscard]] Kept kept() const { return kept_; }
  [[nodiscard]] SurfaceSet all_surfaces() const
  {
    return surfaces_.empty() ? 0 : ~SurfaceSet{ 0 } >> (kMostSurfaces - surfaces_.size());
  }
  [[nodiscard]] std::vector<Crossing>& crossings() { return crossings_; }
  /// Makes room for crossings of all surfaces by so many particles. False if the system has no memory for that.
  [[nodiscard]] bool make_room(std::size_t particles);

  /// The surfaces on whose positive side a place is.
  [[nodiscard]] SurfaceSet sides_of(const WayPoint& place) const;
  /// The surfaces between a particle and a place. `sides`: the surfaces on whose positive side the particle is; for
  /// first entries the surfaces that it has not entered, and no others are evaluated.
  [[nodiscard]] SurfaceSet crossed_on_the_way(SurfaceSet sides, const WayPoint& place) const;
  /// Whether a step may cross a surface before its end. Returns the share of the step at which it is to be cut.
  /// `crossed`: the surfaces that it crosses at its end, and nowhere else as far as is known. `way`: the place at a
  /// share of the step. `accuracy`: length below which a visit may be missed.
  [[nodiscard]] std::optional<double> crossed_between(
      SurfaceSet sides, SurfaceSet crossed, const std::function<WayPoint(double)>& way, double accuracy) const;

private:
  [[nodiscard]] bool is_positive(std::size_t surface, const WayPoint& place) const
  {
    return side_at(surfaces_[surface], place) > 0.0;
  }

  const std::vector<Surface>& surfaces_;
  Kept kept_;
  std::vector<Crossing> crossings_;
};

/// Search for the first crossing within a step, between one length that crosses nothing and one that crosses something:
/// the Illinois variant of regula falsi, with an occasional bisection (M. Dowell, P. Jarratt, BIT 11 (1971) 168-174).
class CrossingSearch
{
public:
  [[nodiscard]] bool active() const { return active_; }
  /// Begins with steps of 0, which crosses nothing, and of `high`, which does. The values are of the crossed surface at
  /// both.
  void begin(double high, double value_at_0, double value_at_high);
  /// Takes the result of the step tried. `value`: of the surface that is crossed at the long end; NaN if that is
  /// another one than before.
  void narrow(double step, bool crosses, double value);
  /// Whether both ends are equal within rounding.
  [[nodiscard]] bool converged() const;
  /// The step to try next; when converged, the long end.
  [[nodiscard]] double next() const;
  void end() { active_ = false; }

private:
  bool active_ = false;
  bool low_moved_ = false;
  std::int32_t tries_ = 0;
  double low_ = 0.0;
  double high_ = 0.0;
  double width_ = 0.0; ///< initial distance of the ends
  double value_low_ = 0.0;
  double value_high_ = 0.0;
};

} // namespace rivulet
