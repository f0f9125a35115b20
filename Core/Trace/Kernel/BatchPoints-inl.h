// SPDX-License-Identifier: BSD-3-Clause
// What a batch records of its new points. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_BATCH_POINTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_BATCH_POINTS_INL_H
#undef RIVULET_BATCH_POINTS_INL_H
#else
#define RIVULET_BATCH_POINTS_INL_H
#endif

#include "Trace/Kernel/Batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// The points in single precision.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::world_points(float (*world)[kWide]) const
{
  const StructuredMesh& mesh = context_.mesh();
  if constexpr (kUniform)
  {
    const auto index = [&](std::size_t axis) HWY_ATTR
    {
      const auto cell = hn::Add(hn::Set(WideInts(), mesh.first()[axis]), hn::Load(WideInts(), all_.base.cell[axis]));
      return hn::Add(hn::PromoteTo(Wide(), cell), load_wide(all_.base.fraction[axis]));
    };
    const WideTriple at{ index(0), index(1), index(2) };
    const Mat3& m = mesh.world_from_index();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double* row = &m[3 * axis];
      const WideDoubles relative = dot({ set_wide(row[0]), set_wide(row[1]), set_wide(row[2]) }, at);
      hn::Store(
          hn::DemoteTo(WideFloats(), hn::Add(set_wide(mesh.origin()[axis]), relative)), WideFloats(), world[axis]);
    }
  }
  else
  {
    for_each_lane(arriving_,
        [&](std::size_t lane)
        {
          const Vec3 at = mesh.world(all_.base.get(lane));
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            world[axis][lane] = static_cast<float>(at[axis]);
          }
        });
  }
}

/// Adds the new points to the lines, unless (in steady flow) they are the same as the last ones in single precision.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::record(const WideSample& sample)
{
  alignas(64) float world[3][kWide] = {};
  world_points(world);
  const auto same = [&](std::size_t axis) HWY_ATTR
  {
    return hn::Eq(hn::Load(WideFloats(), world[axis]), hn::Load(WideFloats(), all_.recorded_point[axis]));
  };
  const LaneBits again = bits_of(WideFloats(), hn::And(same(0), hn::And(same(1), same(2))));
  const LaneBits fresh = kUnsteady ? arriving_ : arriving_ & ~(again & started_);

  const RecordLayout& layout = lines_.layout();
  alignas(64) double rotation[5][kWide];
  alignas(64) double velocity[3][kWide];
  store_triple(sample.velocity, velocity);
  if (layout.rotation >= 0)
  {
    rotate(sample, fresh, rotation);
  }
  for_each_lane(fresh,
      [&](std::size_t lane)
      {
        std::byte* row = lines_.append(all_.particle[lane]->chain, all_.cursor[lane]);
        const float point[3] = { world[0][lane], world[1][lane], world[2][lane] };
        const double along[3] = { velocity[0][lane], velocity[1][lane], velocity[2][lane] };
        write_record(layout, all_.time[lane], point, along, row);
        if (layout.rotation >= 0)
        {
          const double values[5] = { rotation[0][lane], rotation[1][lane], rotation[2][lane], rotation[3][lane],
            rotation[4][lane] };
          std::memcpy(row + layout.rotation, values, sizeof(values));
        }
        if (layout.cell_position >= 0)
        {
          CellPosition at = all_.base.get(lane);
          at.cell[3] = context_.level();
          std::memcpy(row + layout.cell_position, &at, sizeof(at));
        }
      });
  store_some(mask_of(Wide(), fresh), load_wide(all_.time), all_.recorded_time);
  const auto fresh_points = mask_of(WideFloats(), fresh);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    hn::BlendedStore(hn::Load(WideFloats(), world[axis]), fresh_points, WideFloats(), all_.recorded_point[axis]);
  }
}

template <class Stepper>
HWY_INLINE WideTriple Batch<Stepper>::vorticity_of(const WideSample& sample) const
{
  alignas(64) double m[9][kWide];
  for (std::size_t lane = 0; lane < kWide; ++lane)
  {
    const Mat3 of_lane = kUniform || (arriving_ >> lane & 1) == 0
                             ? index_from_world_
                             : context_.mesh().index_from_world(all_.base.cell_of(lane));
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i][lane] = of_lane[i];
    }
  }
  const auto derivative = [&](WideDoubles WideTriple::*component, std::size_t axis) HWY_ATTR
  {
    return dot({ sample.by_index[0].*component, sample.by_index[1].*component, sample.by_index[2].*component },
        { load_wide(m[axis]), load_wide(m[3 + axis]), load_wide(m[6 + axis]) });
  };
  return { hn::Sub(derivative(&WideTriple::z, 1), derivative(&WideTriple::y, 2)),
    hn::Sub(derivative(&WideTriple::x, 2), derivative(&WideTriple::z, 0)),
    hn::Sub(derivative(&WideTriple::y, 0), derivative(&WideTriple::x, 1)) };
}

/// Vorticity, its component along the velocity, and the trapezoidal sum of that over time: the values of the record.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::rotate(const WideSample& sample, LaneBits fresh, double (*values)[kWide])
{
  const WideTriple vorticity = vorticity_of(sample);
  const WideDoubles speed = load_wide(all_.speed);
  const WideDoubles along = hn::Mul(hn::Div(dot(vorticity, sample.velocity), speed), set_wide(options_.rotation_scale));
  const WideDoubles angular = hn::IfThenElse(hn::Eq(speed, hn::Zero(Wide())), hn::Zero(Wide()), along);
  const WideDoubles mean = hn::Div(hn::Add(load_wide(all_.angular_velocity), angular), set_wide(2.0));
  const WideDoubles since = hn::Sub(load_wide(all_.time), load_wide(all_.recorded_time));
  const WideDoubles rotation = hn::Add(load_wide(all_.rotation), hn::Mul(mean, since));
  store_some(mask_of(Wide(), fresh & started_), rotation, all_.rotation);
  store_some(mask_of(Wide(), fresh), angular, all_.angular_velocity);
  store_triple(vorticity, values);
  store_wide(load_wide(all_.rotation), values[3]);
  store_wide(angular, values[4]);
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
