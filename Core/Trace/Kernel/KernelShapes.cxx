// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/KernelTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel/KernelShapes.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "Trace/Kernel/ShapeLanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

HexCell::Place locate_in_cell(const HexCell::Corners& corners, const Vec3& world)
{
  const HexCell::Place place = locate_alone(CellShape::Hexahedron, corners, world);
  leave_wide_registers();
  return place;
}

HexCell::Place locate_by_shape(CellShape shape, const ShapeCorners& corners, const Vec3& world)
{
  const HexCell::Place place = locate_alone(shape, corners, world);
  leave_wide_registers();
  return place;
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(locate_in_cell);
HWY_EXPORT(locate_by_shape);

HexCell::Place HexCell::locate(const Vec3& world) const
{
  return HWY_DYNAMIC_DISPATCH(locate_in_cell)(corners_, world);
}

HexCell::Place locate_in_shape(CellShape shape, const ShapeCorners& corners, const Vec3& world)
{
  return HWY_DYNAMIC_DISPATCH(locate_by_shape)(shape, corners, world);
}

} // namespace rivulet
#endif
