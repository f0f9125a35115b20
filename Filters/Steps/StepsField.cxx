// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/StepsField.h"

#include "Trace/Mesh/CurvilinearGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

bool same_array(const SourceArray& a, const SourceArray& b)
{
  return a.source == b.source && a.variable == b.variable && a.step == b.step && b.first_component < 0;
}

const Variable& variable_of(const SourceArray& array)
{
  return array.source->info().variables[static_cast<std::size_t>(array.variable)];
}

bool same_kind(const SourceArray& a, const SourceArray& b)
{
  const Variable& x = variable_of(a);
  const Variable& y = variable_of(b);
  return x.components == y.components && x.type == y.type && x.centering == y.centering;
}

StepBricks::Values values_of(const SourceArray& array)
{
  return { array.source, array.variable, array.step };
}

} // namespace

void StepsField::make(const FlowInput& flow, const std::vector<double>& times)
{
  field_ = flow.field();
  times_ = times;
  places_.reset();
  attributes_.clear();
  const SourceArray velocity = field_.velocity;
  velocity_ = in_time(velocity);
  field_.velocity = { velocity_.get(), 0, 0, velocity.first_component };
  for (AttributeRequest& attribute : field_.attributes)
  {
    const bool is_velocity = same_array(attribute.array, velocity);
    attributes_.push_back(is_velocity ? nullptr : in_time(attribute.array));
    attribute.array = { is_velocity ? velocity_.get() : attributes_.back().get(), 0, 0 };
  }
}

/// An array at all steps. On cells that change it has another length at each.
std::unique_ptr<StepBricks> StepsField::in_time(const SourceArray& array) const
{
  const StepBricks::Rows rows = field_.foreign != nullptr ? StepBricks::Rows::MayDiffer : StepBricks::Rows::None;
  return std::make_unique<StepBricks>(times_, values_of(array), rows);
}

void StepsField::set_times(const std::vector<double>& times)
{
  times_ = times;
  if (velocity_)
  {
    velocity_->set_times(times);
  }
  if (places_)
  {
    places_->set_times(times);
  }
  for (const std::unique_ptr<StepBricks>& attribute : attributes_)
  {
    if (attribute)
    {
      attribute->set_times(times);
    }
  }
}

void StepsField::leave_out_missing(const FlowInput& step, const std::string& when)
{
  const std::vector<AttributeRequest>& there = step.field().attributes;
  for (std::size_t i = field_.attributes.size(); i-- > 0;)
  {
    const AttributeRequest& attribute = field_.attributes[i];
    const auto same = std::find_if(
        there.begin(), there.end(), [&](const AttributeRequest& other) { return other.name == attribute.name; });
    if (same != there.end() && (attributes_[i] == nullptr || same_kind(same->array, attribute.array)))
    {
      continue;
    }
    missing_.push_back("the array \"" + attribute.name + "\", which the input " +
                       (same == there.end() ? "does not have " : "has with another type or other components ") + when);
    field_.attributes.erase(field_.attributes.begin() + static_cast<std::ptrdiff_t>(i));
    attributes_.erase(attributes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

Result<void> StepsField::hold(const std::list<HeldStep>& steps, const StepBricks::Lost& lost)
{
  std::vector<StepBricks::Step> of_velocity;
  for (const HeldStep& each : steps)
  {
    of_velocity.push_back({ each.step, values_of(each.flow.field().velocity) });
  }
  Result<void> good = velocity_->hold(of_velocity, lost);
  for (std::size_t i = 0; i < attributes_.size() && good; ++i)
  {
    std::vector<StepBricks::Step> of_attribute;
    for (const HeldStep& each : steps)
    {
      const std::vector<AttributeRequest>& all = each.flow.field().attributes;
      const auto same = std::find_if(all.begin(), all.end(),
          [&](const AttributeRequest& other) { return other.name == field_.attributes[i].name; });
      of_attribute.push_back({ each.step, values_of(same->array) });
    }
    good = attributes_[i] ? attributes_[i]->hold(of_attribute, lost) : good;
  }
  hide(steps);
  change_cells(steps);
  return good ? move_nodes(steps, lost) : good;
}

/// Gives the cells of the steps that are held to the field, if they differ or lie elsewhere.
void StepsField::change_cells(const std::list<HeldStep>& steps)
{
  const auto cells_of = [](const HeldStep& each)
  {
    return each.flow.field().foreign;
  };
  field_.foreign_steps.clear();
  if (field_.foreign == nullptr || steps.empty())
  {
    return;
  }
  field_.foreign = cells_of(steps.front());
  field_.grid = steps.front().flow.field().grid;
  if (std::all_of(steps.begin(), steps.end(), [&](const HeldStep& each) { return cells_of(each) == field_.foreign; }))
  {
    return;
  }
  field_.foreign_steps.resize(times_.size());
  for (const HeldStep& each : steps)
  {
    field_.foreign_steps[static_cast<std::size_t>(each.step)] = cells_of(each);
  }
}

/// Gives the nodes of the steps that are held to the field, if they differ.
Result<void> StepsField::move_nodes(const std::list<HeldStep>& steps, const StepBricks::Lost& lost)
{
  const auto grid_of = [](const HeldStep& each)
  {
    return each.flow.field().curvilinear;
  };
  field_.moving = {};
  if (field_.curvilinear == nullptr || steps.empty())
  {
    return {};
  }
  field_.curvilinear = grid_of(steps.front());
  if (std::all_of(
          steps.begin(), steps.end(), [&](const HeldStep& each) { return grid_of(each) == field_.curvilinear; }))
  {
    return {};
  }
  std::vector<StepBricks::Step> of_places;
  field_.moving.steps.resize(times_.size());
  for (const HeldStep& each : steps)
  {
    of_places.push_back({ each.step, values_of(grid_of(each)->points()) });
    field_.moving.steps[static_cast<std::size_t>(each.step)] = grid_of(each);
  }
  places_ = places_ ? std::move(places_) : std::make_unique<StepBricks>(times_, of_places.front().values);
  field_.moving.places = { places_.get(), 0, 0 };
  return places_->hold(std::move(of_places), lost);
}

/// Gives the hidden cells of the steps that are held to the field.
void StepsField::hide(const std::list<HeldStep>& steps)
{
  if (field_.curvilinear != nullptr)
  {
    // The same cells are hidden at all steps; the arrays are of a step that is held.
    field_.point_ghosts = steps.empty() ? nullptr : steps.front().flow.field().point_ghosts;
    field_.cell_ghosts = steps.empty() ? nullptr : steps.front().flow.field().cell_ghosts;
    return;
  }
  field_.point_ghosts = nullptr;
  field_.cell_ghosts = nullptr;
  field_.hidden.clear();
  if (std::any_of(steps.begin(), steps.end(), [](const HeldStep& each) { return each.hidden != nullptr; }))
  {
    field_.hidden.resize(times_.size());
    for (const HeldStep& each : steps)
    {
      field_.hidden[static_cast<std::size_t>(each.step)] = each.hidden;
    }
  }
}

} // namespace rivulet
