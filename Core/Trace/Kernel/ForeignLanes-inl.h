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
#include "Trace/Kernel/WorldLanes-inl.h"
#include "Trace/Mesh/FirstWayOut.h"
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

template <class W, class Scalar>
class ForeignLanes : public WorldPolicy<W>
{
public:
  using Call = ForeignCall;
  using typename WorldPolicy<W>::Cell;
  using typename WorldPolicy<W>::Positions;
  using typename WorldPolicy<W>::StraightWay;
  using WorldPolicy<W>::displaced;
  static constexpr bool kWalks = false;

  explicit ForeignLanes(const ForeignCall& on)
    : mesh_(on.mesh)
    , cells_(on.mesh.cells())
    , window_(on.call.window)
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , first_component_(std::max(on.call.context.field().velocity.first_component, 0))
  {
  }

  [[nodiscard]] WayPoint way_point(const Cell& at) const { return { &mesh_, at.point, at }; }

  [[nodiscard]] static bool in_window(const Cell& /*at*/) { return true; }
  [[nodiscard]] bool settle(Cell& at) const
  {
    const std::int64_t cell = cells_.find(at.point, at.cell, weights_);
    at.cell = cell >= 0 ? cell : at.cell;
    weighed_ = cell >= 0 ? at : Cell{};
    return cell >= 0;
  }
  [[nodiscard]] double cells_along(const Cell& from, const Vec3& by) const { return length(by) / cell_length(from); }
  [[nodiscard]] double cells_between(const Cell& a, const Cell& b) const { return distance(a, b) / cell_length(a); }

  [[nodiscard]] StraightWay straight_way(const Cell& from, const Vec3& by) const
  {
    return first_way_out(StraightWay{ 1.0, from }, cells_along(from, by),
        [&](double share, const StraightWay& so_far, Cell& place)
        {
          place = displaced(from, { share * by[0], share * by[1], share * by[2] });
          place.cell = so_far.end.cell;
          return settle(place);
        });
  }

  [[nodiscard]] double cell_length(const Cell& at) const { return length(cells_.cell_sides(at.cell)); }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return WorldPolicy<W>::crossing_of(step, cells_.cell_sides(at.cell), slope);
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
  using WorldPolicy<W>::distance;
  using WorldPolicy<W>::length;

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
  std::int64_t first_component_;
  mutable CellWeights weights_; ///< at weighed_
  mutable Cell weighed_;        ///< the last place that was sought or weighed
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
