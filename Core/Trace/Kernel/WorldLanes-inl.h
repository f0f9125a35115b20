// SPDX-License-Identifier: BSD-3-Clause
// The common part of policies of meshes without arithmetic (Advector-inl.h lists a policy's members): positions are
// world points, slopes are in world units, and each place is sought from the cell of the last sample. Included once per
// target by the Kernel*.cxx files.
#if defined(RIVULET_WORLD_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WORLD_LANES_INL_H
#undef RIVULET_WORLD_LANES_INL_H
#else
#define RIVULET_WORLD_LANES_INL_H
#endif

#include "Base/Vector.h"
#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/Width-inl.h"
#include "Trace/Mesh/FirstWayOut.h"
#include "Trace/Mesh/WorldPosition.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// A position at a share of the interval that has gone, on which its cell depends if the nodes move.
struct TimedPlace : WorldPosition
{
  double share = 0.0;
};

template <class W>
class WorldPolicy
{
public:
  using Cell = TimedPlace;
  using Vector = typename W::Vector;
  static constexpr bool kCellsAlike = false;

  struct StraightWay
  {
    double share = 1.0; ///< of the way that is inside; 1: it does not leave the domain
    Cell end;           ///< there
  };

  [[nodiscard]] static HWY_INLINE Triple<W> slope_of(const Triple<W>& velocity) { return velocity; }
  [[nodiscard]] static HWY_INLINE Vector length_of(const Triple<W>& slope) { return HWY_NAMESPACE::length_of(slope); }
  [[nodiscard]] static Vec3 world(const Cell& at) { return at.point; }
  [[nodiscard]] static bool hidden(const Cell& /*at*/) { return false; }
  [[nodiscard]] static bool same(const Cell& a, const Cell& b) { return a.point == b.point; }
  [[nodiscard]] static Cell cell(const Position& at) { return Cell{ at.template as<WorldPosition>() }; }
  [[nodiscard]] static Position position(const Cell& at) { return static_cast<const WorldPosition&>(at); }
  [[nodiscard]] static Cell displaced(Cell from, const Vec3& by)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      from.point[axis] += by[axis];
    }
    return from;
  }
  [[nodiscard]] static bool equal_sides() { return false; }
  /// The moment of a place, as a share of the interval.
  static void set_share(double share, Cell& at) { at.share = share; }
  static void prefetch(const auto& /*from*/, const auto& /*to*/, bool /*unsteady*/, const CubicWeights* /*cubic*/) {}

  // Of positions that have the places of all lanes side by side.
  template <class Positions>
  static HWY_INLINE void world_of(LaneBits /*lanes*/, const Positions& at, float (*world)[W::kLanes])
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      W::store_floats(W::load(at.point[axis]), world[axis]);
    }
  }
  template <class Positions>
  [[nodiscard]] static HWY_INLINE LaneBits same(const Positions& a, const Positions& b)
  {
    const auto still = [&](std::size_t axis) HWY_ATTR
    {
      return W::bits(W::equal(W::load(a.point[axis]), W::load(b.point[axis])));
    };
    return still(0) & still(1) & still(2);
  }

protected:
  /// Where a straight way leaves the domain, by a search of each place along it. `policy`: has cells_along() and
  /// settle(). `share_when`: as of straight_way().
  template <class Policy, class ShareWhen>
  [[nodiscard]] static StraightWay straight_way_of(
      const Policy& policy, const Cell& from, const Vec3& by, const ShareWhen& share_when)
  {
    return first_way_out(StraightWay{ 1.0, from }, policy.cells_along(from, by),
        [&](double share, const StraightWay& so_far, Cell& place)
        {
          place = displaced(from, { share * by[0], share * by[1], share * by[2] });
          place.cell = so_far.end.cell;
          place.block = so_far.end.block;
          set_share(share_when(share), place);
          return policy.settle(place);
        });
  }

  /// A step in CellCrossing at a slope, by the sides of the cell's bounding box.
  [[nodiscard]] static double crossing_of(double step, const Vec3& sides, const Vec3& slope)
  {
    double square = 0.0;
    double axes = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double in_cells = sides[axis] > 0.0 ? slope[axis] / sides[axis] : 0.0;
      square += in_cells * in_cells;
      axes += sides[axis] > 0.0 ? 1.0 : 0.0;
    }
    return step * std::sqrt(axes) / std::max(std::sqrt(square), AdvectionContext::kLeastSpeed);
  }
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
