// SPDX-License-Identifier: BSD-3-Clause
// Positions in the cells of a curvilinear grid, and the way of all lanes from cell to cell (Mesh/HexWalk.h) within a
// brick. What is rare is done lane by lane. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_CELL_WALK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_CELL_WALK_INL_H
#undef RIVULET_CELL_WALK_INL_H
#else
#define RIVULET_CELL_WALK_INL_H
#endif

#include "Trace/Kernel/CurvilinearWindow.h"
#include "Trace/Kernel/GridSampler-inl.h"
#include "Trace/Kernel/HexLanes-inl.h"
#include "Trace/Kernel/NodeMotion-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"
#include "Trace/Mesh/HexWalk.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Values of a brick, of either type.
template <class W>
class TypedSampler
{
public:
  TypedSampler(const TypedWindow& brick, bool cell_centred)
    : of_floats_(brick.type == ScalarType::Float32)
    , floats_(brick.window, cell_centred)
    , doubles_(brick.window, cell_centred)
  {
  }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample(const CellLanes<W>& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return of_floats_ ? floats_.template sample<kGradient>(at, lanes, gradient)
                      : doubles_.template sample<kGradient>(at, lanes, gradient);
  }
  HWY_INLINE void load_corners(const CellLanes<W>& at, LaneBits lanes, Triple<W> (&values)[HexCell::kCorners]) const
  {
    of_floats_ ? floats_.load_corners(at, lanes, values) : doubles_.load_corners(at, lanes, values);
  }

private:
  bool of_floats_;
  GridSampler<W, float> floats_;
  GridSampler<W, double> doubles_;
};

/// Positions of the particles in the lanes. What follows from a place and its cell is kept as it becomes known.
template <class W>
struct CurvilinearPositions
{
  alignas(64) double point[3][W::kLanes] = {};
  std::int64_t cell[W::kLanes] = {}; ///< these three as in WorldPosition
  std::int32_t block[W::kLanes] = {};
  std::int32_t walk[W::kLanes] = {};
  alignas(64) double share[W::kLanes] = {}; ///< of the interval that has gone, at the places
  mutable LaneBits known = 0;               ///< lanes in which the next is
  mutable CellLanes<W> in_cell = {};        ///< parametric coordinates, and indices of the cell

  void set(std::size_t lane, const TimedPlace& at)
  {
    share[lane] = at.share;
    set_place(lane, at);
  }
  /// At the same moment.
  void set_place(std::size_t lane, const WorldPosition& at)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis][lane] = at.point[axis];
    }
    cell[lane] = at.cell;
    block[lane] = at.block;
    walk[lane] = at.walk;
    known &= ~(LaneBits{ 1 } << lane);
  }
  [[nodiscard]] TimedPlace get(std::size_t lane) const
  {
    return { { point_of(lane), cell[lane], block[lane], walk[lane] }, share[lane] };
  }
  [[nodiscard]] Vec3 point_of(std::size_t lane) const { return { point[0][lane], point[1][lane], point[2][lane] }; }
  [[nodiscard]] Vec3 parametric_of(std::size_t lane) const
  {
    return { in_cell.fraction[0][lane], in_cell.fraction[1][lane], in_cell.fraction[2][lane] };
  }
  [[nodiscard]] Int3 index_of(std::size_t lane) const
  {
    return { in_cell.cell[0][lane], in_cell.cell[1][lane], in_cell.cell[2][lane] };
  }

  void set_index(std::size_t lane, const Int3& at) const
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      in_cell.cell[axis][lane] = at[axis];
    }
  }
  void set_parametric(std::size_t lane, const Vec3& at) const
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      in_cell.fraction[axis][lane] = at[axis];
    }
    known |= LaneBits{ 1 } << lane;
  }

  /// Lane `lane` becomes that of other positions.
  template <class V>
  void copy(std::size_t lane, const CurvilinearPositions<V>& from, std::size_t of)
  {
    set(lane, from.get(of));
    set_index(lane, from.index_of(of));
    if ((from.known >> of & 1) != 0)
    {
      set_parametric(lane, from.parametric_of(of));
    }
  }

  void take(LaneBits lanes, const CurvilinearPositions& from)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      W::store_some(lanes, W::load(from.point[axis]), point[axis]);
    }
    W::store_some(lanes, W::load(from.share), share);
    in_cell.take(lanes, from.in_cell);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          cell[lane] = from.cell[lane];
          block[lane] = from.block[lane];
          walk[lane] = from.walk[lane];
        });
    known = (known & ~lanes) | (from.known & lanes);
  }
};

