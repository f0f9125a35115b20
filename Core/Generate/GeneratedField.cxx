// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/GeneratedField.h"

#include "Base/Vector.h"
#include "Io/FieldFile/FieldRules.h"

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
  if (!(options.mesh.twist >= 0.0 && options.mesh.twist <= TwistedLattice::kMost) || !std::isfinite(options.mesh.rate))
  {
    return fail(ErrorCode::BadArgument, "such a twist folds cells of the grid", "give a twist from 0 to 0.2");
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
  if (options.mesh.twist > 0.0)
  {
    add_points(info, options.type);
  }
  for (std::int32_t step = 0; step < options.steps; ++step)
  {
    info.times.push_back(options.start_time + step * options.time_step);
  }
  info.points_steps.assign(
      static_cast<std::size_t>(info.points >= 0 && options.mesh.rate == 0.0 ? options.steps : 0), 0);
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

GeneratedField::GeneratedField(std::unique_ptr<AnalyticField> field, FieldInfo info,
    const GeneratedFieldOptions& options, const FieldDomain& domain)
  : field_(std::move(field))
  , info_(std::move(info))
  , lattice_(grid_over(domain, options.nodes))
  , mesh_(options.mesh)
{
}

/// Of a node as the file stores it.
Vec3 GeneratedField::place(const Int3& node, double time) const
{
  Vec3 at = mesh_.place(lattice_, node, time);
  for (double& x : at)
  {
    x = info_.variables.back().type == ScalarType::Float32 ? static_cast<double>(static_cast<float>(x)) : x;
  }
  return at;
}

/// Values at nodes, or at the mean of the corners of cells.
template <class T>
void GeneratedField::fill_twisted(const Variable& variable, bool places, const Box& box, double time, T* out) const
{
  const bool cells = variable.centering == Centering::Cell;
  for (std::int64_t number = 0; number < box.count(); ++number)
  {
    Int3 at = from_row_major(number, box.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] += box.begin[axis];
    }
    Vec3 where = cells ? Vec3{ 0, 0, 0 } : place(at, time);
    for (int corner = 0; cells && corner < 8; ++corner)
    {
      Int3 node = at;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        node[axis] += lattice_.nodes[axis] > 1 ? corner >> axis & 1 : 0;
      }
      const Vec3 of_corner = place(node, time);
      where = { where[0] + of_corner[0] / 8, where[1] + of_corner[1] / 8, where[2] + of_corner[2] / 8 };
    }
    const Vec3 value = places ? where : field_->velocity(where, time);
    if (variable.components == 1)
    {
      *out++ = static_cast<T>(length_of(value));
      continue;
    }
    for (const double x : value)
    {
      *out++ = static_cast<T>(x);
    }
  }
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
  return std::unique_ptr<GeneratedField>(new GeneratedField(std::move(field), std::move(info), options, domain));
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
  const double time = info_.times[static_cast<std::size_t>(step)];
  if (info_.points >= 0)
  {
    const bool places = variable == info_.points;
    array.type == ScalarType::Float32 ? fill_twisted(array, places, box, time, static_cast<float*>(out))
                                      : fill_twisted(array, places, box, time, static_cast<double*>(out));
    return {};
  }
  const std::vector<double> x = coordinates(info_.grid, array.centering, 0, box);
  const std::vector<double> y = coordinates(info_.grid, array.centering, 1, box);
  const std::vector<double> z = coordinates(info_.grid, array.centering, 2, box);
  const LatticePoints points{ x, y, z };
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
