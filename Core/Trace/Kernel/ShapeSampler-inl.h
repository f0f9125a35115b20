// SPDX-License-Identifier: BSD-3-Clause
// Values at places in unstructured cells (Mesh/UnstructuredCells.h). Tetrahedra and hexahedra are sampled together,
// other cells one after the other; the operations for a lane are the same. Included once per target by the Kernel*.cxx
// files.
#if defined(RIVULET_SHAPE_SAMPLER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_SHAPE_SAMPLER_INL_H
#undef RIVULET_SHAPE_SAMPLER_INL_H
#else
#define RIVULET_SHAPE_SAMPLER_INL_H
#endif

#include "Trace/Kernel/NodeLanes-inl.h"
#include "Trace/Kernel/ShapeLanes-inl.h"
#include "Trace/Kernel/VelocityGradient-inl.h"
#include "Trace/Kernel/WorldLanes-inl.h"
#include "Trace/Mesh/UnstructuredCells.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Positions of the particles in the lanes. Coordinates in a cell are kept as they become known.
template <class W>
struct UnstructuredPositions
{
  alignas(64) double point[3][W::kLanes] = {};
  std::int64_t cell[W::kLanes] = {}; ///< these two as in WorldPosition
  std::int32_t walk[W::kLanes] = {};
  alignas(64) double share[W::kLanes] = {}; ///< of the interval that has gone, at the places
  mutable LaneBits known = 0;               ///< lanes in which the next is
  alignas(64) mutable double parametric[3][W::kLanes] = {};

  void set(std::size_t lane, const TimedPlace& at)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis][lane] = at.point[axis];
    }
    cell[lane] = at.cell;
    walk[lane] = at.walk;
    share[lane] = at.share;
    known &= ~(LaneBits{ 1 } << lane);
  }
  [[nodiscard]] TimedPlace get(std::size_t lane) const
  {
    return { { .point = point_of(lane), .cell = cell[lane], .walk = walk[lane] }, share[lane] };
  }
  [[nodiscard]] Vec3 point_of(std::size_t lane) const { return { point[0][lane], point[1][lane], point[2][lane] }; }
  [[nodiscard]] Vec3 parametric_of(std::size_t lane) const
  {
    return { parametric[0][lane], parametric[1][lane], parametric[2][lane] };
  }
  void set_parametric(std::size_t lane, const Vec3& at) const
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      parametric[axis][lane] = at[axis];
    }
    known |= LaneBits{ 1 } << lane;
  }
  void take(LaneBits lanes, const UnstructuredPositions& from)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      W::store_some(lanes, W::load(from.point[axis]), point[axis]);
      W::store_some(lanes, W::load(from.parametric[axis]), parametric[axis]);
    }
    W::store_some(lanes, W::load(from.share), share);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          cell[lane] = from.cell[lane];
          walk[lane] = from.walk[lane];
        });
    known = (known & ~lanes) | (from.known & lanes);
  }
};

template <class W>
class ShapeSampler
{
public:
  using Positions = UnstructuredPositions<W>;
  using Vector = typename W::Vector;

  explicit ShapeSampler(const UnstructuredCells& cells)
    : cells_(cells)
    , table_(cells.table())
    , only_tetrahedra_(table_.only_type() != nullptr && table_.only_type()->shape == CellShape::Tetrahedron)
    , points_(cells.points())
  {
  }

  [[nodiscard]] const NodeLanes<W>& points() const { return points_; }
  [[nodiscard]] HWY_INLINE LaneBits with_shape(CellShape shape, const Positions& at, LaneBits lanes) const
  {
    if (HWY_LIKELY(only_tetrahedra_))
    {
      return shape == CellShape::Tetrahedron ? lanes : 0;
    }
    LaneBits some = 0;
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const std::int64_t cell = at.cell[lane];
          some |= LaneBits{ cell >= 0 && cells_.has(cell) && table_.type(cell).shape == shape } << lane;
        });
    return some;
  }

  /// The values of nodes, and if asked for their gradient by world coordinates. Lanes have cells.
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample(
      const RowLanes<W>& values, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    know(at, lanes & ~at.known);
    const LaneBits tetrahedra = with_shape(CellShape::Tetrahedron, at, lanes);
    if (HWY_LIKELY(tetrahedra == lanes))
    {
      return in_tetrahedra<kGradient>(values, at, lanes, gradient);
    }
    return in_mixed<kGradient>(values, at, lanes, tetrahedra, gradient);
  }