/// Only cells of the brick are at hand.
template <class W>
class CellWalk
{
public:
  using Positions = CurvilinearPositions<W>;
  using Vector = typename W::Vector;

  /// `corners`: of the brick of places.
  CellWalk(const CurvilinearCall& on, const BrickCorners& corners)
    : on_(on)
    , mesh_(on.mesh)
    , corners_(corners)
    , places_(on.places, false)
  {
  }

  [[nodiscard]] Int3 counts() const { return mesh_.grid_of_nodes().counts(); }
  [[nodiscard]] bool at_hand(const Int3& cell) const { return corners_.has(cell); }
  [[nodiscard]] bool hidden(const Int3& cell) const { return mesh_.closed(cell); }
  [[nodiscard]] HexCell::Corners corners(const Int3& cell, double share) const
  {
    return on_.moves() ? corners_.at(share).of(cell) : corners_.of(cell);
  }

  /// The way to the cells of the places, from the cells at hand: as walk_on(), for all lanes.
  HWY_NOINLINE void walk(LaneBits lanes, Positions& at) const
  {
    WalkState states[W::kLanes];
    LaneBits open = 0;
    for_each_lane(
        lanes, [&](std::size_t lane) { open |= LaneBits{ at.cell[lane] >= 0 && at_hand(at.index_of(lane)) } << lane; });
    if (std::popcount(open) > kFew)
    {
      look_together(open, at, states);
    }
    while (open != 0)
    {
      look_from_few(open, at, states);
    }
  }

  /// Whether a place has a cell of the brick, or may have one elsewhere: the rest of a way that began in another brick.
  [[nodiscard]] bool settle(TimedPlace& at) const
  {
    if (at.walk == WalkState::kOutside)
    {
      return false;
    }
    if (at.walk == WalkState::kSeeks)
    {
      mesh_.one_brick() ? seek_at_begin(at) : seek_in_brick(at);
    }
    if (at.walk == WalkState::kFound)
    {
      at.walk = 0;
      return true;
    }
    Vec3 parametric{ 0, 0, 0 };
    if (at.walk != WalkState::kLost)
    {
      (void)walk_on(Then{ *this, at.share }, at, parametric);
    }
    // A way that is lost has no leaf yet: if no other brick can have the place, it is sought here.
    return at.walk != WalkState::kLost || at.block >= 0 || !mesh_.one_brick() || seek_at_once(at);
  }

  /// Sets the cells' indices of settled places, and coordinates in them.
  HWY_INLINE void know_index(const Positions& at, LaneBits lanes) const
  {
    for_each_lane(lanes,
        [&](std::size_t lane) { at.set_index(lane, at.cell[lane] >= 0 ? mesh_.cell_of(at.cell[lane]) : Int3{}); });
  }
  HWY_INLINE void know(const Positions& at, LaneBits lanes) const
  {
    if (HWY_UNLIKELY(lanes != 0))
    {
      look_up(at, lanes);
    }
  }
  HWY_NOINLINE void look_up(const Positions& at, LaneBits lanes) const
  {
    know_index(at, lanes);
    LaneBits alone = lanes;
    if (std::popcount(lanes) > kFew)
    {
      const auto places = hexahedra(at, lanes).locate(Triple<W>::load(at.point), lanes);
      alone = lanes & places.far;
      clamped(places.at).store_some(lanes & ~alone, at.in_cell.fraction);
      at.known |= lanes & ~alone;
    }
    for_each_lane(alone,
        [&](std::size_t lane)
        {
          const HexCell cell(corners(at.index_of(lane), at.share[lane]));
          at.set_parametric(lane, clamped_to_cell(cell.locate(at.point_of(lane)).at));
        });
  }

  [[nodiscard]] HWY_INLINE HexLanes<W> hexahedra(const Positions& at, LaneBits lanes) const
  {
    Triple<W> corners[HexCell::kCorners];
    load_corners(at, lanes, corners);
    return HexLanes<W>(corners);
  }

