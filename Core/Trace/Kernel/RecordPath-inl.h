// SPDX-License-Identifier: BSD-3-Clause
// Keeps the points of paths: all of a path or, in unsteady flow, its last one alone, as the store asks for; without a
// store none. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_RECORD_PATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_RECORD_PATH_INL_H
#undef RIVULET_RECORD_PATH_INL_H
#else
#define RIVULET_RECORD_PATH_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/ParticleLanes-inl.h"
#include "Trace/Kernel/VelocityGradient-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Particles at new points, the velocity there, and its gradient if that is wanted.
template <class W, class Mesh>
struct Arrivals
{
  LaneBits lanes;   ///< lanes that arrived
  LaneBits started; ///< lanes among these with an earlier point
  const ParticleLanes<W, Mesh>& all;
  const Triple<W>& velocity;
  const Gradient<W>& gradient;
};

template <class W, class Mesh, bool kUnsteady>
class RecordPath
{
public:
  RecordPath(const KernelCall& call, const Mesh& mesh)
    : lines_(call.lines)
    , mesh_(mesh)
    , origin_(kUnsteady ? call.window.origin : 0.0)
    , last_only_(kUnsteady && lines_ != nullptr && lines_->last_points_only())
    , cell_centred_(call.context.velocity().centering == Centering::Cell)
    , rotation_scale_(call.context.options().rotation_scale)
    , block_points_(lines_ != nullptr ? lines_->block_points() : 0)
  {
  }

  /// Whether there is room for so many more points.
  [[nodiscard]] bool make_room(std::size_t points) { return lines_ == nullptr || lines_->make_room(points); }
  /// Whether arrivals need the velocity's derivatives.
  [[nodiscard]] bool wants_gradient() const
  {
    return lines_ != nullptr && lines_->layout().rotation >= 0 && !cell_centred_;
  }

