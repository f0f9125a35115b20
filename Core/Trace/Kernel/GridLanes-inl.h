// SPDX-License-Identifier: BSD-3-Clause
// Policies of uniform and rectilinear grids, and of the levels of AMR meshes (Advector-inl.h lists a policy's members).
// Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_GRID_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_GRID_LANES_INL_H
#undef RIVULET_GRID_LANES_INL_H
#else
#define RIVULET_GRID_LANES_INL_H
#endif

#include "Trace/Kernel/GridSampler-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// The common part of the policies of all grids: bricks, hidden cells, values.
template <class W, class Scalar>
class GridLanes
{
public:
  using Call = GridCall;
  using Cell = CellPosition;
  using Positions = CellLanes<W>;
  using Vector = typename W::Vector;

  explicit GridLanes(const GridCall& on)
    : mesh_(on.mesh)
    , grid_(on.grid)
    , level_(on.level)
    , cells_(on.cells)
    , steps_(on.call.window.steps)
    , flat_(on.grid.has_flat_axes())
    , hidden_cells_(on.mesh.has_hidden_cells())
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , before_(on.before)
    , after_(on.after)
    , now_(on.now, cell_centred_)
    , later_(on.call.window.later != nullptr ? on.later : on.now, cell_centred_)
  {
  }

  [[nodiscard]] static Cell cell(const Position& at) { return at.template as<Cell>(); }
  [[nodiscard]] static Position position(const Cell& at) { return at; }
  [[nodiscard]] HWY_INLINE Cell get(const Positions& at, std::size_t lane) const { return at.get(lane, level_); }

  /// Lanes whose positions may be outside of this brick's cells, or in hidden ones.
  [[nodiscard]] HWY_INLINE LaneBits doubtful(const Positions& at, LaneBits lanes) const
  {
    return hidden_cells_ ? lanes : lanes & ~in_window(at);
  }
  [[nodiscard]] HWY_INLINE bool in_window(const Cell& at) const
  {
    return cells_.contains(at.cell) && (!flat_ || grid_.on_plane(at));
  }
  [[nodiscard]] bool settle(Cell& at) const { return mesh_.settle(at, steps_); }
  [[nodiscard]] bool hidden(const Cell& at) const { return mesh_.hidden(at.cell, steps_); }

  /// Lanes in which two positions are the same place, as same_position().
  [[nodiscard]] HWY_INLINE LaneBits same(const Positions& a, const Positions& b) const
  {
    const auto still = [&](std::size_t axis) HWY_ATTR
    {
      const auto cells = W::load(a.cell[axis]) - W::load(b.cell[axis]);
      const Vector part = W::load(a.fraction[axis]) - W::load(b.fraction[axis]);
      return W::bits(W::equal(W::to_doubles(cells) + part, W::set(0.0)));
    };
    return still(0) & still(1) & still(2);
  }
  [[nodiscard]] static bool same(const Cell& a, const Cell& b) { return same_position(a, b); }

  [[nodiscard]] Vec3 world(const Cell& at) const { return grid_.world(at); }
  [[nodiscard]] WayPoint way_point(const Cell& at) const { return { &mesh_, grid_.world(at), at }; }

  using StraightWay = GridMesh::StraightWay;
  template <class ShareWhen>
  [[nodiscard]] StraightWay straight_way(const Cell& from, const Vec3& by, const ShareWhen& /*share_when*/) const
  {
    return mesh_.straight_way(from, by, steps_);
  }
  [[nodiscard]] Cell displaced(const Cell& from, const Vec3& by) const { return grid_.displaced(from, by); }
  [[nodiscard]] double cells_along(const Cell& from, const Vec3& by) const { return grid_.cells_along(from, by); }
  [[nodiscard]] static double cells_between(const Cell& a, const Cell& b) { return rivulet::cells_between(a, b); }

  [[nodiscard]] double cell_length(const Cell& at) const { return grid_.cell_length(at.cell); }