  /// Diagonals of the boxes around the cells.
  [[nodiscard]] HWY_INLINE Vector cell_lengths(LaneBits lanes, const Positions& at) const
  {
    Triple<W> corners[HexCell::kCorners];
    load_corners(at, lanes, corners);
    const auto side = [&](Vector Triple<W>::*axis) HWY_ATTR
    {
      Vector low = corners[0].*axis;
      Vector high = low;
      for (std::size_t i = 1; i < HexCell::kCorners; ++i)
      {
        low = W::min(low, corners[i].*axis);
        high = W::max(high, corners[i].*axis);
      }
      return high - low;
    };
    return length_of(Triple<W>{ side(&Triple<W>::x), side(&Triple<W>::y), side(&Triple<W>::z) });
  }

  /// A look from the cells of all lanes of `open`, which go on, or leave `open`.
  HWY_INLINE void look_together(LaneBits& open, Positions& at, WalkState* states) const
  {
    const auto places = hexahedra(at, open).locate(Triple<W>::load(at.point), open);
    alignas(64) double parametric[3][W::kLanes];
    places.at.store(parametric);
    const LaneBits inside =
        open & places.converged & W::bits(W::less_or_equal(HexLanes<W>::violation(places.at), W::set(kInsideCell)));
    clamped(places.at).store_some(inside, at.in_cell.fraction);
    for_each_lane(inside, [&](std::size_t lane) { at.cell[lane] = row_major(at.index_of(lane), counts()); });
    at.known |= inside;
    open &= ~inside;
    for_each_lane(open & ~places.far,
        [&](std::size_t lane)
        {
          const HexCell::Place place{ { parametric[0][lane], parametric[1][lane], parametric[2][lane] },
            (places.converged >> lane & 1) != 0 };
          walk_lane(lane, place, states[lane], at, open);
        });
    for_each_lane(open & places.far, [&](std::size_t lane) { look_alone(lane, at, states, open); });
  }

  /// The same for a few lanes: the first of them, as many as one vector has.
  HWY_NOINLINE void look_from_few(LaneBits& open, Positions& at, WalkState* states) const
  {
    static constexpr std::size_t kOneVector = hn::MaxLanes(hn::ScalableTag<double>());
    using V = Width<std::min(W::kLanes, kOneVector)>;
    if (V::kLanes == 1 || std::popcount(open) <= kFew)
    {
      for_each_lane(LaneBits{ open }, [&](std::size_t lane) { look_alone(lane, at, states, open); });
      return;
    }
    CurvilinearPositions<V> some;
    WalkState of_some[V::kLanes];
    std::size_t lane_of[V::kLanes];
    std::size_t count = 0;
    for (LaneBits left = open; left != 0 && count < V::kLanes; left &= left - 1, ++count)
    {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      lane_of[count] = lane;
      of_some[count] = states[lane];
      some.copy(count, at, lane);
    }
    LaneBits still = (LaneBits{ 1 } << count) - 1;
    CellWalk<V>(on_, corners_).look_together(still, some, of_some);
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::size_t lane = lane_of[i];
      states[lane] = of_some[i];
      at.copy(lane, some, i);
      open &= ~(LaneBits{ (still >> i & 1) == 0 } << lane);
    }
  }

  HWY_INLINE void look_alone(std::size_t lane, Positions& at, WalkState* states, LaneBits& open) const
  {
    const HexCell cell(corners(at.index_of(lane), at.share[lane]));
    walk_lane(lane, cell.locate(at.point_of(lane)), states[lane], at, open);
  }

