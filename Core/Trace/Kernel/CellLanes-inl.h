// SPDX-License-Identifier: BSD-3-Clause
// Positions on grids of the particles in the lanes. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_CELL_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_CELL_LANES_INL_H
#undef RIVULET_CELL_LANES_INL_H
#else
#define RIVULET_CELL_LANES_INL_H
#endif

#include "Trace/Kernel/Width-inl.h"
#include "Trace/Mesh/CellPosition.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Positions on grids, lane by lane. All have the AMR level of the brick.
template <class W>
struct CellLanes
{
  alignas(64) double fraction[3][W::kLanes];
  alignas(64) std::int32_t cell[3][W::kLanes];

  HWY_INLINE void set(std::size_t lane, const CellPosition& at)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      fraction[axis][lane] = at.fraction[axis];
      cell[axis][lane] = at.cell[axis];
    }
  }

  [[nodiscard]] HWY_INLINE CellPosition get(std::size_t lane, std::int32_t level) const
  {
    return { { fraction[0][lane], fraction[1][lane], fraction[2][lane] },
      { cell[0][lane], cell[1][lane], cell[2][lane] }, level };
  }

  /// Takes the positions of some lanes.
  HWY_INLINE void take(LaneBits lanes, const CellLanes& from)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      W::store_some(lanes, W::load(from.fraction[axis]), fraction[axis]);
      W::store_some(lanes, W::load(from.cell[axis]), cell[axis]);
    }
  }
};

/// Cell indices along the three axes.
template <class W>
struct CellNumbers
{
  typename W::IntVector x;
  typename W::IntVector y;
  typename W::IntVector z;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
