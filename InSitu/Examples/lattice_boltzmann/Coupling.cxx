// SPDX-License-Identifier: BSD-3-Clause
#include "Coupling.h"

#include "rivulet_insitu.h"

#include <algorithm>

namespace lattice_boltzmann
{

Coupling::Coupling(const std::string& configuration, MPI_Comm comm)
{
  rivulet_insitu* session = nullptr;
  if (rivulet_insitu_initialize(configuration.c_str(), comm, &session) != RIVULET_OK)
  {
    message_ = rivulet_insitu_message(nullptr);
  }
  session_.reset(session);
}

void Coupling::Close::operator()(rivulet_insitu* session) const
{
  rivulet_insitu_finalize(&session);
}

void Coupling::run(const std::function<void()>& body) const
{
  rivulet_insitu_run(
      session_.get(), [](void* data) { (*static_cast<const std::function<void()>*>(data))(); },
      const_cast<std::function<void()>*>(&body));
}

/// A block of n cells has n + 1 nodes, of which neighbours share one. So a rank shows its own planes and the first one
/// of the next rank, but the last rank, which has no next one.
void Coupling::show(FlowSolver& flow)
{
  if (rivulet_insitu_wants(session_.get(), flow.steps()) == 0)
  {
    return;
  }
  flow.velocity_block(velocity_);
  const FlowOptions& options = flow.options();
  const auto scale = static_cast<float>(1 / options.inflow);
  std::transform(velocity_.begin(), velocity_.end(), velocity_.begin(), [scale](float v) { return v * scale; });
  const std::int64_t x = options.size[0];
  const std::int64_t y = options.size[1];
  const std::int64_t last = std::min<std::int64_t>(flow.slab().end(), options.size[2] - 1);
  const void* values[] = { velocity_.data() + 3 * x * y };
  const rivulet_block block{ 0, { 0, 0, flow.slab().begin() }, { x - 1, y - 1, last - flow.slab().begin() },
    { 0, 0, 0 }, values };
  const rivulet_variable variable{ "velocity", RIVULET_FLOAT32, 3 };
  rivulet_field field{};
  field.name = "flow";
  field.centring = RIVULET_NODES;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    field.spacing[axis] = 1 / options.sphere.diameter;
    field.origin[axis] = -options.sphere.centre[axis] * field.spacing[axis];
    field.cells[axis] = options.size[axis] - 1;
  }
  field.levels = 1;
  field.variables = 1;
  field.variable = &variable;
  field.blocks = block.cells[2] > 0 ? 1 : 0; // the last rank may own nothing but the last plane
  field.block = &block;
  rivulet_insitu_publish_field(session_.get(), &field);
  rivulet_insitu_execute(
      session_.get(), flow.steps(), static_cast<double>(flow.steps()) * options.inflow * field.spacing[0]);
}

} // namespace lattice_boltzmann
