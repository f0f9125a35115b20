// SPDX-License-Identifier: BSD-3-Clause
#include "Support/AnalyticBricks.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace rivulet::test
{

namespace
{

constexpr int kVelocity = 0;

[[noreturn]] void give_up(const std::string& why)
{
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

double position(const Grid& grid, Centering centering, std::size_t axis, std::int32_t index)
{
  const bool middle = centering == Centering::Cell && grid.nodes[axis] > 1;
  if (grid.kind == Grid::Kind::Rectilinear)
  {
    const std::vector<double>& nodes = grid.axes[axis];
    const auto i = static_cast<std::size_t>(index);
    return middle ? 0.5 * (nodes[i] + nodes[i + 1]) : nodes[i];
  }
  return grid.origin[axis] + grid.spacing[axis] * (grid.first[axis] + index + (middle ? 0.5 : 0.0));
}

std::vector<double> positions(const Grid& grid, Centering centering, std::size_t axis, const Box& box)
{
  std::vector<double> result;
  for (std::int32_t index = box.begin[axis]; index < box.end[axis]; ++index)
  {
    result.push_back(position(grid, centering, axis, index));
  }
  return result;
}

std::vector<double> velocities(
    const AnalyticField& field, const Grid& grid, Centering centering, double time, const Box& box)
{
  const std::vector<double> x = positions(grid, centering, 0, box);
  const std::vector<double> y = positions(grid, centering, 1, box);
  const std::vector<double> z = positions(grid, centering, 2, box);
  std::vector<double> values(3 * static_cast<std::size_t>(box.count()));
  field.evaluate({ x, y, z }, time, values.data());
  return values;
}

/// A new array: velocities with NaN between them, or speeds.
template <class T>
void* laid_out(const std::vector<double>& velocity, int variable, std::size_t stride)
{
  const std::size_t count = velocity.size() / 3;
  T* const values = static_cast<T*>(std::malloc(count * stride * sizeof(T)));
  std::fill(values, values + count * stride, std::numeric_limits<T>::quiet_NaN());
  for (std::size_t i = 0; i < count; ++i)
  {
    const double* u = velocity.data() + 3 * i;
    if (variable == kVelocity)
    {
      std::transform(u, u + 3, values + i * stride, [](double c) { return static_cast<T>(c); });
    }
    else
    {
      values[i * stride] = static_cast<T>(std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
  }
  return values;
}

BrickGrid brick_grid(const Grid& grid, Centering centering, const Int3& cells)
{
  BrickGrid bricks{ .cells = cells, .lattice = grid.lattice(centering) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bricks.cells[axis] = std::min(cells[axis], grid.cells()[axis]);
    bricks.count[axis] = (grid.cells()[axis] + bricks.cells[axis] - 1) / bricks.cells[axis];
  }
  return bricks;
}

} // namespace

AnalyticBricks::AnalyticBricks(
    std::shared_ptr<const AnalyticField> field, const Grid& grid, const AnalyticBricksOptions& options)
  : field_(std::move(field))
  , options_(options)
  , bricks_(brick_grid(grid, options.centering, options.brick_cells))
{
  info_.grid = grid;
  info_.times = options.times;
  info_.variables = { { "velocity", options.type, 3, options.centering },
    { "speed", options.type, 1, options.centering } };
  info_.ranges.resize(2);
}

AnalyticBricks::~AnalyticBricks()
{
  if (pinned_ != 0)
  {
    give_up("AnalyticBricks destroyed while bricks are pinned");
  }
}

bool AnalyticBricks::exists(const BrickKey& key) const
{
  return key.variable >= 0 && key.variable < 2 && key.step >= 0 &&
         static_cast<std::size_t>(key.step) < info_.times.size() && key.index >= 0 && key.index < bricks_.size();
}

Box AnalyticBricks::lattice_of(std::int64_t index) const
{
  const Int3 brick = from_row_major(index, bricks_.count);
  const std::int32_t shared = options_.centering == Centering::Node ? 1 : 0;
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = brick[axis] * bricks_.cells[axis];
    box.end[axis] = std::min(bricks_.lattice[axis], box.begin[axis] + bricks_.cells[axis] + shared);
  }
  return box;
}

BrickView AnalyticBricks::view_of(const BrickKey& key, const Box& lattice) const
{
  const Variable& variable = info_.variables[static_cast<std::size_t>(key.variable)];
  const std::int64_t tuple =
      key.variable == kVelocity ? std::max<std::int64_t>(variable.components, options_.tuple_stride) : 1;
  const std::vector<double> values =
      velocities(*field_, info_.grid, options_.centering, info_.times[static_cast<std::size_t>(key.step)], lattice);
  const auto stride = static_cast<std::size_t>(tuple);
  const void* data = options_.type == ScalarType::Float32 ? laid_out<float>(values, key.variable, stride)
                                                          : laid_out<double>(values, key.variable, stride);
  const Int3 size = lattice.size();
  return { data, options_.type, variable.components, lattice, { tuple, tuple * size[0], tuple * size[0] * size[1] } };
}

Lookup AnalyticBricks::try_get(const BrickKey& key)
{
  if (!exists(key))
  {
    Error error = fail(ErrorCode::BadArgument, "there is no such brick").value();
    return { Lookup::State::Failed, {}, std::make_shared<const Error>(std::move(error)) };
  }
  const BrickView view = view_of(key, lattice_of(key.index));
  ++reads_;
  const int now = ++pinned_;
  for (int most = most_pinned_; now > most && !most_pinned_.compare_exchange_weak(most, now);)
  {
  }
  return { Lookup::State::Ready, BrickPin(this, const_cast<void*>(view.data), view), nullptr };
}

void AnalyticBricks::unpin(void* token)
{
  std::free(token);
  --pinned_;
}

std::int64_t AnalyticBricks::working_minimum(int workers) const
{
  return workers * lattice_of(0).count() * static_cast<std::int64_t>(info_.variables[kVelocity].tuple_bytes());
}

SourceStatistics AnalyticBricks::statistics() const
{
  SourceStatistics result;
  result.bricks_read = reads_;
  result.cache_misses = reads_;
  return result;
}

std::shared_ptr<const AnalyticField> analytic_field(std::string_view name, const FieldParameters& parameters)
{
  Result<std::unique_ptr<AnalyticField>> field = make_analytic_field(name, parameters);
  if (!field)
  {
    give_up(field.error().describe());
  }
  return std::move(*field);
}

Grid uniform_grid(const Int3& nodes, const FieldDomain& domain)
{
  Grid grid;
  grid.nodes = nodes;
  grid.origin = domain.lower;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.spacing[axis] = (domain.upper[axis] - domain.lower[axis]) / std::max(1, nodes[axis] - 1);
  }
  return grid;
}

std::vector<float> sample_floats(const AnalyticField& field, const Grid& grid, Centering centering, double time)
{
  const std::vector<double> values = velocities(field, grid, centering, time, { { 0, 0, 0 }, grid.lattice(centering) });
  return { values.begin(), values.end() };
}

} // namespace rivulet::test
