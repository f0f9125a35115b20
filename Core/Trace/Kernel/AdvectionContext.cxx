// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/AdvectionContext.h"

#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/MakeMesh.h"

#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

/// Whether the array is the whole velocity.
bool is_velocity(const SourceArray& array, const SourceArray& velocity, bool any_step)
{
  return array.source == velocity.source && array.variable == velocity.variable &&
         (any_step || array.step == velocity.step) && velocity.first_component < 0;
}

/// Checks that a source has one value for each node or cell, in one brick.
Result<void> check_row(const SourceArray& array, const ForeignCells& cells, const char* role)
{
  const Variable& variable = array.source->info().variables[static_cast<std::size_t>(array.variable)];
  const BrickGrid& bricks = array.source->bricks(array.variable);
  const std::int64_t wanted = variable.centering == Centering::Node ? cells.nodes() : cells.cells();
  if (bricks.size() != 1 || bricks.lattice[0] != wanted || volume(bricks.lattice) != wanted)
  {
    return fail(ErrorCode::BadArgument, std::string("the ") + role + " array does not have one value for each " +
                                            (variable.centering == Centering::Node ? "node" : "cell"));
  }
  return {};
}

Result<void> check_array(const SourceArray& array, const TraceField& field, const char* role)
{
  if (array.source == nullptr)
  {
    return fail(ErrorCode::BadArgument, std::string("there is no ") + role + " array");
  }
  const FieldInfo& info = array.source->info();
  if (array.variable < 0 || static_cast<std::size_t>(array.variable) >= info.variables.size() || array.step < 0 ||
      static_cast<std::size_t>(array.step) >= info.times.size())
  {
    return fail(ErrorCode::BadArgument,
        std::string("the ") + role + " array names a variable or step its source does not have");
  }
  if (field.foreign != nullptr)
  {
    return check_row(array, *field.foreign, role);
  }
  const Int3 cells = field.grid.cells();
  const Int3 held = info.grid.cells();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = field.lattice_offset[axis];
    if (begin < 0 || begin + cells[axis] > held[axis] || (field.grid.nodes[axis] > 1) != (info.grid.nodes[axis] > 1))
    {
      return fail(ErrorCode::BadArgument, std::string("the grid does not lie inside that of the ") + role + " array");
    }
  }
  return {};
}

/// Checks that the velocity has all three components.
Result<void> check_components(const SourceArray& velocity)
{
  const Variable& variable = velocity.source->info().variables[static_cast<std::size_t>(velocity.variable)];
  const std::int32_t first = velocity.first_component;
  if (first < 0 && variable.components != 3)
  {
    return fail(ErrorCode::BadArgument, "the velocity array \"" + variable.name + "\" has " +
                                            std::to_string(variable.components) + " components instead of 3");
  }
  if (first >= 0 && first + 3 > variable.components)
  {
    return fail(ErrorCode::BadArgument, "the velocity is components " + std::to_string(first) + " to " +
                                            std::to_string(first + 2) + " of the array \"" + variable.name +
                                            "\", which has " + std::to_string(variable.components));
  }
  return {};
}

Result<void> check_cuts(const TraceField& field)
{
  const BrickCut* const own = field.velocity.source->own_cut();
  const auto other_cut = [own](const AttributeRequest& attribute)
  {
    return attribute.array.source->own_cut() != own;
  };
  if (std::any_of(field.attributes.begin(), field.attributes.end(), other_cut))
  {
    return fail(ErrorCode::BadArgument, "the arrays do not have the mesh of the velocity array");
  }
  return {};
}

Result<void> check_times(const std::vector<double>& times, const TraceField& field)
{
  const auto fits = [&times](const SourceArray& array)
  {
    return array.source == nullptr || array.source->info().times.size() == times.size();
  };
  if (times.size() < 2)
  {
    return fail(ErrorCode::BadArgument, "a field of one time step has no pathlines", "trace streamlines instead");
  }
  bool all_fit = fits(field.velocity);
  for (const AttributeRequest& attribute : field.attributes)
  {
    all_fit = all_fit && fits(attribute.array);
  }
  if (!all_fit || (!field.hidden.empty() && field.hidden.size() != times.size()))
  {
    return fail(ErrorCode::BadArgument, "the arrays do not have one step for each of the times");
  }
  for (std::size_t i = 0; i < times.size(); ++i)
  {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
    {
      return fail(ErrorCode::BadArgument, "time " + std::to_string(i) + " of the field is not above the one before");
    }
  }
  return {};
}

Result<void> check_options(const TraceOptions& options, bool unsteady)
{
  const auto positive = [](double value)
  {
    return value > 0.0 && std::isfinite(value);
  };
  if (!positive(options.initial_step) || !(options.minimum_step >= 0.0) || !positive(options.maximum_step))
  {
    return fail(ErrorCode::BadArgument, "the step lengths are not positive numbers",
        "set initial, minimum and maximum step length");
  }
  if (options.integrator == Integrator::RungeKutta45 && options.minimum_step > options.maximum_step)
  {
    return fail(ErrorCode::BadArgument, "the minimum step length is above the maximum step length");
  }
  if (options.step_unit == StepUnit::Time && !unsteady)
  {
    return fail(ErrorCode::BadArgument, "steps of streamlines are lengths, not times");
  }
  if (!(options.maximum_length >= 0.0) || !(options.maximum_time >= 0.0) || options.maximum_steps < 0 ||
      !std::isfinite(options.terminal_speed) || !std::isfinite(options.maximum_error))
  {
    return fail(
        ErrorCode::BadArgument, "maximum length, time, steps, error or terminal speed is negative or not a number");
  }
  return {};
}

} // namespace

