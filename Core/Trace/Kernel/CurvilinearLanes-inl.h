// SPDX-License-Identifier: BSD-3-Clause
// Policy of curvilinear grids in bricks (Mesh/CurvilinearMesh.h): places are found by CellWalk-inl.h; WorldLanes-inl.h
// has what all meshes with world positions share. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_CURVILINEAR_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_CURVILINEAR_LANES_INL_H
#undef RIVULET_CURVILINEAR_LANES_INL_H
#else
#define RIVULET_CURVILINEAR_LANES_INL_H
#endif

#include "Trace/Kernel/CellWalk-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class W, class Scalar>
class CurvilinearLanes : public WorldPolicy<W>
{
  using Base = WorldPolicy<W>;

public:
  using Call = CurvilinearCall;
  using Positions = CurvilinearPositions<W>;
  using Base::same;
  using typename Base::Cell;
  using typename Base::Vector;
  static constexpr bool kWalks = true;
  static constexpr bool kWaysAtHand = false; ///< they may lie in other bricks
  static constexpr bool kMoves = true;

  explicit CurvilinearLanes(const CurvilinearCall& on)
    : on_(on)
    , mesh_(on.mesh)
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , corners_(on.moves() ? BrickCorners(on.call.window.places, on.call.window.cubic)
                          : BrickCorners(*on.call.window.places.now))
    , walk_(on, corners_)
    , now_(on.now, cell_centred_)
    , later_(on.later, cell_centred_)
  {
  }

  [[nodiscard]] static Cell get(const Positions& at, std::size_t lane) { return at.get(lane); }
  [[nodiscard]] WayPoint way_point(const Cell& at) const
  {
    return { &mesh_, at.point, Base::position(at), { on_.call.window.interval, at.share } };
  }
  /// The moments of places that move() sets next, or of one place, as shares of the interval.
  static HWY_INLINE void set_moments(LaneBits lanes, Vector shares, Positions& at)
  {
    W::store_some(lanes, shares, at.share);
  }
  static void set_moment(std::size_t lane, double share, Positions& at) { at.share[lane] = share; }

  /// The search begins in the cell of the last sample, which is that of `to`, as in the stock filter.
  HWY_INLINE void move(LaneBits lanes, const Positions& from, const Triple<W>& by, bool /*at_end*/, Positions& to) const
  {
    walk_.know_index(to, lanes & ~to.known);
    W::store_some(lanes, W::load(from.point[0]) + by.x, to.point[0]);
    W::store_some(lanes, W::load(from.point[1]) + by.y, to.point[1]);
    W::store_some(lanes, W::load(from.point[2]) + by.z, to.point[2]);
    to.known &= ~lanes;
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          to.block[lane] = from.block[lane];
          to.walk[lane] = 0;
        });
    walk_.walk(lanes, to);
  }
  /// Where the way from cell to cell did not end in a cell of this brick.
  [[nodiscard]] static LaneBits doubtful(const Positions& at, LaneBits lanes) { return lanes & ~at.known; }
  /// False where no cell has the place. Else it has a cell of the brick, or is on its way to one elsewhere.
  [[nodiscard]] bool settle(Cell& at) const { return walk_.settle(at); }
  [[nodiscard]] static bool in_window(const Cell& at) { return at.walk == 0; }
  /// Whether settle() has to be asked before a sample.
  [[nodiscard]] static bool unsettled(const Cell& at) { return at.walk != 0; }

  [[nodiscard]] Vec3 cell_sides(const Cell& at) const
  {
    return box_around(walk_.corners(mesh_.cell_of(at.cell), at.share)).sides();
  }
  [[nodiscard]] double cell_length(const Cell& at) const { return rivulet::length_of(cell_sides(at)); }
  [[nodiscard]] HWY_NOINLINE Vector cell_lengths(LaneBits lanes, const Positions& at) const
  {
    walk_.know(at, lanes & ~at.known);
    return walk_.cell_lengths(lanes, at);
  }
  [[nodiscard]] double cells_between(const Cell& a, const Cell& b) const
  {
    return distance(a.point, b.point) / cell_length(a);
  }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return Base::crossing_of(step, cell_sides(at), slope);
  }

  /// Gradients are by parametric coordinates.
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_now(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    walk_.know(at, lanes & ~at.known);
    return now_.template sample<kGradient>(at.in_cell, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_later(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    walk_.know(at, lanes & ~at.known);
    return later_.template sample<kGradient>(at.in_cell, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_at(int step, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    walk_.know(at, lanes & ~at.known);
    const TypedWindow* const windows[kMostSteps] = { &on_.before, &on_.now, &on_.later, &on_.after };
    return TypedSampler<W>(*windows[step], cell_centred_).template sample<kGradient>(at.in_cell, lanes, gradient);
  }

  /// The inverse of the derivatives of the place by the parametric coordinates.
  HWY_NOINLINE void jacobian(LaneBits lanes, const Positions& at, Vector* m) const
  {
    walk_.know(at, lanes & ~at.known);
    const auto t = walk_.hexahedra(at, lanes).tangents(Triple<W>::load(at.in_cell.fraction));
    const Triple<W> rows[3] = { cross(t.y, t.z), cross(t.z, t.x), cross(t.x, t.y) };
    const Vector volume = dot(t.x, rows[0]);
    for (std::size_t i = 0; i < 3; ++i)
    {
      m[3 * i] = rows[i].x / volume;
      m[3 * i + 1] = rows[i].y / volume;
      m[3 * i + 2] = rows[i].z / volume;
    }
  }

private:
  const CurvilinearCall& on_;
  const CurvilinearMesh& mesh_;
  bool cell_centred_;
  BrickCorners corners_;
  CellWalk<W> walk_;
  TypedSampler<W> now_;
  TypedSampler<W> later_; ///< unsteady
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
