// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Integrators, their steps, and limits of lines, for streamlines and for pathlines.
#pragma once

#include <cstdint>
#include <limits>

namespace rivulet
{

enum class Integrator : std::int32_t
{
  RungeKutta2 = 0, ///< explicit midpoint, fixed step
  RungeKutta4 = 1, ///< classical, fixed step
  RungeKutta45 = 2 ///< Cash-Karp, step bounded by maximum_error
};

enum class TraceDirection : std::int32_t
{
  Forward = 0,
  Backward = 1,
  Both = 2
};

enum class StepUnit : std::int32_t
{
  Time = 0,       ///< pathlines only
  Length = 1,     ///< units of the grid's coordinates
  CellLength = 2, ///< diagonals of the current cell
  /// Diagonals of the cube whose side is the way through the current cell in the direction of the velocity; so steps
  /// fit cells whose sides have unlike lengths or units. In cells of equal sides the same as CellLength.
  CellCrossing = 3
};

/// Rule for values between two time steps (TimeInterpolation.h). Saved in files: never renumber.
enum class TimeInterpolation : std::int32_t
{
  Linear = 0,
  Cubic = 1
};

/// Step control, and limits of lines.
struct TraceOptions
{
  Integrator integrator = Integrator::RungeKutta45;
  TraceDirection direction = TraceDirection::Both;
  StepUnit step_unit = StepUnit::CellLength;
  double initial_step = 0.2; ///< in step_unit; the step of the integrators without error control
  double minimum_step = 0.01;
  double maximum_step = 0.5;
  double maximum_error = 1e-6; ///< length, RungeKutta45 only
  double maximum_length = 1.0; ///< length of a line in each direction
  double maximum_time = 0.0;   ///< time in each direction; 0 = no limit. The last step is cut to end there
  std::int64_t maximum_steps = 2000;
  double terminal_speed = 1e-12;
  /// Whether lines end exactly where they leave the domain; else at the last point before, as vtkStreamTracer's.
  bool exact_ends = false;
  bool compute_vorticity = true; ///< Vorticity, Rotation and AngularVelocity
  double rotation_scale = 1.0;
  TimeInterpolation time_interpolation = TimeInterpolation::Linear; ///< pathlines only
};

struct PathlineOptions : TraceOptions
{
  PathlineOptions()
  {
    direction = TraceDirection::Forward;
    maximum_length = std::numeric_limits<double>::infinity();
    maximum_steps = 100000;
    minimum_step = 0.0;
    terminal_speed = 0.0;
    exact_ends = true;
    step_unit = StepUnit::CellCrossing;
  }

  /// Forward lines end at last_time, backward lines at first_time, or at the end of the field's times if that comes
  /// first.
  double first_time = -std::numeric_limits<double>::infinity();
  double last_time = std::numeric_limits<double>::infinity();
};

} // namespace rivulet