  /// Whether the sides of all cells are equal.
  [[nodiscard]] bool equal_sides() const { return grid_.uniform() && grid_.equal_sides({ 0, 0, 0 }); }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_now(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return now_.template sample<kGradient>(at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample_later(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return later_.template sample<kGradient>(at, lanes, gradient);
  }
  /// `step`: 0, before the interval, to 3, after it.
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_at(int step, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    switch (step)
    {
    case 0:
      return GridSampler<W, Scalar>(before_, cell_centred_).template sample<kGradient>(at, lanes, gradient);
    case 1:
      return now_.template sample<kGradient>(at, lanes, gradient);
    case 2:
      return later_.template sample<kGradient>(at, lanes, gradient);
    default:
      return GridSampler<W, Scalar>(after_, cell_centred_).template sample<kGradient>(at, lanes, gradient);
    }
  }

  /// Prefetches the values about the end of the next step, if it is like the last one, from `base` to `trial`.
  HWY_INLINE void prefetch(
      const Positions& base, const Positions& trial, bool unsteady, const CubicWeights* cubic) const
  {
    const auto ahead = [&](std::size_t axis) HWY_ATTR
    {
      const auto base_cell = W::load(base.cell[axis]);
      const auto trial_cell = W::load(trial.cell[axis]);
      const Vector at = W::load(trial.fraction[axis]);
      const Vector moved = (at - W::load(base.fraction[axis])) + W::to_doubles(trial_cell - base_cell);
      Vector next = at + moved;
      if constexpr (W::kLanes == 1) // vectors of integers saturate
      {
        next = W::min(W::max(next, -GridGeometry::kFarAway), GridGeometry::kFarAway);
      }
      return trial_cell + W::to_ints(W::floor(next));
    };
    const CellNumbers<W> cells{ ahead(0), ahead(1), ahead(2) };
    now_.prefetch(cells);
    if (unsteady)
    {
      later_.prefetch(cells);
      if (HWY_UNLIKELY(cubic != nullptr))
      {
        prefetch_cubic(cells, *cubic);
      }
    }
  }

protected:
  const GridMesh& mesh_;
  const GridGeometry& grid_;
  std::int32_t level_;

private:
  HWY_NOINLINE void prefetch_cubic(const CellNumbers<W>& cells, const CubicWeights& cubic) const
  {
    if (cubic.has_before)
    {
      GridSampler<W, Scalar>(before_, cell_centred_).prefetch(cells);
    }
    if (cubic.has_after)
    {
      GridSampler<W, Scalar>(after_, cell_centred_).prefetch(cells);
    }
  }
  [[nodiscard]] HWY_INLINE LaneBits in_window(const Positions& at) const
  {
    const auto within = [&](std::size_t axis) HWY_ATTR
    {
      return W::between_bits(W::load(at.cell[axis]), cells_.begin[axis], cells_.end[axis]);
    };
    LaneBits inside = within(0) & within(1) & within(2);
    for (std::size_t axis = 0; flat_ && axis < 3; ++axis)
    {
      if (grid_.flat(static_cast<int>(axis)))
      {
        inside &= W::bits(W::equal(W::load(at.fraction[axis]), W::set(0.0)));
      }
    }
    return inside;
  }

  const Box& cells_;
  StepRange steps_;
  bool flat_; ///< along at least one axis
  bool hidden_cells_;
  bool cell_centred_;
  const BrickWindow& before_;
  const BrickWindow& after_;
  GridSampler<W, Scalar> now_;
  GridSampler<W, Scalar> later_; ///< unsteady
};

/// Grids of equal cells: slopes are in cells, so that a step is an addition. An AMR level is such a grid.
template <class W, class Scalar>
class UniformLanes : public GridLanes<W, Scalar>
{
  using Grid = GridLanes<W, Scalar>;
  using Grid::grid_;

public:
  static constexpr bool kCellsAlike = true;
  static constexpr bool kWalks = false;
  static constexpr bool kWaysAtHand = true;
  static constexpr bool kMoves = false;

  explicit UniformLanes(const GridCall& on)
    : Grid(on)
    , index_from_world_(on.grid.index_from_world({ 0, 0, 0 }))
    , aligned_(on.grid.axis_aligned())
  {
  }

  [[nodiscard]] HWY_INLINE Triple<W> slope_of(const Triple<W>& v) const
  {
    const Mat3& m = index_from_world_;
    if (aligned_)
    {
      return { W::set(m[0]) * v.x, W::set(m[4]) * v.y, W::set(m[8]) * v.z };
    }
    const auto row = [&](std::size_t i) HWY_ATTR
    {
      const auto xy = W::fused(W::set(m[i + 1]), v.y, W::set(m[i]) * v.x);
      return W::fused(W::set(m[i + 2]), v.z, xy);
    };
    return { row(0), row(3), row(6) };
  }

  HWY_INLINE void move(
      LaneBits /*lanes*/, const CellLanes<W>& from, const Triple<W>& by, bool /*at_end*/, CellLanes<W>& to) const
  {
    const auto along = [&](std::size_t axis, typename W::Vector way) HWY_ATTR
    {
      const auto far = W::load(from.fraction[axis]) + way;
      const auto moved = W::max(W::min(far, W::set(GridGeometry::kFarAway)), W::set(-GridGeometry::kFarAway));
      const auto whole = W::floor(moved);
      W::store(moved - whole, to.fraction[axis]);
      W::store(W::load(from.cell[axis]) + W::to_ints(whole), to.cell[axis]);
    };
    along(0, by.x);
    along(1, by.y);
    along(2, by.z);
  }

  [[nodiscard]] HWY_INLINE typename W::Vector length_of(const Triple<W>& slope) const
  {
    const Mat3& m = grid_.world_from_index();
    return HWY_NAMESPACE::length_of(Triple<W>{
        dot(Triple<W>::set(&m[0]), slope), dot(Triple<W>::set(&m[3]), slope), dot(Triple<W>::set(&m[6]), slope) });
  }

  HWY_INLINE void world_of(LaneBits /*lanes*/, const CellLanes<W>& at, float (*world)[W::kLanes]) const
  {
    const auto index = [&](std::size_t axis) HWY_ATTR
    {
      return W::to_doubles(W::set(grid_.first()[axis]) + W::load(at.cell[axis])) + W::load(at.fraction[axis]);
    };
    const Triple<W> place{ index(0), index(1), index(2) };
    const Mat3& m = grid_.world_from_index();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const auto relative = dot(Triple<W>::set(&m[3 * axis]), place);
      W::store_floats(W::set(grid_.origin()[axis]) + relative, world[axis]);
    }
  }

  HWY_INLINE void jacobian(LaneBits /*lanes*/, const CellLanes<W>& /*at*/, typename W::Vector* m) const
  {
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::set(index_from_world_[i]);
    }
  }