  /// A particle enters a lane.
  void take(std::size_t lane, const Particle& from)
  {
    if (lines_ == nullptr)
    {
      return;
    }
    const LaneBits bit = LaneBits{ 1 } << lane;
    if (last_only_)
    {
      without_record_ = from.path.chain.tail == nullptr ? without_record_ | bit : without_record_ & ~bit;
      arrived_ &= ~bit;
    }
    else
    {
      cursor_[lane] = lines_->open(from.path.chain);
    }
    time_[lane] = (from.path.time - origin_) + from.time_rest; // in unsteady flow every point is kept
    rotation_[lane] = from.path.rotation;
    angular_velocity_[lane] = from.path.angular_velocity;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point_[axis][lane] = from.path.point[axis];
    }
    if (lines_->layout().place >= 0 && from.started)
    {
      place_[lane] = mesh_.world(Mesh::cell(from.base));
    }
  }

  /// A particle leaves a lane. `to` has its last point.
  void give(std::size_t lane, Particle& to) const
  {
    if (lines_ == nullptr)
    {
      return;
    }
    if (!last_only_)
    {
      lines_->close(to.path.chain, cursor_[lane]);
    }
    else if ((arrived_ >> lane & 1) != 0)
    {
      write_last(lane, to.base, lines_->record_of(to.path.chain));
    }
    to.path.time = origin_ + time_[lane];
    to.path.rotation = rotation_[lane];
    to.path.angular_velocity = angular_velocity_[lane];
    to.path.point = { point_[0][lane], point_[1][lane], point_[2][lane] };
  }

  /// Adds the new points to the lines, unless (in steady flow) they are equal to the last ones in single precision.
  HWY_INLINE void arrived(const Arrivals<W, Mesh>& at)
  {
    if (lines_ == nullptr)
    {
      return;
    }
    if (last_only_)
    {
      keep(at, at.lanes);
      return;
    }
    alignas(64) float world[3][W::kLanes] = {};
    mesh_.world_of(at.lanes, at.all.base, world);
    const auto same = [&](std::size_t axis) HWY_ATTR
    {
      return W::equal_bits(W::load(world[axis]), W::load(point_[axis]));
    };
    LaneBits again = same(0) & same(1) & same(2);
    if (HWY_UNLIKELY(lines_->layout().place >= 0))
    {
      again = update_places(at);
    }
    const LaneBits fresh = kUnsteady ? at.lanes : at.lanes & ~(again & at.started);
    LineRow rows[W::kLanes];
    append(at, fresh, world, rows);
    if (lines_->layout().rotation >= 0)
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

  /// Lanes at the place of their last point, where places are kept in double precision. Updates these.
  HWY_NOINLINE LaneBits update_places(const Arrivals<W, Mesh>& at)
  {
    LaneBits again = 0;
    for_each_lane(at.lanes,
        [&](std::size_t lane)
        {
          const Vec3 place = mesh_.world(mesh_.get(at.all.base, lane));
          again |= LaneBits{ place == place_[lane] } << lane;
          place_[lane] = place;
        });
    return again;
  }

  /// Adds records with all parts but the rotation.
  HWY_INLINE void append(const Arrivals<W, Mesh>& at, LaneBits fresh, const float (*world)[W::kLanes], LineRow* rows)
  {
    const RecordLayout& layout = lines_->layout();
    alignas(64) double velocity[3][W::kLanes];
    at.velocity.store(velocity);
    for_each_lane(fresh,
        [&](std::size_t lane)
        {
          const LineRow row = lines_->append(at.all.particle[lane]->path.chain, cursor_[lane]);
          rows[lane] = row;
          const float point[3] = { world[0][lane], world[1][lane], world[2][lane] };
          const double along[3] = { velocity[0][lane], velocity[1][lane], velocity[2][lane] };
          write(layout, origin_ + at.all.time[lane], point, along, row);
          if (layout.mesh_position >= 0)
          {
            const Position base = Mesh::position(mesh_.get(at.all.base, lane));
            put(row, layout.mesh_position, base);
          }
          if (layout.place >= 0)
          {
            put(row, layout.place, place_[lane]);
          }
        });
  }

  /// Keeps the values for a record of the last point until the particle leaves: most points are never written.
  HWY_INLINE void keep(const Arrivals<W, Mesh>& at, LaneBits fresh)
  {
    arrived_ |= fresh;
    at.velocity.store_some(fresh, velocity_);
    for_each_lane(
        fresh & without_record_, [&](std::size_t lane) { lines_->add_record(at.all.particle[lane]->path.chain); });
    without_record_ &= ~fresh;
    if (lines_->layout().rotation >= 0)
    {
      rotate(at, fresh, nullptr);
    }
    W::store_some(fresh, W::load(at.all.time), time_);
  }

  void write_last(std::size_t lane, const Position& base, const LineRow& row) const
  {
    const RecordLayout& layout = lines_->layout();
    const Vec3 place = mesh_.world(Mesh::cell(base));
    const float point[3] = { static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2]) };
    const double along[3] = { velocity_[0][lane], velocity_[1][lane], velocity_[2][lane] };
    write(layout, origin_ + time_[lane], point, along, row);
    if (layout.mesh_position >= 0)
    {
      put(row, layout.mesh_position, base);
    }
    if (layout.place >= 0)
    {
      put(row, layout.place, place);
    }
    if (layout.rotation >= 0)
    {
      write_rotation(lane, curl_, row);
    }
  }

  void write_rotation(std::size_t lane, const double (*curl)[W::kLanes], const LineRow& row) const
  {
    const RecordLayout& layout = lines_->layout();
    const double vorticity[3] = { curl[0][lane], curl[1][lane], curl[2][lane] };
    put(row, layout.vorticity, vorticity);
    put(row, layout.rotation, rotation_[lane]);
    put(row, layout.angular_velocity, angular_velocity_[lane]);
  }

  /// Writes a part of a record.
  template <class T>
  HWY_INLINE void put(const LineRow& row, std::int32_t part, const T& value) const
  {
    std::byte* values = row.records + std::ptrdiff_t{ part } * block_points_;
    std::memcpy(values + sizeof(T) * static_cast<std::size_t>(row.row), &value, sizeof(T));
  }

  /// Writes the parts of a record that every record has, and its velocity.
  HWY_INLINE void write(const RecordLayout& layout, double time, const float (&position)[3],
      const double (&velocity)[3], const LineRow& row) const
  {
    put(row, layout.time, time);
    put(row, layout.position, position);
    if (layout.velocity_as == VelocityRecord::Floats)
    {
      const float rounded[3] = { static_cast<float>(velocity[0]), static_cast<float>(velocity[1]),
        static_cast<float>(velocity[2]) };
      put(row, layout.velocity, rounded);
    }
    else if (layout.velocity_as == VelocityRecord::Doubles)
    {
      put(row, layout.velocity, velocity);
    }
  }

  /// A cell-centred velocity has no gradient within a cell.
  [[nodiscard]] HWY_INLINE Triple<W> vorticity_of(const Arrivals<W, Mesh>& at) const
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
  /// records; of last points, keeps them.
  HWY_INLINE void rotate(const Arrivals<W, Mesh>& at, LaneBits fresh, const LineRow* rows)
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
    if (last_only_)
    {
      vorticity.store_some(fresh, curl_);
      return;
    }
    alignas(64) double curl[3][W::kLanes];
    vorticity.store(curl);
    for_each_lane(fresh, [&](std::size_t lane) { write_rotation(lane, curl, rows[lane]); });
  }

  LineStore* lines_; ///< nullptr: points are not kept
  const Mesh& mesh_;
  double origin_; ///< as the advector's
  bool last_only_;
  bool cell_centred_;
  double rotation_scale_;
  std::int32_t block_points_;
  LineCursor cursor_[W::kLanes];
  LaneBits without_record_ = 0; ///< last points only: lanes whose particle has no record yet
  LaneBits arrived_ = 0;        ///< last points only: lanes with a point that is not in their record
  // State at the last points that were kept.
  alignas(64) double time_[W::kLanes] = {};
  alignas(64) double rotation_[W::kLanes] = {};
  alignas(64) double angular_velocity_[W::kLanes] = {};
  alignas(64) float point_[3][W::kLanes] = {};
  Vec3 place_[W::kLanes] = {};                     ///< in double precision, where that is kept
  alignas(64) double velocity_[3][W::kLanes] = {}; ///< last points only
  alignas(64) double curl_[3][W::kLanes] = {};     ///< last points only
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
