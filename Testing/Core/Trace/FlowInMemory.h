// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A velocity given by a function, sampled onto a grid in memory, ready to trace.
///
///     FlowInMemory flow(unit_grid(11), [](const Vec3& x) { return Vec3{ -x[1], x[0], 0 }; });
///     TracedLines lines = flow.trace({ { 1, 0, 0 } }, options);
#pragma once

#include "Store/Source/ArrayBricks.h"
#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Streamlines.h"

#include <gtest/gtest.h>

#include <functional>

namespace rivulet::test
{

using Velocity = std::function<Vec3(const Vec3&)>;

/// A uniform grid of n^3 nodes over [-half, half]^3.
inline Grid cube_grid(int n, double half)
{
  Grid grid;
  grid.nodes = { n, n, n };
  grid.origin = { -half, -half, -half };
  const double spacing = 2 * half / (n - 1);
  grid.spacing = { spacing, spacing, spacing };
  return grid;
}

/// World position of a lattice point: a node, or a cell's centre.
inline Vec3 lattice_position(const Grid& grid, Centering centering, const Int3& at)
{
  const GridGeometry space = *GridGeometry::create(grid);
  CellPosition location;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    location.cell[axis] = std::min(at[axis], grid.cells()[axis] - 1);
    const bool flat = grid.nodes[axis] == 1;
    location.fraction[axis] = flat ? 0.0 : centering == Centering::Cell ? 0.5 : at[axis] - location.cell[axis];
  }
  return space.world(location);
}

class FlowInMemory
{
public:
  FlowInMemory(const Grid& grid, const Velocity& velocity, Centering centering = Centering::Node)
    : values_(sample(grid, velocity, centering))
    , source_(grid, { { { "velocity", ScalarType::Float64, 3, centering }, values_.data() } })
  {
    field_.velocity = { &source_, 0, 0 };
    field_.grid = grid;
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] std::vector<double>& values() { return values_; }

  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  static std::vector<double> sample(const Grid& grid, const Velocity& velocity, Centering centering)
  {
    const Int3 lattice = grid.lattice(centering);
    std::vector<double> values;
    for (std::int64_t i = 0; i < volume(lattice); ++i)
    {
      const Vec3 v = velocity(lattice_position(grid, centering, from_row_major(i, lattice)));
      values.insert(values.end(), v.begin(), v.end());
    }
    return values;
  }

  std::vector<double> values_;
  ArrayBricks source_;
  TraceField field_;
};

/// Solid rotation about the z axis: trilinear interpolation gives it exactly, lines are circles, vorticity is 2 omega.
inline Velocity rotation(double omega)
{
  return [omega](const Vec3& x)
  {
    return Vec3{ -omega * x[1], omega * x[0], 0.0 };
  };
}

inline Velocity uniform_flow(const Vec3& velocity)
{
  return [velocity](const Vec3&)
  {
    return velocity;
  };
}

/// Fixed steps of the given length, forward, no vorticity.
inline StreamlineOptions fixed_steps(Integrator integrator, double step, double length)
{
  StreamlineOptions options;
  options.integrator = integrator;
  options.direction = TraceDirection::Forward;
  options.step_unit = StepUnit::Length;
  options.initial_step = step;
  options.minimum_step = step;
  options.maximum_step = step;
  options.maximum_error = 0.0;
  options.maximum_length = length;
  options.maximum_steps = 1000000;
  options.compute_vorticity = false;
  return options;
}

/// The last point of a line.
inline Vec3 end_of(const TracedLines& lines, std::size_t line)
{
  const TracedLine& cell = lines.lines[line];
  const auto last = static_cast<std::size_t>(3 * (cell.first_point + cell.points - 1));
  return { lines.points[last], lines.points[last + 1], lines.points[last + 2] };
}

} // namespace rivulet::test
