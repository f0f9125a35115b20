// SPDX-License-Identifier: BSD-3-Clause
// Crossings of surfaces by the steps of an Advector (Kernel/Crossing.h). Included once per target by the Kernel*.cxx
// files.
#if defined(RIVULET_ADVECTOR_CROSSINGS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ADVECTOR_CROSSINGS_INL_H
#undef RIVULET_ADVECTOR_CROSSINGS_INL_H
#else
#define RIVULET_ADVECTOR_CROSSINGS_INL_H
#endif

#include "Trace/Kernel/Advector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Lanes of `taken` whose steps are tried again first, because they cross something or are part of a search.
RIVULET_ADVECTOR HWY_NOINLINE LaneBits RIVULET_ADVECTOR_OF::find_crossings(LaneBits taken)
{
  LaneBits again = 0;
  for_each_lane(taken,
      [&](std::size_t lane)
      {
        const LaneBits bit = LaneBits{ 1 } << lane;
        Cell at = mesh_.get(all_.trial, lane);
        if (!mesh_.settle(at))
        {
          return;
        }
        const bool in_search = (searching_ & bit) != 0;
        if (search_crossing(lane, at))
        {
          final_ |= bit;
          again |= bit;
        }
        else if (cut_at_corner(lane)) // a step to the crossing that a search has found may cross another before
        {
          final_ &= in_search ? ~bit : ~LaneBits{ 0 };
          again |= bit;
        }
      });
  return again;
}

/// Shortens a step to where it may cross a surface before its end. True if so.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::cut_at_corner(std::size_t lane)
{
  Particle& particle = *all_.particle[lane];
  const Cell base = mesh_.get(all_.base, lane);
  const double step = all_.sign[lane] * all_.step[lane];
  Vec3 start;
  Vec3 bend; // the parabola with the path's tangent at the begin, and its end
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double sum = 0.0;
    for (int j = 0; j < tableau_.slopes; ++j)
    {
      sum += tableau_.end[j] * all_.slopes[j][axis][lane];
    }
    start[axis] = step * all_.slopes[0][axis][lane];
    bend[axis] = step * sum - start[axis];
  }
  const auto way = [&](double share)
  {
    const auto along = [&](std::size_t axis)
    {
      return share * (start[axis] + share * bend[axis]);
    };
    Cell at = mesh_.displaced(base, { along(0), along(1), along(2) });
    if constexpr (Unsteady && Mesh::kMoves)
    {
      Mesh::set_share(share_after(lane, all_.step[lane] * share), at);
    }
    if (!mesh_.settle(at))
    {
      at = base; // outside the domain
    }
    return mesh_.way_point(at);
  };
  const double accuracy = std::max(options_.maximum_error, 0.0);
  const std::optional<double> share =
      crossings_->crossed_between(particle.sides, particle.crossed, std::cref(way), accuracy);
  if (!share)
  {
    return false;
  }
  particle.crossed = 0;
  all_.step[lane] *= *share;
  all_.longest[lane] = std::min(all_.longest[lane], all_.step[lane]);
  return true;
}

/// True if another step is to be tried next.
RIVULET_ADVECTOR bool RIVULET_ADVECTOR_OF::search_crossing(std::size_t lane, const Cell& at)
{
  Particle& particle = *all_.particle[lane];
  const WayPoint place = mesh_.way_point(at);
  const SurfaceSet crossed = crossings_->crossed_on_the_way(particle.sides, place);
  CrossingSearch& search = particle.search;
  if (crossed == 0 && !search.active())
  {
    return false;
  }
  if (search.active() && search.converged() && crossed != 0)
  {
    search.end();
    searching_ &= ~(LaneBits{ 1 } << lane);
    particle.crossed = crossed;
    return false;
  }
  const double not_known = std::numeric_limits<double>::quiet_NaN();
  const SurfaceSet leading = crossed != 0 ? crossed & -crossed : particle.crossed;
  const auto side = [&](const WayPoint& where)
  {
    return side_at(crossings_->surfaces()[static_cast<std::size_t>(std::countr_zero(leading))], where);
  };
  if (!search.active())
  {
    const Cell base = mesh_.get(all_.base, lane);
    search.begin(all_.step[lane], side(mesh_.way_point(base)), side(place));
    searching_ |= LaneBits{ 1 } << lane;
  }
  else
  {
    search.narrow(all_.step[lane], crossed != 0, leading == particle.crossed ? side(place) : not_known);
  }
  particle.crossed = leading;
  all_.step[lane] = search.next();
  return true;
}

/// Logs the crossings of particles that arrived at the result of a search, and entries at releases.
RIVULET_ADVECTOR HWY_NOINLINE void RIVULET_ADVECTOR_OF::log_crossings(LaneBits arriving, std::vector<Particle*>& done)
{
  const bool first_entries = crossings_->kept() == CrossingLog::Kept::FirstEntries;
  for_each_lane(arriving,
      [&](std::size_t lane)
      {
        Particle& particle = *all_.particle[lane];
        const Cell base = mesh_.get(all_.base, lane);
        const WayPoint place = mesh_.way_point(base);
        if ((started_ >> lane & 1) == 0)
        {
          const SurfaceSet sides = crossings_->sides_of(place);
          particle.crossed = first_entries ? crossings_->all_surfaces() & ~sides : 0;
          particle.sides = sides ^ particle.crossed;
        }
        const SurfaceSet crossed = std::exchange(particle.crossed, 0);
        particle.sides ^= crossed;
        bool ends = first_entries && particle.sides == 0;
        for (SurfaceSet left = crossed; left != 0; left &= left - 1)
        {
          const int surface = std::countr_zero(left);
          crossings_->crossings().push_back({ .id = particle.task,
              .surface = surface,
              .to_positive = (particle.sides >> surface & 1) != 0,
              .point = place.world,
              .time = origin_ + all_.time[lane],
              .length = all_.length[lane] });
          ends = ends || crossings_->surfaces()[static_cast<std::size_t>(surface)].ends;
        }
        if (ends)
        {
          end(lane, 0, Termination::Crossed, done);
        }
      });
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
