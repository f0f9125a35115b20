// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/GridWindow.h"

#include "Trace/Kernel/KernelVariants.h"

#include <algorithm>

namespace rivulet
{

BrickWindow window_on(const BrickView& view, std::int64_t first_component, const Int3& offset,
    const std::array<bool, 3>& flat, const Int3& first_cell)
{
  BrickWindow window;
  window.first_cell = first_cell;
  window.stride = view.stride;
  window.component_stride = view.component_stride;
  std::int64_t corner = first_component * view.component_stride;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    corner += (std::int64_t{ offset[axis] } - view.lattice.begin[axis]) * view.stride[axis];
    window.upper[axis] = flat[axis] ? 0 : view.stride[axis];
  }
  // Only values inside the brick are addressed. The corner itself may lie far outside, hence integer arithmetic.
  const auto bytes = static_cast<std::int64_t>(size_of(view.type)) * corner;
  window.corner = reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(view.data) + bytes);
  return window;
}

GridCall GridCall::make(const KernelCall& call, const GridMesh& mesh)
{
  const std::int32_t level = mesh.level_of(call.brick);
  GridCall on{
    .call = call, .mesh = mesh, .level = level, .grid = mesh.level(level), .cells = mesh.cells_of(call.brick)
  };
  const int first_component = std::max(call.context.field().velocity.first_component, 0);
  const std::array<bool, 3> flat{ on.grid.flat(0), on.grid.flat(1), on.grid.flat(2) };
  const auto window_or_none = [&](const BrickView* view)
  {
    return view != nullptr ? window_on(*view, first_component, mesh.lattice_offset(), flat, on.cells.begin)
                           : BrickWindow{};
  };
  on.now = window_or_none(call.window.now);
  on.later = window_or_none(call.window.later);
  on.before = window_or_none(call.window.before);
  on.after = window_or_none(call.window.after);
  return on;
}

void GridMesh::advance(const KernelCall& call) const
{
  const GridCall on = GridCall::make(call, *this);
  const bool narrow = call.context.velocity().type == ScalarType::Float32;
  if (call.context.is_unsteady())
  {
    narrow ? advance_unsteady_float32(on) : advance_unsteady_float64(on);
    return;
  }
  narrow ? advance_steady_float32(on) : advance_steady_float64(on);
}

} // namespace rivulet
