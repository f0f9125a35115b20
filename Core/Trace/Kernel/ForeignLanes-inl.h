// SPDX-License-Identifier: BSD-3-Clause
// Policy of foreign cells (Mesh/ForeignCells.h; WorldLanes-inl.h has the rest of it). Included once per target by the
// Kernel*.cxx files.
#if defined(RIVULET_FOREIGN_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_FOREIGN_LANES_INL_H
#undef RIVULET_FOREIGN_LANES_INL_H
#else
#define RIVULET_FOREIGN_LANES_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/ShapeSampler-inl.h"
#include "Trace/Kernel/VelocityGradient-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"
#include "Trace/Mesh/ChangingMesh.h"
#include "Trace/Mesh/ForeignMesh.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

struct ForeignCall
{
  const KernelCall& call;
  const Mesh& mesh;
  const ChangingMesh::About& cells; ///< at the steps of the window
  bool changes = false;             ///< whether steps have other cells; else only the first of the interval's are given

  /// The cells of a step of the window.
  [[nodiscard]] const ForeignCells& cells_at(std::size_t step) const { return *cells[changes ? step : kNow]; }
  static constexpr std::size_t kNow = ChangingMesh::kNow;
  static constexpr std::size_t kLater = ChangingMesh::kLater;
};

/// Positions of the particles in the lanes.
template <class W>
struct ForeignPositions
{
  TimedPlace of_lane[W::kLanes];

  void set(std::size_t lane, const TimedPlace& at) { of_lane[lane] = at; }
  void take(LaneBits lanes, const ForeignPositions& from)
  {
    for_each_lane(lanes, [&](std::size_t lane) { of_lane[lane] = from.of_lane[lane]; });
  }
};

template <class W, class Scalar>
class ForeignLanes : public WorldPolicy<W>
{
  using Base = WorldPolicy<W>;

public:
  using Call = ForeignCall;
  using Positions = ForeignPositions<W>;
  using Base::displaced;
  using Base::same;
  using typename Base::Cell;
  using typename Base::StraightWay;
  using typename Base::Vector;
  static constexpr bool kWalks = false;
  static constexpr bool kWaysAtHand = true;
  static constexpr bool kMoves = true;

  explicit ForeignLanes(const ForeignCall& on)
    : on_(on)
    , window_(on.call.window)
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , first_component_(std::max(on.call.context.field().velocity.first_component, 0))
  {
    for (std::size_t step = 0; on.changes && step < own_.size(); ++step)
    {
      if (const auto* const own = dynamic_cast<const UnstructuredCells*>(on.cells[step].get()))
      {
        own_[step].emplace(*own);
      }
    }
  }

  [[nodiscard]] WayPoint way_point(const Cell& at) const
  {
    return { &on_.mesh, at.point, Base::position(at), { window_.interval, at.share } };
  }
  /// The moments of places that move() sets next, or of one place, as shares of the interval.
  static void set_moments(LaneBits lanes, Vector shares, Positions& at)
  {
    alignas(64) double share[W::kLanes];
    W::store(shares, share);
    for_each_lane(lanes, [&](std::size_t lane) { at.of_lane[lane].share = share[lane]; });
  }
  static void set_moment(std::size_t lane, double share, Positions& at) { at.of_lane[lane].share = share; }

