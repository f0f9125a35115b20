// SPDX-License-Identifier: BSD-3-Clause
// Ends of lines exactly where they leave the domain. A step that leads out of it has no samples there, so that it
// cannot be cut like one over a surface. It is tried again so short that it just stays inside, until the way out is so
// short that the tangent replaces the path. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_ADVECTOR_BORDER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ADVECTOR_BORDER_INL_H
#undef RIVULET_ADVECTOR_BORDER_INL_H
#else
#define RIVULET_ADVECTOR_BORDER_INL_H
#endif

#include "Trace/Kernel/Advector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// A sample of a particle's step lies `outside` the domain. Sets a shorter step to try, or the point where the particle
/// leaves the domain. False if that is its last point.
RIVULET_ADVECTOR HWY_NOINLINE bool RIVULET_ADVECTOR_OF::stay_inside(std::size_t lane, const Cell& outside)
{
  const LaneBits bit = LaneBits{ 1 } << lane;
  Particle& particle = *all_.particle[lane];
  double& step = all_.step[lane];
  if ((searching_ & bit) != 0)
  {
    particle.search.narrow(step, true, std::numeric_limits<double>::quiet_NaN());
    if (!particle.search.converged())
    {
      step = particle.search.next();
      shortened_ |= bit;
      return true;
    }
    particle.search.end();
    searching_ &= ~bit;
  }
  final_ &= ~bit;
  if constexpr (!Mesh::kWaysAtHand)
  {
    return halve_step(lane, outside);
  }
  else
  {
    return leave_along_tangent(lane, outside);
  }
}

/// The same on a mesh where the cells of a way are not at hand: tries half the step, until the particle is at the
/// border.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::halve_step(std::size_t lane, const Cell& outside)
{
  static constexpr double kThereInCells = 1e-7;
  double& step = all_.step[lane];
  if (!(mesh_.cells_between(mesh_.get(all_.base, lane), outside) > kThereInCells) ||
      !(step > std::numeric_limits<double>::min()))
  {
    return false;
  }
  step *= 0.5;
  all_.longest[lane] = std::min(all_.longest[lane], step);
  shortened_ |= LaneBits{ 1 } << lane;
  return true;
}

/// The same where the tangent at the last point shows how far the border is.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::leave_along_tangent(std::size_t lane, const Cell& outside)
{
  /// Length of a way, in cells, along which the tangent is the path: its error is half the square of it, times the
  /// curvature.
  static constexpr double kStraight = 2e-4;
  static constexpr double kBriefly = 1e-4; ///< share of the interval, in which velocities change as little

  const LaneBits bit = LaneBits{ 1 } << lane;
  double& step = all_.step[lane];
  const Cell base = mesh_.get(all_.base, lane);
  Vec3 by;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    by[axis] = all_.sign[lane] * step * all_.slopes[0][axis][lane];
  }
  const StraightWay way = mesh_.straight_way(base, by, [&](double part) { return share_after(lane, step * part); });
  const double length = way.share * mesh_.cells_along(base, by);
  const bool brief = !Unsteady || way.share * step <= kBriefly * (times_[1] - times_[0]);
  if (way.share < 1.0 && length <= kStraight && brief)
  {
    return go_straight_out(lane, way);
  }
  if ((brief && mesh_.cells_between(base, outside) <= kStraight) || !(step > std::numeric_limits<double>::min()))
  {
    return bend_out(lane, by, way);
  }
  // The path bends: the margin is the larger, the longer the way.
  step *= way.share < 1.0 ? way.share * (1.0 - 0.25 * std::min(1.0, length)) : 0.5;
  all_.longest[lane] = std::min(all_.longest[lane], step); // error control must not choose the long step again
  shortened_ |= bit;
  return true;
}

/// The same for a path that bends out of the domain within a short step, whose tangent stays inside: goes on along the
/// tangent if that leads out soon. Else the path slides along the border, and ends with the step.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::bend_out(std::size_t lane, const Vec3& by, const StraightWay& inside)
{
  static constexpr double kFarther = 8.0;
  double& step = all_.step[lane];
  double farther = kFarther;
  if constexpr (Unsteady)
  {
    farther = std::min(farther, std::fabs(all_.barrier[lane] - all_.time[lane]) / step);
  }
  const Vec3 on{ farther * by[0], farther * by[1], farther * by[2] };
  const StraightWay way = mesh_.straight_way(
      mesh_.get(all_.base, lane), on, [&](double part) { return share_after(lane, (step * farther) * part); });
  if (!(way.share < 1.0))
  {
    return go_straight_out(lane, inside);
  }
  step *= farther;
  return go_straight_out(lane, way);
}

/// Sets the next point of a particle at the end of a straight way, where it leaves the domain. False if it is there.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::go_straight_out(std::size_t lane, const StraightWay& straight)
{
  const LaneBits bit = LaneBits{ 1 } << lane;
  StraightWay way = straight;
  leaving_ |= bit;
  cross_on_straight_way(lane, way);
  if (mesh_.same(way.end, mesh_.get(all_.base, lane)) && all_.particle[lane]->crossed == 0)
  {
    return false;
  }
  all_.step[lane] *= way.share;
  border_[lane] = way.end;
  if constexpr (Unsteady)
  {
    set_arrival_times(bit);
  }
  at_border_ |= bit;
  return true;
}

/// Cuts a straight way where it crosses a surface first.
RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::cross_on_straight_way(std::size_t lane, StraightWay& way)
{
  static constexpr int kHalvings = 60;
  if (crossings_ == nullptr)
  {
    return;
  }
  Particle& particle = *all_.particle[lane];
  const Cell base = mesh_.get(all_.base, lane);
  const auto at = [&](double share)
  {
    const double step = all_.sign[lane] * all_.step[lane] * share;
    Cell place = mesh_.displaced(
        base, { step * all_.slopes[0][0][lane], step * all_.slopes[0][1][lane], step * all_.slopes[0][2][lane] });
    if constexpr (Unsteady && Mesh::kMoves)
    {
      Mesh::set_share(share_after(lane, all_.step[lane] * share), place);
    }
    return mesh_.settle(place) ? place : base;
  };
  const auto crossed = [&](const Cell& place)
  {
    return crossings_->crossed_on_the_way(particle.sides, mesh_.way_point(place));
  };
  particle.crossed = crossed(way.end);
  if (particle.crossed == 0)
  {
    return;
  }
  double before = 0.0;
  for (int i = 0; i < kHalvings; ++i)
  {
    const double middle = 0.5 * (before + way.share);
    const Cell place = at(middle);
    if (const SurfaceSet there = crossed(place); there != 0)
    {
      way = { middle, place };
      particle.crossed = there;
      leaving_ &= ~(LaneBits{ 1 } << lane);
    }
    else
    {
      before = middle;
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
