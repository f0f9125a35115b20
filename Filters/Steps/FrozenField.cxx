// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/FrozenField.h"

namespace rivulet
{

Result<BrickSource*> FrozenField::freeze(const SourceArray& array, std::int32_t step, double duration)
{
  const StepBricks::Values values{ array.source, array.variable, step };
  auto bricks = std::make_unique<StepBricks>(std::vector<double>{ 0.0, duration }, values);
  if (Result<void> held = bricks->hold({ { 0, values }, { 1, values } }); !held)
  {
    return forward_error(held);
  }
  sources_.push_back(std::move(bricks));
  return sources_.back().get();
}

Result<void> FrozenField::freeze(const TraceField& field, std::int32_t step, double duration)
{
  field_ = field;
  if (!field.hidden.empty())
  {
    field_.hidden.assign(2, field.hidden[static_cast<std::size_t>(step)]);
  }
  sources_.clear();
  Result<BrickSource*> velocity = freeze(field.velocity, step, duration);
  if (!velocity)
  {
    return forward_error(velocity);
  }
  field_.velocity = { *velocity, 0, 0, field.velocity.first_component };
  for (std::size_t i = 0; i < field.attributes.size(); ++i)
  {
    const SourceArray& array = field.attributes[i].array;
    const bool is_velocity = array.source == field.velocity.source && array.variable == field.velocity.variable;
    Result<BrickSource*> frozen = is_velocity ? velocity : freeze(array, step, duration);
    if (!frozen)
    {
      return forward_error(frozen);
    }
    field_.attributes[i].array = { *frozen, 0, 0, array.first_component };
  }
  return {};
}

} // namespace rivulet
