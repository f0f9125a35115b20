// SPDX-License-Identifier: BSD-3-Clause
// Policy of unstructured cells in memory (Mesh/UnstructuredCells.h). Lanes whose cells have one shape look for their
// places together, if they are tetrahedra or hexahedra; WorldLanes-inl.h has what all meshes with world positions
// share. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_UNSTRUCTURED_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_UNSTRUCTURED_LANES_INL_H
#undef RIVULET_UNSTRUCTURED_LANES_INL_H
#else
#define RIVULET_UNSTRUCTURED_LANES_INL_H
#endif

#include "Trace/Kernel/ShapeSampler-inl.h"
#include "Trace/Kernel/UnstructuredWindow.h"
#include "Trace/Kernel/VelocityGradient-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class W, class Scalar>
class UnstructuredLanes : public WorldPolicy<W>
{
  using Base = WorldPolicy<W>;

public:
  using Call = UnstructuredCall;
  using Positions = UnstructuredPositions<W>;
  using Base::displaced;
  using Base::same;
  using typename Base::Cell;
  using typename Base::StraightWay;
  using typename Base::Vector;
  static constexpr bool kWalks = true; ///< workers seek the cells of seeds
  static constexpr bool kWaysAtHand = true;
  static constexpr bool kMoves = true;

  explicit UnstructuredLanes(const UnstructuredCall& on)
    : mesh_(on.mesh)
    , interval_(on.call.window.interval)
    , cells_(*on.mesh.own())
    , table_(cells_.table())
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , sampler_(cells_)
    , values_{ row(on, on.call.window.before), row(on, on.call.window.now), row(on, on.call.window.later),
      row(on, on.call.window.after) }
  {
  }

  [[nodiscard]] WayPoint way_point(const Cell& at) const
  {
    return { &mesh_, at.point, Base::position(at), { interval_, at.share } };
  }
  [[nodiscard]] static Cell get(const Positions& at, std::size_t lane) { return at.get(lane); }
  /// The moments of places that move() sets next, or of one place, as shares of the interval.
  HWY_INLINE void set_moments(LaneBits lanes, Vector shares, Positions& at) const
  {
    if (HWY_UNLIKELY(sampler_.points().move()))
    {
      W::store_some(lanes, shares, at.share);
    }
  }
  static void set_moment(std::size_t lane, double share, Positions& at) { at.share[lane] = share; }

  /// The search begins in the cell of the last sample, which is that of `to`, as in the stock filter.
  HWY_INLINE void move(LaneBits lanes, const Positions& from, const Triple<W>& by, bool /*at_end*/, Positions& to) const
  {
    W::store_some(lanes, W::load(from.point[0]) + by.x, to.point[0]);
    W::store_some(lanes, W::load(from.point[1]) + by.y, to.point[1]);
    W::store_some(lanes, W::load(from.point[2]) + by.z, to.point[2]);
    to.known &= ~lanes;
    walk(lanes, to);
  }
  [[nodiscard]] static LaneBits doubtful(const Positions& at, LaneBits lanes) { return lanes & ~at.known; }
  [[nodiscard]] static bool in_window(const Cell& at) { return at.walk == 0; }
  /// Whether settle() has to be asked before a sample.
  [[nodiscard]] static bool unsettled(const Cell& at) { return at.walk != 0; }
  /// False where no cell has the place of a particle that has begun. The mesh ends others (UnstructuredMesh).
  [[nodiscard]] bool settle(Cell& at) const
  {
    const bool lost = at.walk == WalkState::kLost;
    const bool begins = at.cell < 0;
    leave_wide_registers();
    const std::int64_t cell = cells_.find_at(at.share, at.point, lost ? -1 : at.cell, weights_);
    if (lost)
    {
      mesh_.note_seek();
    }
    at.cell = cell >= 0 ? cell : at.cell;
    at.walk = cell < 0 && begins ? WalkState::kOutside : 0;
    return cell >= 0 || begins;
  }