  [[nodiscard]] static Cell get(const Positions& at, std::size_t lane) { return at.of_lane[lane]; }
  /// The search begins in the cell of the last sample, which is that of `to`, as in the stock filter.
  void move(LaneBits lanes, const Positions& from, const Triple<W>& by, bool /*at_end*/, Positions& to) const
  {
    alignas(64) double way[3][W::kLanes];
    by.store(way);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Cell last = to.of_lane[lane];
          to.of_lane[lane] = displaced(from.of_lane[lane], { way[0][lane], way[1][lane], way[2][lane] });
          to.of_lane[lane].cell = last.cell;
          to.of_lane[lane].block = last.block;
          to.of_lane[lane].share = last.share;
        });
  }
  void world_of(LaneBits lanes, const Positions& at, float (*world)[W::kLanes]) const
  {
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            world[axis][lane] = static_cast<float>(at.of_lane[lane].point[axis]);
          }
        });
  }
  /// Gradients of samples are by world coordinates.
  static void jacobian(LaneBits /*lanes*/, const Positions& /*at*/, Vector* m)
  {
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::set(i % 4 == 0 ? 1.0 : 0.0);
    }
  }
  [[nodiscard]] static LaneBits same(const Positions& a, const Positions& b)
  {
    LaneBits equal = 0;
    for (std::size_t lane = 0; lane < W::kLanes; ++lane)
    {
      equal |= LaneBits{ same(a.of_lane[lane], b.of_lane[lane]) } << lane;
    }
    return equal;
  }
  /// Each place has to be sought.
  [[nodiscard]] static LaneBits doubtful(const Positions& /*at*/, LaneBits lanes) { return lanes; }
  [[nodiscard]] static bool in_window(const Cell& /*at*/) { return true; }
  [[nodiscard]] bool settle(Cell& at) const
  {
    if (on_.changes)
    {
      return settle_at_steps(at);
    }
    const std::int64_t cell = find(ForeignCall::kNow, at.point, at.cell);
    at.cell = cell >= 0 ? cell : at.cell;
    return cell >= 0;
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

  /// At the begin of the interval; at its end if the place is of that time.
  [[nodiscard]] Vec3 cell_sides(const Cell& at) const
  {
    const bool at_end = on_.changes && (at.share == 1.0 || at.cell < 0);
    const std::size_t step = at_end ? ForeignCall::kLater : ForeignCall::kNow;
    return on_.cells_at(step).cell_sides(cell_at(step, at));
  }
  [[nodiscard]] double cell_length(const Cell& at) const { return rivulet::length_of(cell_sides(at)); }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return Base::crossing_of(step, cell_sides(at), slope);
  }

  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_now(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample<kGradient>(ForeignCall::kNow, *window_.now, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_later(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample<kGradient>(ForeignCall::kLater, *window_.later, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_at(int step, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    const BrickView* const views[kMostSteps] = { window_.before, window_.now, window_.later, window_.after };
    return sample<kGradient>(static_cast<std::size_t>(step), *views[step], at, lanes, gradient);
  }

private:
  /// With the operations of UnstructuredLanes: at the time of a step the values are the same in the intervals beside
  /// it.
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_own(
      std::size_t step, const BrickView& brick, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    UnstructuredPositions<W> places;
    LaneBits with_cell = 0;
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Cell& place = at.of_lane[lane];
          const std::int64_t cell = ChangingMesh::counts(step, place.share) ? cell_at(step, place) : -1;
          places.set(lane, { { .point = place.point, .cell = cell } });
          with_cell |= LaneBits{ cell >= 0 } << lane;
        });
    alignas(64) double velocity[3][W::kLanes] = {}; // 0 has no weight
    const auto clear = [](Triple<W>& of)
    {
      of = Triple<W>::zero();
    };
    std::for_each(std::begin(gradient.by_index), std::end(gradient.by_index), clear);
    if (with_cell != 0)
    {
      own_[step]
          ->template sample<kGradient>(RowLanes<W>(&brick, first_component_), places, with_cell, gradient)
          .store_some(with_cell, velocity);
    }
    return Triple<W>::load(velocity);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample(
      std::size_t step, const BrickView& brick, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    if (own_[step] && !cell_centred_)
    {
      return sample_own<kGradient>(step, brick, at, lanes, gradient);
    }
    alignas(64) double velocity[3][W::kLanes] = {};
    alignas(64) double slopes[3][3][W::kLanes] = {}; // by direction, then component
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Cell& place = at.of_lane[lane];
          const bool counts = !on_.changes || ChangingMesh::counts(step, place.share);
          const std::int64_t cell = counts ? cell_at(step, place) : -1;
          if (cell_centred_)
          {
            for (std::int64_t c = 0; c < 3; ++c)
            {
              velocity[c][lane] = cell >= 0 ? value_of(brick, cell, first_component_ + c) : 0.0;
            }
            return;
          }
          if (cell < 0)
          {
            return; // a value without weight
          }
          const CellWeights& weights = weigh(step, place, cell, kGradient);
          for (std::size_t i = 0; i < weights.nodes.size(); ++i)
          {
            for (std::int64_t c = 0; c < 3; ++c)
            {
              const double value = value_of(brick, weights.nodes[i], first_component_ + c);
              velocity[c][lane] = std::fma(weights.weights[i], value, velocity[c][lane]);
              for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
              {
                slopes[axis][c][lane] = std::fma(weights.gradients[i][axis], value, slopes[axis][c][lane]);
              }
            }
          }
        });
    if constexpr (kGradient)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        gradient.by_index[axis] = Triple<W>::load(slopes[axis]);
      }
    }
    return Triple<W>::load(velocity);
  }

  /// Nodes and weights of the last place at a step of the window.
  struct Weighed
  {
    CellWeights weights;
    Vec3 point{ 0, 0, 0 };
    std::int64_t cell = -1; ///< -1: none
  };

  /// The cell with a place at a step; -1: none. Its weights are kept.
  std::int64_t find(std::size_t step, const Vec3& point, std::int64_t before) const
  {
    Weighed& of_step = weighed_[step];
    of_step.point = point;
    of_step.cell = on_.cells_at(step).find(point, before, of_step.weights);
    return of_step.cell;
  }
  /// The same at all steps whose values count at that moment (ChangingMesh).
  [[nodiscard]] HWY_NOINLINE bool settle_at_steps(Cell& at) const
  {
    bool inside = true;
    Cell found = at;
    for (std::size_t step = 0; step < on_.cells.size(); ++step)
    {
      if (on_.cells[step] == nullptr || !ChangingMesh::counts(step, at.share))
      {
        continue;
      }
      const std::int64_t before = step == ForeignCall::kNow ? at.cell : step == ForeignCall::kLater ? at.block : -1;
      const std::int64_t cell = find(step, at.point, before);
      inside = inside && cell >= 0;
      found.cell = step == ForeignCall::kNow ? cell : found.cell;
      found.block = step == ForeignCall::kLater ? block_of(cell) : found.block;
    }
    at = inside ? found : at;
    return inside;
  }
  /// The cell of a place that was settled.
  [[nodiscard]] std::int64_t cell_at(std::size_t step, const Cell& at) const
  {
    const std::int64_t known = !on_.changes || step == ForeignCall::kNow ? at.cell
                               : step == ForeignCall::kLater             ? at.block
                                                                         : -1;
    const Weighed& of_step = weighed_[step];
    return known >= 0                                       ? known
           : of_step.cell >= 0 && of_step.point == at.point ? of_step.cell
                                                            : find(step, at.point, -1);
  }

  const CellWeights& weigh(std::size_t step, const Cell& at, std::int64_t cell, bool gradients) const
  {
    Weighed& of_step = weighed_[on_.changes ? step : ForeignCall::kNow];
    const bool known = of_step.cell == cell && of_step.point == at.point;
    if (!known || (gradients && of_step.weights.gradients.size() != of_step.weights.nodes.size()))
    {
      on_.cells_at(step).weigh(cell, at.point, gradients, of_step.weights);
      of_step.point = at.point;
      of_step.cell = cell;
    }
    return of_step.weights;
  }

  const ForeignCall& on_;
  const FieldWindow& window_;
  bool cell_centred_;
  std::int64_t first_component_;                               ///< of the brick's values, which is x of the velocity
  std::array<std::optional<ShapeSampler<W>>, kMostSteps> own_; ///< of steps whose cells the suite knows
  mutable std::array<Weighed, kMostSteps> weighed_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
