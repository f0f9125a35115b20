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
#include "Trace/Kernel/VelocityGradient-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"
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
  const ForeignMesh& mesh;
};

/// Positions of the particles in the lanes.
template <class W>
struct ForeignPositions
{
  WorldPosition of_lane[W::kLanes];

  void set(std::size_t lane, const WorldPosition& at) { of_lane[lane] = at; }
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
  static constexpr bool kMoves = false;

  explicit ForeignLanes(const ForeignCall& on)
    : mesh_(on.mesh)
    , cells_(on.mesh.cells())
    , window_(on.call.window)
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , first_component_(std::max(on.call.context.field().velocity.first_component, 0))
  {
  }

  [[nodiscard]] WayPoint way_point(const Cell& at) const { return { &mesh_, at.point, at }; }

  [[nodiscard]] static Cell get(const Positions& at, std::size_t lane) { return at.of_lane[lane]; }
  /// The search begins in the cell of the last sample, which is that of `to`, as in the stock filter.
  void move(LaneBits lanes, const Positions& from, const Triple<W>& by, bool /*at_end*/, Positions& to) const
  {
    alignas(64) double way[3][W::kLanes];
    by.store(way);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const std::int64_t last = to.of_lane[lane].cell;
          to.of_lane[lane] = displaced(from.of_lane[lane], { way[0][lane], way[1][lane], way[2][lane] });
          to.of_lane[lane].cell = last;
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
    const std::int64_t cell = cells_.find(at.point, at.cell, weights_);
    at.cell = cell >= 0 ? cell : at.cell;
    weighed_ = cell >= 0 ? at : Cell{};
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

  [[nodiscard]] StraightWay straight_way(const Cell& from, const Vec3& by) const
  {
    return Base::straight_way_of(*this, from, by);
  }

  [[nodiscard]] double cell_length(const Cell& at) const { return rivulet::length_of(cells_.cell_sides(at.cell)); }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return Base::crossing_of(step, cells_.cell_sides(at.cell), slope);
  }

  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_now(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample<kGradient>(*window_.now, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_later(const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    return sample<kGradient>(*window_.later, at, lanes, gradient);
  }
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample_at(int step, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    const BrickView* const views[kMostSteps] = { window_.before, window_.now, window_.later, window_.after };
    return sample<kGradient>(*views[step], at, lanes, gradient);
  }

private:
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample(
      const BrickView& brick, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    alignas(64) double velocity[3][W::kLanes] = {};
    alignas(64) double slopes[3][3][W::kLanes] = {}; // by direction, then component
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Cell& place = at.of_lane[lane];
          if (cell_centred_)
          {
            for (std::int64_t c = 0; c < 3; ++c)
            {
              velocity[c][lane] = value_of(brick, place.cell, first_component_ + c);
            }
            return;
          }
          weigh(place, kGradient);
          for (std::size_t i = 0; i < weights_.nodes.size(); ++i)
          {
            for (std::int64_t c = 0; c < 3; ++c)
            {
              const double value = value_of(brick, weights_.nodes[i], first_component_ + c);
              velocity[c][lane] = std::fma(weights_.weights[i], value, velocity[c][lane]);
              for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
              {
                slopes[axis][c][lane] = std::fma(weights_.gradients[i][axis], value, slopes[axis][c][lane]);
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

  void weigh(const Cell& at, bool gradients) const
  {
    const bool known = weighed_.cell == at.cell && weighed_.point == at.point;
    if (!known || (gradients && weights_.gradients.size() != weights_.nodes.size()))
    {
      cells_.weigh(at.cell, at.point, gradients, weights_);
      weighed_ = at;
    }
  }

  const ForeignMesh& mesh_;
  const ForeignCells& cells_;
  const FieldWindow& window_;
  bool cell_centred_;
  std::int64_t first_component_; ///< of the brick's values, which is x of the velocity
  mutable CellWeights weights_;  ///< at weighed_
  mutable Cell weighed_;         ///< the last place that was sought or weighed
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
