// SPDX-License-Identifier: BSD-3-Clause
// Policy of curvilinear grids in bricks (Mesh/CurvilinearMesh.h; WorldLanes-inl.h has the rest of it): only cells of
// the brick are at hand. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_CURVILINEAR_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_CURVILINEAR_LANES_INL_H
#undef RIVULET_CURVILINEAR_LANES_INL_H
#else
#define RIVULET_CURVILINEAR_LANES_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/WorldLanes-inl.h"
#include "Trace/Mesh/CurvilinearMesh.h"
#include "Trace/Mesh/HexWalk.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

struct CurvilinearCall
{
  const KernelCall& call;
  const CurvilinearMesh& mesh;
};

template <class W, class Scalar>
class CurvilinearLanes : public WorldPolicy<W>
{
public:
  using Call = CurvilinearCall;
  using typename WorldPolicy<W>::Cell;
  using typename WorldPolicy<W>::Positions;
  static constexpr bool kWalks = true;

  explicit CurvilinearLanes(const CurvilinearCall& on)
    : mesh_(on.mesh)
    , corners_(*on.call.window.places)
    , window_(on.call.window)
    , cell_centred_(on.call.context.velocity().centering == Centering::Cell)
    , first_component_(std::max(on.call.context.field().velocity.first_component, 0))
  {
  }

  [[nodiscard]] WayPoint way_point(const Cell& at) const { return { &mesh_, at.point, at }; }

  /// False where no cell has the place. Else it has a cell of the brick, or is on its way to one elsewhere.
  [[nodiscard]] bool settle(Cell& at) const
  {
    if (at.walk == WalkState::kOutside)
    {
      return false;
    }
    if (at.walk == WalkState::kSeeks)
    {
      CurvilinearGrid::Found best{ at.cell, {}, {} };
      mesh_.grid_of_nodes().seek_in_leaf(
          at.block, corners_, at.point, [this](const Int3& cell) { return hidden(cell); }, best);
      at.cell = best.cell;
      at.walk = WalkState::kLost;
    }
    Vec3 parametric{ 0, 0, 0 };
    if (at.walk != WalkState::kLost && walk_on(*this, at, parametric) == WalkEnd::Inside)
    {
      known_ = at;
      parametric_ = parametric;
    }
    return true;
  }
  [[nodiscard]] static bool in_window(const Cell& at) { return at.walk == 0; }
  /// Whether settle() has to be asked before a sample.
  [[nodiscard]] static bool unsettled(const Cell& at) { return at.walk != 0; }

  // Of a lattice for walk_on().
  [[nodiscard]] Int3 counts() const { return mesh_.grid_of_nodes().counts(); }
  [[nodiscard]] bool at_hand(const Int3& cell) const { return corners_.has(cell); }
  [[nodiscard]] HexCell::Corners corners(const Int3& cell) const { return corners_.of(cell); }
  [[nodiscard]] bool hidden(const Int3& cell) const { return mesh_.closed(cell); }
  using WorldPolicy<W>::hidden;

  [[nodiscard]] Vec3 cell_sides(const Cell& at) const
  {
    return box_around(corners_.of(mesh_.cell_of(at.cell))).sides();
  }
  [[nodiscard]] double cell_length(const Cell& at) const { return WorldPolicy<W>::length(cell_sides(at)); }
  [[nodiscard]] double cells_between(const Cell& a, const Cell& b) const
  {
    return WorldPolicy<W>::distance(a, b) / cell_length(a);
  }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return WorldPolicy<W>::crossing_of(step, cell_sides(at), slope);
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
          const Int3 cell = mesh_.cell_of(place.cell);
          if (cell_centred_)
          {
            for (std::int64_t c = 0; c < 3; ++c)
            {
              velocity[c][lane] = value_at(brick, cell, first_component_ + c);
            }
            return;
          }
          find_again(place);
          const std::array<double, HexCell::kCorners> weights = HexCell::weights(parametric_);
          std::array<Vec3, HexCell::kCorners> gradients;
          if constexpr (kGradient)
          {
            gradients = HexCell(corners_.of(cell)).gradients(parametric_);
          }
          for (int corner = 0; corner < HexCell::kCorners; ++corner)
          {
            const auto i = static_cast<std::size_t>(corner);
            const Int3 node = HexCell::node(cell, corner);
            for (std::int64_t c = 0; c < 3; ++c)
            {
              const double value = value_at(brick, node, first_component_ + c);
              velocity[c][lane] = std::fma(weights[i], value, velocity[c][lane]);
              for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
              {
                slopes[axis][c][lane] = std::fma(gradients[i][axis], value, slopes[axis][c][lane]);
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

  /// Sets the parametric coordinates of a settled place.
  void find_again(const Cell& place) const
  {
    if (known_.cell != place.cell || known_.point != place.point)
    {
      known_ = place;
      parametric_ = clamped_to_cell(HexCell(corners_.of(mesh_.cell_of(place.cell))).locate(place.point).at);
    }
  }

  const CurvilinearMesh& mesh_;
  BrickCorners corners_;
  const FieldWindow& window_;
  bool cell_centred_;
  std::int64_t first_component_;
  mutable Cell known_;                 ///< the last place that was found
  mutable Vec3 parametric_{ 0, 0, 0 }; ///< there
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
