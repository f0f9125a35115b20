// SPDX-License-Identifier: BSD-3-Clause
// Recorders: the part of a run that keeps the results of a particle. A recorder policy has
//   kStoresPoints            whether anything is kept per step
//   make_room(points)        whether there is room for so many more points
//   wants_gradient()         whether arrivals need the velocity's derivatives
//   take(lane), give(lane)   a particle enters a lane, or leaves it
//   arrived(arrivals)        particles are at new points
// This one keeps all points of a path. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_RECORD_PATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_RECORD_PATH_INL_H
#undef RIVULET_RECORD_PATH_INL_H
#else
#define RIVULET_RECORD_PATH_INL_H
#endif

#include "Trace/Kernel/Sampling-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Particles at new points, the velocity there, and its gradient if the recorder wants it.
template <class W>
struct Arrivals
{
  LaneBits lanes;   ///< lanes that arrived
  LaneBits started; ///< lanes among these with an earlier point
  const ParticleLanes<W>& all;
  const Triple<W>& velocity;
  const Gradient<W>& gradient;
};

template <class W, class Mesh, bool kUnsteady>
class RecordPath
{
public:
  static constexpr bool kStoresPoints = true;

  RecordPath(const KernelCall& call, const Mesh& mesh)
    : lines_(*call.lines)
    , mesh_(mesh)
    , level_(call.level)
    , cell_centred_(call.context.velocity().centering == Centering::Cell)
    , rotation_scale_(call.context.options().rotation_scale)
  {
  }

  [[nodiscard]] bool make_room(std::size_t points) { return lines_.make_room(points); }
  [[nodiscard]] bool wants_gradient() const { return lines_.layout().rotation >= 0 && !cell_centred_; }

  void take(std::size_t lane, const Particle& from)
  {
    cursor_[lane] = lines_.open(from.path.chain);
    time_[lane] = from.path.time;
    rotation_[lane] = from.path.rotation;
    angular_velocity_[lane] = from.path.angular_velocity;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point_[axis][lane] = from.path.point[axis];
    }
  }

  void give(std::size_t lane, Particle& to) const
  {
    lines_.close(to.path.chain, cursor_[lane]);
    to.path.time = time_[lane];
    to.path.rotation = rotation_[lane];
    to.path.angular_velocity = angular_velocity_[lane];
    to.path.point = { point_[0][lane], point_[1][lane], point_[2][lane] };
  }

  /// Adds the new points to the lines, unless (in steady flow) they are equal to the last ones in single precision.
  HWY_INLINE void arrived(const Arrivals<W>& at)
  {
    alignas(64) float world[3][W::kLanes] = {};
    mesh_.world_of(at.lanes, at.all.base, world);
    const auto same = [&](std::size_t axis) HWY_ATTR
    {
      return W::equal_bits(W::load(world[axis]), W::load(point_[axis]));
    };
    const LaneBits again = same(0) & same(1) & same(2);
    const LaneBits fresh = kUnsteady ? at.lanes : at.lanes & ~(again & at.started);

    const RecordLayout& layout = lines_.layout();
    alignas(64) double velocity[3][W::kLanes];
    at.velocity.store(velocity);
    std::byte* rows[W::kLanes];
    for_each_lane(fresh,
        [&](std::size_t lane)
        {
          std::byte* row = lines_.append(at.all.particle[lane]->path.chain, cursor_[lane]);
          rows[lane] = row;
          const float point[3] = { world[0][lane], world[1][lane], world[2][lane] };
          const double along[3] = { velocity[0][lane], velocity[1][lane], velocity[2][lane] };
          write(layout, at.all.time[lane], point, along, row);
          if (layout.cell_position >= 0)
          {
            const CellPosition base = at.all.base.get(lane, level_);
            std::memcpy(row + layout.cell_position, &base, sizeof(base));
          }
        });
    if (layout.rotation >= 0)
    {
      rotate(at, fresh, rows);
    }
    W::store_some(fresh, W::load(at.all.time), time_);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      W::store_some(fresh, W::load(world[axis]), point_[axis]);
    }
  }

private:
  using Vector = typename W::Vector;

  /// Writes the parts of a record that every record has, and its velocity.
  static HWY_INLINE void write(
      const RecordLayout& layout, double time, const float* position, const double* velocity, std::byte* record)
  {
    std::memcpy(record + layout.time, &time, sizeof(time));
    std::memcpy(record + layout.position, position, 3 * sizeof(float));
    if (layout.velocity_as == VelocityRecord::Floats)
    {
      const float rounded[3] = { static_cast<float>(velocity[0]), static_cast<float>(velocity[1]),
        static_cast<float>(velocity[2]) };
      std::memcpy(record + layout.velocity, rounded, sizeof(rounded));
    }
    else if (layout.velocity_as == VelocityRecord::Doubles)
    {
      std::memcpy(record + layout.velocity, velocity, 3 * sizeof(double));
    }
  }

  /// A cell-centred velocity has no gradient within a cell.
  [[nodiscard]] HWY_INLINE Triple<W> vorticity_of(const Arrivals<W>& at) const
  {
    if (cell_centred_)
    {
      return Triple<W>::zero();
    }
    const Triple<W>* by_index = at.gradient.by_index;
    Vector m[9];
    mesh_.jacobian(at.lanes, at.all.base, m);
    const auto derivative = [&](Vector Triple<W>::*component, std::size_t axis) HWY_ATTR
    {
      return dot(Triple<W>{ by_index[0].*component, by_index[1].*component, by_index[2].*component },
          Triple<W>{ m[axis], m[3 + axis], m[6 + axis] });
    };
    return { derivative(&Triple<W>::z, 1) - derivative(&Triple<W>::y, 2),
      derivative(&Triple<W>::x, 2) - derivative(&Triple<W>::z, 0),
      derivative(&Triple<W>::y, 0) - derivative(&Triple<W>::x, 1) };
  }

  /// Adds vorticity, its component along the velocity, and the trapezoidal sum of that component over time to the
  /// records.
  HWY_INLINE void rotate(const Arrivals<W>& at, LaneBits fresh, std::byte* const* rows)
  {
    const Triple<W> vorticity = vorticity_of(at);
    const Vector speed = W::load(at.all.speed);
    const Vector along = dot(vorticity, at.velocity) / speed * W::set(rotation_scale_);
    const Vector angular = W::select(W::equal(speed, W::set(0.0)), W::set(0.0), along);
    const Vector mean = (W::load(angular_velocity_) + angular) / W::set(2.0);
    const Vector since = W::load(at.all.time) - W::load(time_);
    const Vector rotation = W::load(rotation_) + mean * since;
    W::store_some(fresh & at.started, rotation, rotation_);
    W::store_some(fresh, angular, angular_velocity_);
    alignas(64) double curl[3][W::kLanes];
    vorticity.store(curl);
    for_each_lane(fresh,
        [&](std::size_t lane)
        {
          const double values[5] = { curl[0][lane], curl[1][lane], curl[2][lane], rotation_[lane],
            angular_velocity_[lane] };
          std::memcpy(rows[lane] + lines_.layout().rotation, values, sizeof(values));
        });
  }

  LineStore& lines_;
  const Mesh& mesh_;
  std::int32_t level_;
  bool cell_centred_;
  double rotation_scale_;
  LineCursor cursor_[W::kLanes];
  // State at the last points that were kept.
  alignas(64) double time_[W::kLanes] = {};
  alignas(64) double rotation_[W::kLanes] = {};
  alignas(64) double angular_velocity_[W::kLanes] = {};
  alignas(64) float point_[3][W::kLanes] = {};
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
