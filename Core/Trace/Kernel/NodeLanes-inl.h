// SPDX-License-Identifier: BSD-3-Clause
// Values and places of nodes in rows, at a number for each lane. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_NODE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_NODE_LANES_INL_H
#undef RIVULET_NODE_LANES_INL_H
#else
#define RIVULET_NODE_LANES_INL_H
#endif

#include "Trace/Kernel/NodeMotion-inl.h"
#include "Trace/Kernel/Rows-inl.h"
#include "Trace/Kernel/ShapeLanes-inl.h"
#include "Trace/Mesh/MovingPoints.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Three components of values in a row, at a number for each lane.
template <class W>
class RowLanes
{
public:
  RowLanes(const void* data, ScalarType type, std::int64_t stride, std::int64_t apart)
    : data_(data)
    , of_floats_(type == ScalarType::Float32)
    , stride_(stride)
    , apart_(apart)
  {
  }
  /// Of a brick's variable, from a component on.
  explicit RowLanes(const BrickView* view, std::int64_t component = 0)
    : RowLanes(nullptr, ScalarType::Float32, 0, 1)
  {
    if (view != nullptr)
    {
      const auto bytes = static_cast<std::int64_t>(size_of(view->type)) * component * view->component_stride;
      *this = { static_cast<const char*>(view->data) + bytes, view->type, view->stride[0], view->component_stride };
    }
  }

  /// The same values for other lanes.
  template <class V>
  explicit RowLanes(const RowLanes<V>& other)
    : RowLanes(other.data_, other.of_floats_ ? ScalarType::Float32 : ScalarType::Float64, other.stride_, other.apart_)
  {
  }

  [[nodiscard]] HWY_INLINE Triple<W> load(const std::int64_t* numbers) const
  {
    return of_floats_ ? load_as<float>(numbers) : load_as<double>(numbers);
  }
  [[nodiscard]] Vec3 one(std::int64_t number) const
  {
    return vector_of(
        RowLanes<One>(data_, of_floats_ ? ScalarType::Float32 : ScalarType::Float64, stride_, apart_).load(&number));
  }

private:
  template <class V>
  friend class RowLanes;

  template <class Scalar>
  [[nodiscard]] HWY_INLINE Triple<W> load_as(const std::int64_t* numbers) const
  {
    const Scalar* from[W::kLanes];
    for (std::size_t lane = 0; lane < W::kLanes; ++lane)
    {
      from[lane] = static_cast<const Scalar*>(data_) + numbers[lane] * stride_;
    }
    return HWY_LIKELY(apart_ == 1) ? load_threes<W>(from) : load_strided<W>(from, 0, apart_);
  }

  const void* data_;
  bool of_floats_;
  std::int64_t stride_; ///< in scalars
  std::int64_t apart_;  ///< scalars from one component to the next
};

/// The places of nodes, which may move between time steps.
template <class W>
class NodeLanes
{
public:
  using Vector = typename W::Vector;

  explicit NodeLanes(const MovingPoints& points)
    : points_(points)
    , now_(row(points.now))
    , later_(row(points.later))
    , before_(row(points.before))
    , after_(row(points.after))
  {
  }
  /// The same for other lanes.
  template <class V>
  explicit NodeLanes(const NodeLanes<V>& other)
    : points_(other.points_)
    , now_(other.now_)
    , later_(other.later_)
    , before_(other.before_)
    , after_(other.after_)
  {
  }

  [[nodiscard]] bool move() const { return points_.move(); }
  /// `nodes`: for each corner, of each lane. `share`: of the interval that has gone, in each lane.
  template <std::size_t kCount>
  HWY_INLINE void load(
      const std::int64_t (&nodes)[kCount][W::kLanes], const double* share, Triple<W> (&corners)[kCount]) const
  {
    for (std::size_t corner = 0; corner < kCount; ++corner)
    {
      corners[corner] = now_.load(nodes[corner]);
    }
    if (HWY_UNLIKELY(move()))
    {
      move_corners<kCount>(nodes, W::load(share), corners);
    }
  }

private:
  template <class V>
  friend class NodeLanes;

  [[nodiscard]] static RowLanes<W> row(const PointArray& points) { return { points.data, points.type, 3, 1 }; }

  template <std::size_t kCount>
  HWY_NOINLINE void move_corners(
      const std::int64_t (&nodes)[kCount][W::kLanes], Vector share, Triple<W> (&corners)[kCount]) const
  {
    const CubicWeights& cubic = points_.cubic;
    const NodeMotion<W> motion(cubic, share);
    for (std::size_t corner = 0; corner < kCount; ++corner)
    {
      const std::int64_t* const of = nodes[corner];
      corners[corner] =
          motion.place(corners[corner], later_.load(of), cubic.has_before ? before_.load(of) : Triple<W>::zero(),
              cubic.has_after ? after_.load(of) : Triple<W>::zero());
    }
  }

  const MovingPoints& points_;
  RowLanes<W> now_;
  RowLanes<W> later_; ///< these three have no data if nodes stay
  RowLanes<W> before_;
  RowLanes<W> after_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
