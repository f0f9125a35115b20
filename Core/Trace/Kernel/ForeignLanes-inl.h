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
class ForeignLanes : public WorldPolicy<W, ForeignLanes<W, Scalar>>
{
  using Base = WorldPolicy<W, ForeignLanes>;

public:
  using Call = ForeignCall;
  using Base::displaced;
  using typename Base::Cell;
  using typename Base::Positions;
  using typename Base::StraightWay;
  static constexpr bool kWalks = false;

  explicit ForeignLanes(const ForeignCall& on)
    : Base(on.call)
    , mesh_(on.mesh)
    , cells_(on.mesh.cells())
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
    return Base::crossing_of(step, cells_.cell_sides(at.cell), slope);
  }

private:
  using Base::distance;
  using Base::length;

  friend Base;

  [[nodiscard]] double value_of_cell(const BrickView& brick, const Cell& place, std::int64_t c) const
  {
    return value_of(brick, place.cell, Base::component(c));
  }
  template <bool kGradient, class Use>
  void for_each_node(const BrickView& brick, const Cell& place, const Use& use) const
  {
    weigh(place, kGradient);
    for (std::size_t i = 0; i < weights_.nodes.size(); ++i)
    {
      use(weights_.weights[i], kGradient ? weights_.gradients[i] : Vec3{},
          [&](std::int64_t c) { return value_of(brick, weights_.nodes[i], Base::component(c)); });
    }
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
  mutable CellWeights weights_; ///< at weighed_
  mutable Cell weighed_;        ///< the last place that was sought or weighed
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
