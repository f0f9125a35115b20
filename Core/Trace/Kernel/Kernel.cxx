// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/Kernel.h"

#include "Trace/Kernel/KernelVariants.h"

namespace rivulet
{

void advance_particles(const KernelCall& call)
{
  const bool narrow = call.context.velocity().type == ScalarType::Float32;
  if (call.context.is_unsteady())
  {
    narrow ? advance_unsteady_float32(call) : advance_unsteady_float64(call);
    return;
  }
  narrow ? advance_steady_float32(call) : advance_steady_float64(call);
}

BrickWindow BrickWindow::make(const AdvectionContext& context, const BrickView& view, std::int64_t brick)
{
  const Int3& offset = context.field().lattice_offset;
  BrickWindow window;
  window.cells = context.mesh().cells_of(brick);
  window.stride = view.stride;
  window.component_stride = view.component_stride;
  std::int64_t corner = std::max(context.field().velocity.first_component, 0) * view.component_stride;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    corner += (std::int64_t{ offset[axis] } - view.lattice.begin[axis]) * view.stride[axis];
    window.upper[axis] = context.mesh().level().flat(static_cast<int>(axis)) ? 0 : view.stride[axis];
  }
  // Only values inside the brick are addressed. The corner itself may lie far outside, hence integer arithmetic.
  const auto bytes = static_cast<std::int64_t>(size_of(view.type)) * corner;
  window.corner = reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(view.data) + bytes);
  return window;
}

} // namespace rivulet