  /// A step in CellCrossing at a slope, in the quantity of steps.
  [[nodiscard]] HWY_INLINE typename W::Vector crossing(double step, const Triple<W>& slope) const
  {
    const auto rate = W::max(HWY_NAMESPACE::length_of(slope), W::set(AdvectionContext::kLeastSpeed)); // in cells
    return W::set(step) * W::set(grid_.unit_diagonal()) / rate;
  }

private:
  Mat3 index_from_world_;
  bool aligned_;
};

/// Rectilinear grids, where only the cells of a layer are alike: slopes are in world units, and the search for a cell
/// begins at the last one.
template <class W, class Scalar>
class RectilinearLanes : public GridLanes<W, Scalar>
{
  using Grid = GridLanes<W, Scalar>;
  using Grid::grid_;

public:
  static constexpr bool kCellsAlike = false;
  static constexpr bool kWalks = false;
  static constexpr bool kWaysAtHand = true;
  static constexpr bool kMoves = false;

  explicit RectilinearLanes(const GridCall& on)
    : Grid(on)
  {
  }

  [[nodiscard]] HWY_INLINE Triple<W> slope_of(const Triple<W>& v) const { return v; }

  HWY_INLINE void move(
      LaneBits lanes, const CellLanes<W>& from, const Triple<W>& by, bool at_end, CellLanes<W>& to) const
  {
    alignas(64) double way[3][W::kLanes];
    by.store(way);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const CellPosition base = from.get(lane, 0);
          const Vec3 displacement{ way[0][lane], way[1][lane], way[2][lane] };
          to.set(lane, at_end ? grid_.end_of_step(base, displacement) : grid_.moved(base, displacement));
        });
  }

  [[nodiscard]] HWY_INLINE typename W::Vector length_of(const Triple<W>& slope) const
  {
    return HWY_NAMESPACE::length_of(slope);
  }

  HWY_INLINE void world_of(LaneBits lanes, const CellLanes<W>& at, float (*world)[W::kLanes]) const
  {
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Vec3 place = grid_.world(at.get(lane, 0));
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            world[axis][lane] = static_cast<float>(place[axis]);
          }
        });
  }

  HWY_INLINE void jacobian(LaneBits lanes, const CellLanes<W>& at, typename W::Vector* m) const
  {
    alignas(64) double rows[9][W::kLanes] = {};
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Mat3 of_cell = grid_.index_from_world(at.get(lane, 0).cell);
          for (std::size_t i = 0; i < 9; ++i)
          {
            rows[i][lane] = of_cell[i];
          }
        });
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::load(rows[i]);
    }
  }

  /// A step in CellCrossing at a slope, in the quantity of steps; empty if the sides of the cell are equal.
  [[nodiscard]] std::optional<double> crossing(double step, const CellPosition& at, const Vec3& slope) const
  {
    if (grid_.equal_sides(at.cell))
    {
      return std::nullopt;
    }
    const Mat3 scale = grid_.index_from_world(at.cell); // 0 along flat axes
    const Vec3 in_cells{ scale[0] * slope[0], scale[4] * slope[1], scale[8] * slope[2] };
    const double rate = std::sqrt(in_cells[0] * in_cells[0] + in_cells[1] * in_cells[1] + in_cells[2] * in_cells[2]);
    return step * grid_.unit_diagonal() / std::max(rate, AdvectionContext::kLeastSpeed);
  }
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
