// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/CurvilinearWindow.h"

#include <algorithm>

namespace rivulet
{

CurvilinearCall CurvilinearCall::make(const KernelCall& call, const CurvilinearMesh& mesh)
{
  const Int3& first_cell = call.window.places.now->lattice.begin;
  const auto window_or_none = [&](const BrickView* view, int first_component)
  {
    return view != nullptr
               ? TypedWindow{ window_on(*view, first_component, {}, { false, false, false }, first_cell), view->type }
               : TypedWindow{};
  };
  const int velocity = std::max(call.context.field().velocity.first_component, 0);
  CurvilinearCall on{ .call = call, .mesh = mesh };
  const StepViews& places = call.window.places;
  on.places = window_or_none(places.now, 0);
  on.places_later = window_or_none(places.later, 0);
  on.places_before = window_or_none(places.before, 0);
  on.places_after = window_or_none(places.after, 0);
  on.now = window_or_none(call.window.now, velocity);
  on.later = window_or_none(call.window.later, velocity);
  on.before = window_or_none(call.window.before, velocity);
  on.after = window_or_none(call.window.after, velocity);
  return on;
}

} // namespace rivulet