Result<AdvectionContext> AdvectionContext::steady(const TraceField& field, const TraceOptions& options)
{
  return create(field, options, {});
}

Result<AdvectionContext> AdvectionContext::unsteady(const TraceField& field, std::vector<double> times,
    const std::array<double, 2>& limits, const TraceOptions& options)
{
  if (field.velocity.source == nullptr)
  {
    return create(field, options, {}); // which fails with the reason
  }
  if (Result<void> good = check_times(times, field); !good)
  {
    return forward_error(good);
  }
  Result<AdvectionContext> context = create(field, options, std::move(times));
  if (context)
  {
    context->limits_ = { std::max(limits[0], context->times_.front()), std::min(limits[1], context->times_.back()) };
    context->set_intervals(0, static_cast<std::int32_t>(context->times_.size()) - 2);
  }
  return context;
}

double AdvectionContext::last_time(double time, double sign, double end) const
{
  const bool has_end = std::isfinite(end) && (end - time) * sign >= 0.0;
  const double last = has_end ? end : sign * std::numeric_limits<double>::infinity();
  if (!(options_.maximum_time > 0.0))
  {
    return last;
  }
  return sign > 0.0 ? std::min(last, time + options_.maximum_time) : std::max(last, time - options_.maximum_time);
}

std::int32_t interval_in(std::span<const double> times, double time, double sign)
{
  const auto above = sign > 0.0 ? std::upper_bound(times.begin(), times.end(), time)
                                : std::lower_bound(times.begin(), times.end(), time);
  const auto last = static_cast<std::ptrdiff_t>(times.size()) - 2;
  return static_cast<std::int32_t>(std::clamp<std::ptrdiff_t>(above - times.begin() - 1, 0, last));
}

Moment AdvectionContext::moment_of(double time, double sign) const
{
  if (!is_unsteady())
  {
    return {};
  }
  const std::int32_t interval = interval_of(time, sign);
  const std::int32_t other = interval - (sign > 0.0 ? 1 : -1);
  const double border = times_[static_cast<std::size_t>(interval + (sign > 0.0 ? 0 : 1))];
  return moment_in(!holds(interval) && holds(other) && time == border ? other : interval, time);
}

Result<AdvectionContext> AdvectionContext::create(
    const TraceField& field, const TraceOptions& options, std::vector<double> times)
{
  if (Result<void> good = check_options(options, !times.empty()); !good)
  {
    return forward_error(good);
  }
  if (Result<void> good = check_array(field.velocity, field, "velocity"); !good)
  {
    return forward_error(good);
  }
  Result<std::shared_ptr<const Mesh>> mesh = make_mesh(field, times, options.time_interpolation);
  if (!mesh)
  {
    return forward_error(mesh);
  }
  if (Result<void> good = check_components(field.velocity); !good)
  {
    return forward_error(good);
  }
  for (const AttributeRequest& attribute : field.attributes)
  {
    if (Result<void> good = check_array(attribute.array, field, attribute.name.c_str()); !good)
    {
      return forward_error(good);
    }
  }
  if (Result<void> good = check_cuts(field); !good)
  {
    return forward_error(good);
  }
  return AdvectionContext(field, options, std::move(times), std::move(*mesh));
}

AdvectionContext::AdvectionContext(
    const TraceField& field, const TraceOptions& options, std::vector<double> times, std::shared_ptr<const Mesh> mesh)
  : field_(&field)
  , options_(options)
  , times_(std::move(times))
  , mesh_(std::move(mesh))
  , tableau_(&tableau_of(options.integrator))
  , velocity_(field.velocity.source->info().variables[static_cast<std::size_t>(field.velocity.variable)])
  , bricks_(&field.velocity.source->bricks(field.velocity.variable))
{
  for (std::size_t i = 0; i < field.attributes.size(); ++i)
  {
    if (velocity_attribute_ < 0 && is_velocity(field.attributes[i].array, field.velocity, is_unsteady()))
    {
      velocity_attribute_ = static_cast<int>(i);
    }
  }
  const bool cell_centred = velocity_.centering == Centering::Cell;
  const bool as_floats = !cell_centred && velocity_.interpolated_type() == ScalarType::Float32;
  const VelocityRecord kept = as_floats ? VelocityRecord::Floats : VelocityRecord::Doubles;
  const bool keep_velocity = cell_centred || velocity_attribute_ >= 0;
  const bool others = field.attributes.size() > (velocity_attribute_ >= 0 ? 1U : 0U);
  layout_ = RecordLayout::make(keep_velocity ? kept : VelocityRecord::None, options.compute_vorticity, others,
      needs_double_points(field, *mesh_, is_unsteady()));
}

} // namespace rivulet
