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

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/VelocityGradient-inl.h"
#include "Trace/Mesh/WorldPosition.h"

#include <algorithm>
#include <cmath>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Positions of the particles in the lanes.
template <class W>
struct WorldLanes
{
  WorldPosition of_lane[W::kLanes];

  void set(std::size_t lane, const WorldPosition& at) { of_lane[lane] = at; }
  void take(LaneBits lanes, const WorldLanes& from)
  {
    for_each_lane(lanes, [&](std::size_t lane) { of_lane[lane] = from.of_lane[lane]; });
  }
};

/// `Policy`: the class that derives from this. It has
///   value_of_cell(brick, place, c)                 component c of the velocity of the place's cell
///   for_each_node<kGradient>(brick, place, use)    use(weight, slope, value): weight of a node and its derivatives,
///   and
///                                                  value(c), component c of the velocity there
template <class W, class Policy>
class WorldPolicy
{
public:
  using Cell = WorldPosition;
  using Positions = WorldLanes<W>;
  using Vector = typename W::Vector;
  static constexpr bool kCellsAlike = false;

  struct StraightWay
  {
    double share = 1.0; ///< of the way that is inside; 1: it does not leave the domain
    Cell end;           ///< there
  };

  [[nodiscard]] static Cell get(const Positions& at, std::size_t lane) { return at.of_lane[lane]; }
  [[nodiscard]] static Triple<W> slope_of(const Triple<W>& velocity) { return velocity; }
  [[nodiscard]] static Vector length_of(const Triple<W>& slope) { return HWY_NAMESPACE::length_of(slope); }

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
  [[nodiscard]] static Vec3 world(const Cell& at) { return at.point; }

  /// Gradients of samples are by world coordinates.
  static void jacobian(LaneBits /*lanes*/, const Positions& /*at*/, Vector* m)
  {
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::set(i % 4 == 0 ? 1.0 : 0.0);
    }
  }

  /// Each place has to be sought.
  [[nodiscard]] static LaneBits doubtful(const Positions& /*at*/, LaneBits lanes) { return lanes; }
  [[nodiscard]] static bool hidden(const Cell& /*at*/) { return false; }

  [[nodiscard]] static bool same(const Cell& a, const Cell& b) { return a.point == b.point; }
  [[nodiscard]] static LaneBits same(const Positions& a, const Positions& b)
  {
    LaneBits equal = 0;
    for (std::size_t lane = 0; lane < W::kLanes; ++lane)
    {
      equal |= LaneBits{ same(a.of_lane[lane], b.of_lane[lane]) } << lane;
    }
    return equal;
  }

  [[nodiscard]] static Cell displaced(Cell from, const Vec3& by)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      from.point[axis] += by[axis];
    }
    return from;
  }
  [[nodiscard]] static bool equal_sides() { return false; }
  static void prefetch(const Positions&, const Positions&, bool, const CubicWeights*) {}

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

protected:
  explicit WorldPolicy(const KernelCall& call)
    : window_(call.window)
    , cell_centred_(call.context.velocity().centering == Centering::Cell)
    , first_component_(std::max(call.context.field().velocity.first_component, 0))
  {
  }

  /// Number of the component of the brick's values that is component `c` of the velocity.
  [[nodiscard]] std::int64_t component(std::int64_t c) const { return first_component_ + c; }

  [[nodiscard]] static double length(const Vec3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
  [[nodiscard]] static double distance(const Cell& a, const Cell& b)
  {
    return length({ b.point[0] - a.point[0], b.point[1] - a.point[1], b.point[2] - a.point[2] });
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

private:
  template <bool kGradient>
  [[nodiscard]] Triple<W> sample(
      const BrickView& brick, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    const Policy& policy = static_cast<const Policy&>(*this);
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
              velocity[c][lane] = policy.value_of_cell(brick, place, c);
            }
            return;
          }
          policy.template for_each_node<kGradient>(brick, place,
              [&](double weight, const Vec3& slope, const auto& value_of)
              {
                for (std::int64_t c = 0; c < 3; ++c)
                {
                  const double value = value_of(c);
                  velocity[c][lane] = std::fma(weight, value, velocity[c][lane]);
                  for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
                  {
                    slopes[axis][c][lane] = std::fma(slope[axis], value, slopes[axis][c][lane]);
                  }
                }
              });
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

  const FieldWindow& window_;
  bool cell_centred_;
  std::int64_t first_component_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