  [[nodiscard]] Vec3 cell_sides(const Cell& at) const { return cells_.cell_sides_at(at.share, at.cell); }
  [[nodiscard]] double cell_length(const Cell& at) const { return rivulet::length_of(cell_sides(at)); }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return Base::crossing_of(step, cell_sides(at), slope);
  }
  [[nodiscard]] double cells_along(const Cell& from, const Vec3& by) const
  {
    return rivulet::length_of(by) / cell_length(from);
  }
  [[nodiscard]] double cells_between(const Cell& a, const Cell& b) const
  {
    return distance(a.point, b.point) / cell_length(a);
  }
  template <class ShareWhen>
  [[nodiscard]] StraightWay straight_way(const Cell& from, const Vec3& by, const ShareWhen& share_when) const
  {
    return Base::straight_way_of(*this, from, by, share_when);
  }

  /// Gradients of samples are by world coordinates.
  static void jacobian(LaneBits /*lanes*/, const Positions& /*at*/, Vector* m)
  {
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::set(i % 4 == 0 ? 1.0 : 0.0);
    }
  }
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_now(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample_at<kGradient>(1, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_later(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample_at<kGradient>(2, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_at(
      int step, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    const RowLanes<W>& values = values_[step];
    if (HWY_UNLIKELY(cell_centred_))
    {
      alignas(64) std::int64_t cells[W::kLanes] = {};
      for_each_lane(lanes, [&](std::size_t lane) { cells[lane] = at.cell[lane]; });
      return values.load(cells);
    }
    return sampler_.template sample<kGradient>(values, at, lanes, gradient);
  }

private:
  static constexpr int kFew = 2; ///< lanes that are as fast one by one
  static constexpr int kOneVector = static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  using Narrow = Width<std::min(W::kLanes, static_cast<std::size_t>(kOneVector))>;

  [[nodiscard]] static RowLanes<W> row(const UnstructuredCall& on, const BrickView* view)
  {
    return RowLanes<W>(view, std::max(on.call.context.field().velocity.first_component, 0));
  }

  /// The ways from cell to cell.
  HWY_NOINLINE void walk(LaneBits lanes, Positions& at) const
  {
    WalkState states[W::kLanes];
    LaneBits open = 0;
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          at.walk[lane] = 0;
          open |= LaneBits{ at.cell[lane] >= 0 && cells_.has(at.cell[lane]) } << lane;
        });
    while (open != 0)
    {
      const LaneBits tetrahedra = sampler_.with_shape(CellShape::Tetrahedron, at, open);
      if (std::popcount(tetrahedra) > kFew)
      {
        std::popcount(tetrahedra) > kOneVector ? look_from_tetrahedra<W>(tetrahedra, at, states, open)
                                               : look_from_tetrahedra<Narrow>(tetrahedra, at, states, open);
        continue;
      }
      const LaneBits hexahedra = sampler_.with_shape(CellShape::Hexahedron, at, open);
      if (std::popcount(hexahedra) > kFew)
      {
        std::popcount(hexahedra) > kOneVector ? look_from_hexahedra<W>(hexahedra, at, states, open)
                                              : look_from_hexahedra<Narrow>(hexahedra, at, states, open);
        continue;
      }
      for_each_lane(LaneBits{ open }, [&](std::size_t lane) { look_alone(lane, at, states, open); });
    }
  }

  /// Some lanes side by side, in vectors of V: places, and corners of their cells, of one shape. Others repeat node 0.
  template <class V, int kCount>
  struct Picked
  {
    static constexpr bool kAll = V::kLanes == W::kLanes; ///< each lane is where it was
    std::size_t lane_of[V::kLanes];
    LaneBits active = 0;
    Triple<V> place;
    alignas(64) std::int64_t nodes[kCount][V::kLanes] = {};
    alignas(64) double share[V::kLanes] = {};

    HWY_INLINE Picked(LaneBits lanes, const Positions& at, const CellNodes& table)
    {
      alignas(64) double point[3][V::kLanes] = {};
      std::size_t next = 0;
      for_each_lane(lanes,
          [&](std::size_t lane)
          {
            const std::size_t to = kAll ? lane : next++;
            lane_of[to] = lane;
            active |= LaneBits{ 1 } << to;
            for (std::size_t axis = 0; !kAll && axis < 3; ++axis)
            {
              point[axis][to] = at.point[axis][lane];
            }
            share[to] = at.share[lane];
            table.load_corners<kCount>(at.cell[lane], &nodes[0][to], V::kLanes);
          });
      if constexpr (kAll)
      {
        place = Triple<V>::load(at.point);
      }
      else
      {
        place = Triple<V>::load(point);
      }
    }
    /// Lanes that have arrived, at parametric coordinates.
    HWY_INLINE void arrive(LaneBits inside, const Triple<V>& parametric, const Positions& at, LaneBits& open) const
    {
      if constexpr (kAll)
      {
        parametric.store_some(inside, at.parametric);
        at.known |= inside;
        open &= ~inside;
      }
      else
      {
        alignas(64) double each[3][V::kLanes];
        parametric.store(each);
        for_each_lane(inside,
            [&](std::size_t i)
            {
              at.set_parametric(lane_of[i], { each[0][i], each[1][i], each[2][i] });
              open &= ~(LaneBits{ 1 } << lane_of[i]);
            });
      }
    }
  };

  template <class V>
  HWY_INLINE void look_from_tetrahedra(LaneBits lanes, Positions& at, WalkState* states, LaneBits& open) const
  {
    const Picked<V, 4> some(lanes, at, table_);
    Triple<V> corners[4];
    NodeLanes<V>(sampler_.points()).load(some.nodes, some.share, corners);
    const Triple<V> place = TetLanes<V>(corners).locate(some.place);
    const auto none = V::set(0.0);
    auto off = TetLanes<V>::beyond_first(place);
    auto face = none;
    const auto compare = [&](typename V::Vector x, double number) HWY_ATTR
    {
      const auto beyond = none - x;
      const auto more = V::less(off, beyond);
      off = V::select(more, beyond, off);
      face = V::select(more, V::set(number), face);
    };
    compare(place.x, 1.0);
    compare(place.y, 2.0);
    compare(place.z, 3.0);
    const LaneBits finite =
        some.active & V::bits(V::less(V::abs(place.x) + V::abs(place.y) + V::abs(place.z), V::set(HUGE_VAL)));
    const LaneBits inside = finite & V::bits(V::less_or_equal(off, V::set(kInsideCell)));
    some.arrive(inside, place, at, open);
    if (inside == some.active)
    {
      return;
    }
    alignas(64) double offs[V::kLanes];
    alignas(64) double faces[V::kLanes];
    alignas(64) double places[3][V::kLanes];
    V::store(off, offs);
    V::store(face, faces);
    place.store(places);
    for_each_lane(some.active & ~inside,
        [&](std::size_t i)
        {
          const bool is_finite = (finite >> i & 1) != 0;
          const SeenPlace seen{ is_finite ? offs[i] : HUGE_VAL, static_cast<int>(faces[i]), is_finite };
          go_on(some.lane_of[i], seen, { places[0][i], places[1][i], places[2][i] }, at, states, open);
        });
  }

  template <class V>
  HWY_INLINE void look_from_hexahedra(LaneBits lanes, Positions& at, WalkState* states, LaneBits& open) const
  {
    const Picked<V, 8> some(lanes, at, table_);
    Triple<V> corners[8];
    NodeLanes<V>(sampler_.points()).load(some.nodes, some.share, corners);
    const auto places = HexLanes<V>(corners).locate(some.place, some.active);
    const LaneBits inside = some.active & places.converged &
                            V::bits(V::less_or_equal(HexLanes<V>::violation(places.at), V::set(kInsideCell)));
    some.arrive(inside, clamped(places.at), at, open);
    alignas(64) double parametric[3][V::kLanes];
    places.at.store(parametric);
    for_each_lane(some.active & ~inside,
        [&](std::size_t i)
        {
          if ((places.far >> i & 1) != 0)
          {
            look_alone(some.lane_of[i], at, states, open);
            return;
          }
          const HexCell::Place place{ { parametric[0][i], parametric[1][i], parametric[2][i] },
            (places.converged >> i & 1) != 0 };
          go_on(some.lane_of[i], cells_.seen(CellShape::Hexahedron, place), place.at, at, states, open);
        });
  }

  HWY_NOINLINE void look_alone(std::size_t lane, Positions& at, WalkState* states, LaneBits& open) const
  {
    const std::int64_t cell = at.cell[lane];
    const CellShape shape = table_.type(cell).shape;
    const HexCell::Place place = locate_alone(shape, cells_.corners(cell, at.share[lane]), at.point_of(lane));
    go_on(lane, cells_.seen(shape, place), place.at, at, states, open);
  }

  /// The next move of a lane's way. It leaves `open` when the way ends.
  HWY_INLINE void go_on(std::size_t lane, const SeenPlace& seen, const Vec3& parametric, Positions& at,
      WalkState* states, LaneBits& open) const
  {
    const std::int64_t cell = at.cell[lane];
    const std::int64_t next = cells_.beyond(cell, seen.face);
    switch (next_of_way(seen, cell, next, states[lane]))
    {
    case WalkEnd::Inside:
      at.set_parametric(lane, clamped_to_shape(table_.type(cell).shape, parametric));
      open &= ~(LaneBits{ 1 } << lane);
      break;
    case WalkEnd::Lost:
      at.walk[lane] = WalkState::kLost;
      open &= ~(LaneBits{ 1 } << lane);
      break;
    case WalkEnd::Away:
      states[lane].cross(cells_.face_back(next, cell), seen.face == states[lane].came_by());
      at.cell[lane] = next;
    }
  }

  template <class V>
  [[nodiscard]] static HWY_INLINE Triple<V> clamped(const Triple<V>& at)
  {
    const auto of = [](typename V::Vector x) HWY_ATTR
    {
      return V::min(V::max(x, V::set(0.0)), V::set(1.0));
    };
    return { of(at.x), of(at.y), of(at.z) };
  }

  const UnstructuredMesh& mesh_;
  std::int32_t interval_;
  const UnstructuredCells& cells_;
  const CellNodes& table_;
  bool cell_centred_;
  ShapeSampler<W> sampler_;
  RowLanes<W> values_[kMostSteps]; ///< before, now, later, after
  mutable CellWeights weights_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
