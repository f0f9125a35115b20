// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A velocity given by a function of place and time, held at a few time levels in bricks, ready for pathlines.
///
///     FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 2 }, turning(1.0, 0.5));
///     TracedLines lines = flow.trace({ { { 1, 0, 0 }, 0.0 } }, options);
#pragma once

#include "Core/Trace/FlowInMemory.h"
#include "Support/AnalyticBricks.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Pathlines.h"

#include <cmath>
#include <functional>

namespace rivulet::test
{

using VelocityInTime = std::function<Vec3(const Vec3&, double)>;

/// A formula of a test's own as an analytic field.
class FormulaInTime final : public AnalyticField
{
public:
  explicit FormulaInTime(VelocityInTime velocity)
    : AnalyticField({}, false)
    , velocity_(std::move(velocity))
  {
  }
  [[nodiscard]] Vec3 velocity(const Vec3& at, double time) const override { return velocity_(at, time); }
  [[nodiscard]] Mat3 gradient(const Vec3&, double) const override { return {}; }
  void evaluate(const LatticePoints& points, double time, float* out) const override { fill(points, time, out); }
  void evaluate(const LatticePoints& points, double time, double* out) const override { fill(points, time, out); }

private:
  template <class Scalar>
  void fill(const LatticePoints& points, double time, Scalar* out) const
  {
    for (const double z : points.z)
    {
      for (const double y : points.y)
      {
        for (const double x : points.x)
        {
          for (const double component : velocity_({ x, y, z }, time))
          {
            *out++ = static_cast<Scalar>(component);
          }
        }
      }
    }
  }

  VelocityInTime velocity_;
};

class FlowInTime
{
public:
  FlowInTime(
      const Grid& grid, std::vector<double> times, VelocityInTime velocity, const Int3& brick_cells = { 3, 3, 3 })
    : source_(std::make_shared<FormulaInTime>(std::move(velocity)), grid,
          { .brick_cells = brick_cells, .type = ScalarType::Float64, .times = std::move(times) })
  {
    field_.velocity = { &source_, 0, 0 };
    field_.grid = grid;
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] AnalyticBricks& source() { return source_; }

  [[nodiscard]] TracedLines trace(
      const std::vector<PathSeed>& seeds, const PathlineOptions& options, const std::vector<double>& times = {})
  {
    Result<TracedLines> lines = trace_pathlines(field_, times, seeds, options, { 1, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  AnalyticBricks source_;
  TraceField field_;
};

/// Solid rotation about the z axis at the rate  first + growth t,  linear in place and time: the angle after t is
/// first t + growth t^2 / 2.
inline VelocityInTime turning(double first, double growth)
{
  return [=](const Vec3& x, double t)
  {
    const double rate = first + growth * t;
    return Vec3{ -rate * x[1], rate * x[0], 0.0 };
  };
}

/// The same velocity everywhere, along x.
inline VelocityInTime along_x(const std::function<double(double)>& speed)
{
  return [speed](const Vec3&, double t)
  {
    return Vec3{ speed(t), 0.0, 0.0 };
  };
}

/// Steps of the given time, forward, no vorticity.
inline PathlineOptions timed_steps(Integrator integrator, double step)
{
  PathlineOptions options;
  options.integrator = integrator;
  options.step_unit = StepUnit::Time;
  options.initial_step = step;
  options.minimum_step = step;
  options.maximum_step = step;
  options.compute_vorticity = false;
  return options;
}

} // namespace rivulet::test
