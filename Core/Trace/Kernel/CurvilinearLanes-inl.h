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
class CurvilinearLanes : public WorldPolicy<W, CurvilinearLanes<W, Scalar>>
{
  using Base = WorldPolicy<W, CurvilinearLanes>;

public:
  using Call = CurvilinearCall;
  using typename Base::Cell;
  using typename Base::Positions;
  static constexpr bool kWalks = true;

  explicit CurvilinearLanes(const CurvilinearCall& on)
    : Base(on.call)
    , mesh_(on.mesh)
    , corners_(*on.call.window.places)
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
      CurvilinearGrid::Found best{ at.cell, {} };
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
  using Base::hidden;

  [[nodiscard]] Vec3 cell_sides(const Cell& at) const
  {
    return box_around(corners_.of(mesh_.cell_of(at.cell))).sides();
  }
  [[nodiscard]] double cell_length(const Cell& at) const { return Base::length(cell_sides(at)); }
  [[nodiscard]] double cells_between(const Cell& a, const Cell& b) const
  {
    return Base::distance(a, b) / cell_length(a);
  }
  [[nodiscard]] std::optional<double> crossing(double step, const Cell& at, const Vec3& slope) const
  {
    return Base::crossing_of(step, cell_sides(at), slope);
  }

private:
  friend Base;

  [[nodiscard]] double value_of_cell(const BrickView& brick, const Cell& place, std::int64_t c) const
  {
    return value_at(brick, mesh_.cell_of(place.cell), Base::component(c));
  }
  template <bool kGradient, class Use>
  void for_each_node(const BrickView& brick, const Cell& place, const Use& use) const
  {
    find_again(place);
    const Int3 cell = mesh_.cell_of(place.cell);
    const std::array<double, HexCell::kCorners> weights = HexCell::weights(parametric_);
    std::array<Vec3, HexCell::kCorners> slopes{};
    if constexpr (kGradient)
    {
      slopes = HexCell(corners_.of(cell)).gradients(parametric_);
    }
    for (int corner = 0; corner < HexCell::kCorners; ++corner)
    {
      const auto i = static_cast<std::size_t>(corner);
      use(weights[i], slopes[i],
          [&](std::int64_t c) { return value_at(brick, HexCell::node(cell, corner), Base::component(c)); });
    }
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
  mutable Cell known_;                 ///< the last place that was found
  mutable Vec3 parametric_{ 0, 0, 0 }; ///< there
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