private:
  /// The lattice at a share of the interval, for walk_on().
  struct Then
  {
    const CellWalk& walk;
    double share;

    [[nodiscard]] Int3 counts() const { return walk.counts(); }
    [[nodiscard]] bool at_hand(const Int3& cell) const { return walk.at_hand(cell); }
    [[nodiscard]] HexCell::Corners corners(const Int3& cell) const { return walk.corners(cell, share); }
    [[nodiscard]] bool hidden(const Int3& cell) const { return walk.hidden(cell); }
  };

  HWY_INLINE void load_corners(const Positions& at, LaneBits lanes, Triple<W> (&corners)[HexCell::kCorners]) const
  {
    places_.load_corners(at.in_cell, lanes, corners);
    if (HWY_UNLIKELY(on_.moves()))
    {
      move_corners(at, lanes, corners);
    }
  }

  /// From the begin of the interval to its share that has gone, as BrickCorners::point().
  HWY_NOINLINE void move_corners(const Positions& at, LaneBits lanes, Triple<W> (&corners)[HexCell::kCorners]) const
  {
    Triple<W> later[HexCell::kCorners];
    Triple<W> before[HexCell::kCorners];
    Triple<W> after[HexCell::kCorners];
    const auto load = [&](const TypedWindow& step, Triple<W>(&to)[HexCell::kCorners]) HWY_ATTR
    {
      TypedSampler<W>(step, false).load_corners(at.in_cell, lanes, to);
    };
    const CubicWeights& cubic = on_.call.window.cubic;
    load(on_.places_later, later);
    if (cubic.has_before)
    {
      load(on_.places_before, before);
    }
    if (cubic.has_after)
    {
      load(on_.places_after, after);
    }
    const NodeMotion<W> motion(cubic, W::load(at.share));
    for (std::size_t i = 0; i < HexCell::kCorners; ++i)
    {
      corners[i] = motion.place(corners[i], later[i], before[i], after[i]);
    }
  }

  /// Corners for a search through leaves.
  [[nodiscard]] BrickCorners corners_at(double share) const { return on_.moves() ? corners_.at(share) : corners_; }

  /// False where no cell has the place.
  HWY_NOINLINE bool seek_at_once(TimedPlace& at) const
  {
    leave_wide_registers();
    const CurvilinearGrid::Found found = mesh_.seek_at_once(
        at.point, corners_at(at.share), on_.call.window.interval, [this](const Int3& cell) { return hidden(cell); });
    static_cast<WorldPosition&>(at) = { .point = at.point, .cell = found.cell };
    return found.cell >= 0;
  }

  /// Searches all leaves for the place of a particle that has not begun. Without a cell the mesh ends it.
  HWY_NOINLINE void seek_at_begin(TimedPlace& at) const
  {
    const CurvilinearGrid& grid = mesh_.grid_during(on_.call.window.interval);
    leave_wide_registers();
    at.cell = grid.seek(at.point, corners_at(at.share), [this](const Int3& cell) { return hidden(cell); }).cell;
    at.walk = at.cell >= 0 ? WalkState::kFound : WalkState::kLost;
    at.block = grid.leaves() - 1;
  }

  /// Searches the leaves of this brick that may have the place.
  HWY_NOINLINE void seek_in_brick(TimedPlace& at) const
  {
    const CurvilinearGrid& grid = mesh_.grid_during(on_.call.window.interval);
    const BrickCorners corners = corners_at(at.share);
    leave_wide_registers();
    CurvilinearGrid::Found best{ at.cell, {} };
    std::int32_t next = at.block;
    while (next >= 0 && grid.brick_of_leaf(next) == on_.call.brick)
    {
      at.block = next;
      const LeafParts& parts = on_.searched.parts_of(grid, next, corners_);
      grid.seek_in_leaf(
          parts, corners, at.point, [this](const Int3& cell) { return hidden(cell); }, best);
      next = grid.next_leaf(at.point, at.block);
    }
    at.cell = best.cell;
    at.walk = WalkState::kLost;
  }

  /// The next move of a lane's way. It leaves `open` unless the next cell is at hand.
  HWY_INLINE void walk_lane(
      std::size_t lane, const HexCell::Place& place, WalkState& state, Positions& at, LaneBits& open) const
  {
    const WalkMove move = next_move(*this, at.index_of(lane), place, state);
    if (move.end == WalkEnd::Lost)
    {
      at.set_place(lane, { .point = at.point_of(lane), .cell = -1, .block = -1, .walk = WalkState::kLost });
      open &= ~(LaneBits{ 1 } << lane);
      return;
    }
    at.cell[lane] = row_major(move.next, counts());
    at.set_index(lane, move.next);
    if (move.end == WalkEnd::Inside)
    {
      at.set_parametric(lane, clamped_to_cell(place.at));
      open &= ~(LaneBits{ 1 } << lane);
    }
    else if (!at_hand(move.next))
    {
      at.walk[lane] = state.bits();
      open &= ~(LaneBits{ 1 } << lane);
    }
  }

  [[nodiscard]] static HWY_INLINE Triple<W> clamped(const Triple<W>& at)
  {
    const auto of = [](Vector x) HWY_ATTR
    {
      return W::min(W::max(x, W::set(0.0)), W::set(1.0));
    };
    return { of(at.x), of(at.y), of(at.z) };
  }

  static constexpr int kFew = 2; ///< lanes that are as fast one by one

  const CurvilinearCall& on_;
  const CurvilinearMesh& mesh_;
  const BrickCorners& corners_;
  TypedSampler<W> places_; ///< at the begin of the interval
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
