// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/KernelTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel/KernelHexCell.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "Trace/Kernel/HexLanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

HexCell::Place locate_in_cell(const HexCell::Corners& corners, const Vec3& world)
{
  using One = Width<1>;
  Triple<One> of_lane[HexCell::kCorners];
  for (std::size_t i = 0; i < HexCell::kCorners; ++i)
  {
    of_lane[i] = { corners[i][0], corners[i][1], corners[i][2] };
  }
  const HexLanes<One> cell(of_lane);
  const Triple<One> place{ world[0], world[1], world[2] };
  const HexLanes<One>::Places near = cell.locate(place, 1);
  const Vec3 at{ near.at.x, near.at.y, near.at.z };
  if (near.far == 0 || !box_around(corners).widened(HexCell::kNear).contains(world))
  {
    return { at, near.converged != 0, near.far != 0 };
  }
  const HexLanes<One>::Places later = cell.locate_far(place, near.at);
  const HexCell::Place inside{ { later.at.x, later.at.y, later.at.z }, later.converged != 0, false };
  return inside.converged && HexCell::violation(inside.at) <= HexCell::kNear ? inside
                                                                             : HexCell::Place{ at, false, true };
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(locate_in_cell);

HexCell::Place HexCell::locate(const Vec3& world) const
{
  return HWY_DYNAMIC_DISPATCH(locate_in_cell)(corners_, world);
}

} // namespace rivulet
#endif
