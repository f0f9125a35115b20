// SPDX-License-Identifier: BSD-3-Clause
// Motion of particles through the cells of a mesh. A mesh policy has
//   slope_of(velocity)                  the velocity in the unit of slopes
//   move(lanes, from, by, at_end, to)   positions at a displacement (in that unit); other lanes of `to`
//                                       need not stay as they are
//   length_of(slope)                    its length in world units
//   world_of(lanes, at, world)          world positions in single precision
//   world(at)                           one world position, before it is rounded to single precision
//   jacobian(lanes, at, m)              row-major: index displacement per world displacement
// Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_MESH_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_MESH_LANES_INL_H
#undef RIVULET_MESH_LANES_INL_H
#else
#define RIVULET_MESH_LANES_INL_H
#endif

#include "Trace/Kernel/ParticleLanes-inl.h"
#include "Trace/Mesh/StructuredMesh.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Meshes of equal cells: slopes are in cells, so that a step is an addition. An AMR level is such a mesh.
template <class W>
class UniformLanes
{
public:
  static constexpr bool kCellsAlike = true;

  explicit UniformLanes(const StructuredMesh& mesh)
    : mesh_(mesh)
    , index_from_world_(mesh.index_from_world({ 0, 0, 0 }))
    , aligned_(mesh.axis_aligned())
  {
  }

  [[nodiscard]] HWY_INLINE Triple<W> slope_of(const Triple<W>& v) const
  {
    const Mat3& m = index_from_world_;
    if (aligned_)
    {
      return { W::set(m[0]) * v.x, W::set(m[4]) * v.y, W::set(m[8]) * v.z };
    }
    const auto row = [&](std::size_t i) HWY_ATTR
    {
      const auto xy = W::fused(W::set(m[i + 1]), v.y, W::set(m[i]) * v.x);
      return W::fused(W::set(m[i + 2]), v.z, xy);
    };
    return { row(0), row(3), row(6) };
  }

  HWY_INLINE void move(LaneBits /*lanes*/, const PositionLanes<W>& from, const Triple<W>& by, bool /*at_end*/,
      PositionLanes<W>& to) const
  {
    const auto along = [&](std::size_t axis, typename W::Vector way) HWY_ATTR
    {
      const auto far = W::load(from.fraction[axis]) + way;
      const auto moved = W::max(W::min(far, W::set(StructuredMesh::kFarAway)), W::set(-StructuredMesh::kFarAway));
      const auto whole = W::floor(moved);
      W::store(moved - whole, to.fraction[axis]);
      W::store(W::load(from.cell[axis]) + W::to_ints(whole), to.cell[axis]);
    };
    along(0, by.x);
    along(1, by.y);
    along(2, by.z);
  }

  [[nodiscard]] HWY_INLINE typename W::Vector length_of(const Triple<W>& slope) const
  {
    const Mat3& m = mesh_.world_from_index();
    return HWY_NAMESPACE::length_of(Triple<W>{
        dot(Triple<W>::set(&m[0]), slope), dot(Triple<W>::set(&m[3]), slope), dot(Triple<W>::set(&m[6]), slope) });
  }

  HWY_INLINE void world_of(LaneBits /*lanes*/, const PositionLanes<W>& at, float (*world)[W::kLanes]) const
  {
    const auto index = [&](std::size_t axis) HWY_ATTR
    {
      return W::to_doubles(W::set(mesh_.first()[axis]) + W::load(at.cell[axis])) + W::load(at.fraction[axis]);
    };
    const Triple<W> place{ index(0), index(1), index(2) };
    const Mat3& m = mesh_.world_from_index();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const auto relative = dot(Triple<W>::set(&m[3 * axis]), place);
      W::store_floats(W::set(mesh_.origin()[axis]) + relative, world[axis]);
    }
  }

  [[nodiscard]] Vec3 world(const CellPosition& at) const { return mesh_.world(at); }

  HWY_INLINE void jacobian(LaneBits /*lanes*/, const PositionLanes<W>& /*at*/, typename W::Vector* m) const
  {
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::set(index_from_world_[i]);
    }
  }

private:
  const StructuredMesh& mesh_;
  Mat3 index_from_world_;
  bool aligned_;
};

/// Rectilinear meshes, where only the cells of a layer are alike: slopes are in world units, and the search for a cell
/// begins at the last one.
template <class W>
class RectilinearLanes
{
public:
  static constexpr bool kCellsAlike = false;

  explicit RectilinearLanes(const StructuredMesh& mesh)
    : mesh_(mesh)
  {
  }

  [[nodiscard]] HWY_INLINE Triple<W> slope_of(const Triple<W>& v) const { return v; }

  HWY_INLINE void move(
      LaneBits lanes, const PositionLanes<W>& from, const Triple<W>& by, bool at_end, PositionLanes<W>& to) const
  {
    alignas(64) double way[3][W::kLanes];
    by.store(way);
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const CellPosition base = from.get(lane, 0);
          const Vec3 displacement{ way[0][lane], way[1][lane], way[2][lane] };
          to.set(lane, at_end ? mesh_.end_of_step(base, displacement) : mesh_.moved(base, displacement));
        });
  }

  [[nodiscard]] HWY_INLINE typename W::Vector length_of(const Triple<W>& slope) const
  {
    return HWY_NAMESPACE::length_of(slope);
  }

  HWY_INLINE void world_of(LaneBits lanes, const PositionLanes<W>& at, float (*world)[W::kLanes]) const
  {
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Vec3 place = mesh_.world(at.get(lane, 0));
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            world[axis][lane] = static_cast<float>(place[axis]);
          }
        });
  }

  [[nodiscard]] Vec3 world(const CellPosition& at) const { return mesh_.world(at); }

  HWY_INLINE void jacobian(LaneBits lanes, const PositionLanes<W>& at, typename W::Vector* m) const
  {
    alignas(64) double rows[9][W::kLanes] = {};
    for_each_lane(lanes,
        [&](std::size_t lane)
        {
          const Mat3 of_cell = mesh_.index_from_world(at.cell_of(lane));
          for (std::size_t i = 0; i < 9; ++i)
          {
            rows[i][lane] = of_cell[i];
          }
        });
    for (std::size_t i = 0; i < 9; ++i)
    {
      m[i] = W::load(rows[i]);
    }
  }

private:
  const StructuredMesh& mesh_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
