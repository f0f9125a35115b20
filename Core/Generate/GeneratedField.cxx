// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/GeneratedField.h"

#include <cmath>
#include <vector>

namespace rivulet
{

namespace
{

Result<void> check(const GeneratedFieldOptions& options, const FieldDomain& domain)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (options.nodes[axis] < 1)
    {
      return fail(ErrorCode::BadArgument, "the grid has no nodes", "give at least one node along each axis");
    }
    if (!(domain.upper[axis] > domain.lower[axis]) || !std::isfinite(domain.upper[axis] - domain.lower[axis]))
    {
      return fail(ErrorCode::BadArgument, "the domain is empty", "give an upper corner above the lower one");
    }
  }
  if (options.steps < 1 || !(options.time_step > 0) || !std::isfinite(options.start_time) ||
      !std::isfinite(options.time_step * options.steps))
  {
    return fail(ErrorCode::BadArgument, "the steps make no sense", "give at least one step and a positive time step");
  }
  return {};
}

Grid grid_over(const FieldDomain& domain, const Int3& nodes)
{
  Grid grid;
  grid.nodes = nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double length = domain.upper[axis] - domain.lower[axis];
    const bool flat = nodes[axis] == 1;
    grid.spacing[axis] = flat ? length : length / (nodes[axis] - 1);
    grid.origin[axis] = flat ? domain.lower[axis] + length / 2 : domain.lower[axis];
  }
  return grid;
}

std::vector<double> coordinates(const Grid& grid, Centering centering, int axis, const Box& box)
{
  std::vector<double> positions;
  const auto a = static_cast<std::size_t>(axis);
  for (std::int32_t index = box.begin[a]; index < box.end[a]; ++index)
  {
    positions.push_back(lattice_coordinate(grid, centering, axis, index));
  }
  return positions;
}

template <class T>
void fill_speed(const AnalyticField& field, const LatticePoints& points, double time, T* out)
{
  std::vector<T> plane(3 * points.x.size() * points.y.size());
  for (std::size_t k = 0; k < points.z.size(); ++k)
  {
    field.evaluate({ points.x, points.y, points.z.subspan(k, 1) }, time, plane.data());
    for (std::size_t i = 0; i < plane.size(); i += 3)
    {
      const double u = plane[i];
      const double v = plane[i + 1];
      const double w = plane[i + 2];
      *out++ = static_cast<T>(std::sqrt(u * u + v * v + w * w));
    }
  }
}

template <class T>
void fill(const AnalyticField& field, bool speed, const LatticePoints& points, double time, void* out)
{
  if (speed)
  {
    fill_speed(field, points, time, static_cast<T*>(out));
  }
  else
  {
    field.evaluate(points, time, static_cast<T*>(out));
  }
}

FieldInfo info_for(const GeneratedFieldOptions& options, const FieldDomain& domain)
{
  FieldInfo info;
  info.grid = grid_over(domain, options.nodes);
  info.variables.push_back({ "velocity", options.type, 3, options.centering });
  if (options.with_speed)
  {
    info.variables.push_back({ "speed", options.type, 1, options.centering });
  }
  for (std::int32_t step = 0; step < options.steps; ++step)
  {
    info.times.push_back(options.start_time + step * options.time_step);
  }
  info.ranges.resize(info.variables.size());
  return info;
}

bool inside(const Box& box, const Int3& lattice)
{
  return !box.empty() && intersect(box, { { 0, 0, 0 }, lattice }) == box;
}

} // namespace

double lattice_coordinate(const Grid& grid, Centering centering, int axis, std::int32_t index)
{
  const auto a = static_cast<std::size_t>(axis);
  const double offset = centering == Centering::Cell && grid.nodes[a] > 1 ? 0.5 : 0.0;
  return grid.origin[a] + grid.spacing[a] * (grid.first[a] + index + offset);
}

GeneratedField::GeneratedField(std::unique_ptr<AnalyticField> field, FieldInfo info)
  : field_(std::move(field))
  , info_(std::move(info))
{
}

Result<std::unique_ptr<GeneratedField>> GeneratedField::create(
    std::unique_ptr<AnalyticField> field, const GeneratedFieldOptions& options)
{
  const FieldDomain domain = options.domain.value_or(field->domain());
  if (Result<void> checked = check(options, domain); !checked)
  {
    return forward_error(checked);
  }
  FieldInfo info = info_for(options, domain);
  return std::unique_ptr<GeneratedField>(new GeneratedField(std::move(field), std::move(info)));
}

Result<void> GeneratedField::read(int variable, int step, const Box& box, void* out)
{
  if (variable < 0 || step < 0 || static_cast<std::size_t>(variable) >= info_.variables.size() ||
      static_cast<std::size_t>(step) >= info_.times.size())
  {
    return fail(ErrorCode::BadArgument, "the generated field has no such variable or step");
  }
  const Variable& array = info_.variables[static_cast<std::size_t>(variable)];
  if (!inside(box, info_.grid.lattice(array.centering)))
  {
    return fail(ErrorCode::BadArgument, "the box is empty or reaches outside the generated field");
  }
  const std::vector<double> x = coordinates(info_.grid, array.centering, 0, box);
  const std::vector<double> y = coordinates(info_.grid, array.centering, 1, box);
  const std::vector<double> z = coordinates(info_.grid, array.centering, 2, box);
  const LatticePoints points{ x, y, z };
  const double time = info_.times[static_cast<std::size_t>(step)];
  const bool speed = array.components == 1;
  array.type == ScalarType::Float32 ? fill<float>(*field_, speed, points, time, out)
                                    : fill<double>(*field_, speed, points, time, out);
  return {};
}

Int3 GeneratedField::preferred_box() const
{
  if (!field_->prefers_rows())
  {
    return { 0, 0, 0 };
  }
  return { info_.grid.nodes[0], info_.grid.nodes[1], 0 };
}

} // namespace rivulet