private:
  /// Corners of the cells, of the same shape, in the given lanes; node 0 in the others.
  template <int kCount>
  struct CornerNodes
  {
    alignas(64) std::int64_t of[kCount][W::kLanes] = {};
  };
  template <int kCount>
  [[nodiscard]] HWY_INLINE CornerNodes<kCount> corner_nodes(const Positions& at, LaneBits lanes) const
  {
    CornerNodes<kCount> nodes;
    for_each_lane(
        lanes, [&](std::size_t lane) { table_.load_corners<kCount>(at.cell[lane], &nodes.of[0][lane], W::kLanes); });
    return nodes;
  }
  template <int kCount>
  static HWY_INLINE void load_values(
      const RowLanes<W>& row, const CornerNodes<kCount>& nodes, Triple<W> (&corners)[static_cast<std::size_t>(kCount)])
  {
    for (int corner = 0; corner < kCount; ++corner)
    {
      corners[corner] = row.load(nodes.of[corner]);
    }
  }

  /// Coordinates in cells that are known. Cells of others have none.
  HWY_INLINE void know(const Positions& at, LaneBits lanes) const
  {
    if (HWY_UNLIKELY(lanes != 0))
    {
      look_up(at, lanes);
    }
  }
  HWY_NOINLINE void look_up(const Positions& at, LaneBits lanes) const
  {
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          if (const std::int64_t cell = at.cell[lane]; cells_.has(cell))
          {
            const CellShape shape = table_.type(cell).shape;
            at.set_parametric(
                lane, clamped_to_shape(
                          shape, locate_alone(shape, cells_.corners(cell, at.share[lane]), at.point_of(lane)).at));
          }
        });
  }

  [[nodiscard]] HWY_INLINE HexLanes<W> hexahedra(const Positions& at, LaneBits lanes) const
  {
    Triple<W> corners[8];
    points_.load(corner_nodes<8>(at, lanes).of, at.share, corners);
    return HexLanes<W>(corners);
  }
  /// Derivatives by world coordinates: `slopes` are by parametric ones, `t` are the place's.
  static HWY_INLINE void turn(const Triple<W> (&slopes)[3], const Triple<W> (&t)[3], Gradient<W>& gradient)
  {
    const Triple<W> normals[3] = { cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1]) };
    const Vector by_volume = W::set(1.0) / dot(t[0], normals[0]);
    Vector Triple<W>::*const axes[3] = { &Triple<W>::x, &Triple<W>::y, &Triple<W>::z };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      Triple<W> sum = Triple<W>::zero();
      for (std::size_t i = 0; i < 3; ++i)
      {
        sum = scale_add(by_volume * (normals[i].*axes[axis]), slopes[i], sum);
      }
      gradient.by_index[axis] = sum;
    }
  }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> in_tetrahedra(
      const RowLanes<W>& values, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    const CornerNodes<4> nodes = corner_nodes<4>(at, lanes);
    Triple<W> v[4];
    load_values<4>(values, nodes, v);
    const Triple<W> slopes[3] = { subtract(v[1], v[0]), subtract(v[2], v[0]), subtract(v[3], v[0]) };
    if constexpr (kGradient)
    {
      Triple<W> corners[4];
      points_.load(nodes.of, at.share, corners);
      turn(slopes,
          { subtract(corners[1], corners[0]), subtract(corners[2], corners[0]), subtract(corners[3], corners[0]) },
          gradient);
    }
    const Triple<W> share = Triple<W>::load(at.parametric);
    return scale_add(share.z, slopes[2], scale_add(share.y, slopes[1], scale_add(share.x, slopes[0], v[0])));
  }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> in_hexahedra(
      const RowLanes<W>& values, const Positions& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    Triple<W> v[8];
    load_values<8>(values, corner_nodes<8>(at, lanes), v);
    const Triple<W> share = Triple<W>::load(at.parametric);
    if constexpr (kGradient)
    {
      const auto slopes = HexLanes<W>(v).tangents(share);
      const auto t = hexahedra(at, lanes).tangents(share);
      turn({ slopes.x, slopes.y, slopes.z }, { t.x, t.y, t.z }, gradient);
    }
    const Triple<W> front = mix(mix(v[0], v[1], share.x), mix(v[2], v[3], share.x), share.y);
    const Triple<W> back = mix(mix(v[4], v[5], share.x), mix(v[6], v[7], share.x), share.y);
    return mix(front, back, share.z);
  }

  /// Values of lanes with several shapes.
  template <bool kGradient>
  [[nodiscard]] HWY_NOINLINE Triple<W> in_mixed(
      const RowLanes<W>& values, const Positions& at, LaneBits lanes, LaneBits tetrahedra, Gradient<W>& gradient) const
  {
    const LaneBits hexahedra = with_shape(CellShape::Hexahedron, at, lanes);
    if (hexahedra == lanes)
    {
      return in_hexahedra<kGradient>(values, at, lanes, gradient);
    }
    alignas(64) double sums[3][W::kLanes] = {};
    alignas(64) double slopes[3][3][W::kLanes] = {}; // by axis, then component
    const auto keep = [&](LaneBits some, const Triple<W>& value, const Gradient<W>& of_some) HWY_ATTR
    {
      value.store_some(some, sums);
      for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
      {
        of_some.by_index[axis].store_some(some, slopes[axis]);
      }
    };
    Gradient<W> of_some;
    if (tetrahedra != 0)
    {
      const Triple<W> value = in_tetrahedra<kGradient>(values, at, tetrahedra, of_some);
      keep(tetrahedra, value, of_some);
    }
    if (hexahedra != 0)
    {
      const Triple<W> value = in_hexahedra<kGradient>(values, at, hexahedra, of_some);
      keep(hexahedra, value, of_some);
    }
    for_each_lane(lanes & ~tetrahedra & ~hexahedra,
        [&](std::size_t lane)
        {
          weigh(at, lane, kGradient);
          for (std::size_t i = 0; i < weights_.nodes.size(); ++i)
          {
            const Vec3 value = values.one(weights_.nodes[i]);
            for (std::size_t c = 0; c < 3; ++c)
            {
              sums[c][lane] = std::fma(weights_.weights[i], value[c], sums[c][lane]);
              for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
              {
                slopes[axis][c][lane] = std::fma(weights_.gradients[i][axis], value[c], slopes[axis][c][lane]);
              }
            }
          }
        });
    for (std::size_t axis = 0; kGradient && axis < 3; ++axis)
    {
      gradient.by_index[axis] = Triple<W>::load(slopes[axis]);
    }
    return Triple<W>::load(sums);
  }

  void weigh(const Positions& at, std::size_t lane, bool gradients) const
  {
    const std::int64_t cell = at.cell[lane];
    if (!cells_.has(cell))
    {
      cells_.weigh(cell, at.point_of(lane), gradients, weights_);
      return;
    }
    cells_.weigh_at(cell, at.parametric_of(lane), weights_);
    if (gradients)
    {
      cells_.add_gradients(cell, at.parametric_of(lane), weights_, at.share[lane]);
    }
  }

  const UnstructuredCells& cells_;
  const CellNodes& table_;
  bool only_tetrahedra_;
  NodeLanes<W> points_;
  mutable CellWeights weights_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
