// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What streamlines and pathlines have in common: the field they run through, the steps they take, and what comes out.
#pragma once

#include "Base/Buffer.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/BrickSource.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

class Executor;

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
  Time = 0,      ///< pathlines only
  Length = 1,    ///< units of the grid's coordinates
  CellLength = 2 ///< diagonals of the cell at hand
};

/// Why a line ended. 1 to 6 are vtkStreamTracer's; the rest are ours. Saved in files: never renumber.
enum class Termination : std::int32_t
{
  None = 0,        ///< direction not traced
  OutOfDomain = 1, ///< left the grid, or entered a hidden cell
  NotInitialized = 2,
  UnexpectedValue = 3, ///< met a velocity that is not finite
  OutOfLength = 4,
  OutOfSteps = 5,
  Stagnation = 6,    ///< too slow (terminal_speed; pathlines: slower), or a step led back to its start
  OutOfTime = 7,     ///< reached maximum_time, or the last time there is
  DataMissing = 8,   ///< met a brick that could not be read
  Cancelled = 9,     ///< the run was stopped: on request, or because the system had no more memory
  SeedOutside = 10,  ///< the seed lies outside the grid or in a hidden cell (seeds only; such a seed has no line)
  OutOfSeconds = 11, ///< the run had taken RunOptions::maximum_seconds
  Crossed = 12       ///< reached a surface that ends particles (Advect/Crossing.h)
};

/// An array to read at the particles: one variable at one step of a source.
struct SourceArray
{
  BrickSource* source = nullptr;
  std::int32_t variable = 0;
  std::int32_t step = 0;
  /// Velocities only: x, y and z are this component of the variable and the two after it. -1: the variable has three.
  std::int32_t first_component = -1;
};

/// An array to interpolate along the lines.
struct AttributeRequest
{
  std::string name;
  SourceArray array;
};

/// The field to trace through. Everything pointed to must outlive the call.
struct TraceField
{
  SourceArray velocity; ///< 3 components. Pathlines: its step is of no meaning

  /// The geometry of the dataset at hand. Its node (0, 0, 0) is the lattice point `lattice_offset` of every source.
  Grid grid;
  Int3 lattice_offset{ 0, 0, 0 };

  /// vtkGhostType arrays, row-major, or nullptr. Hidden points (bit 2) and hidden cells (bit 32) are outside the
  /// domain, and so is every cell that uses a hidden point. Duplicate cells (bit 1) are not hidden.
  const std::uint8_t* point_ghosts = nullptr;
  const std::uint8_t* cell_ghosts = nullptr;

  /// Interpolated linearly (node-centred) or taken from the cell (cell-centred). Pathlines: linearly in time, too, and
  /// their steps are of no meaning.
  std::vector<AttributeRequest> attributes;
};

/// What steps are like and where lines end.
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
  bool compute_vorticity = true; ///< Vorticity, Rotation and AngularVelocity
  double rotation_scale = 1.0;
};

/// How to run. Nothing here changes a result, unless it ends the run early.
struct RunOptions
{
  int threads = 0; ///< 0 = all cores this process may use
  /// Called about every 100 ms by the calling thread with the share done, in [0, 1]; false stops the run.
  std::function<bool(double)> progress;
  /// Wall time after which lines end where they are, looked at about every 100 ms; 0 = no limit. Attributes are
  /// interpolated afterwards. Streamlines and pathlines only.
  double maximum_seconds = 0.0;
  /// Kept going at a time by all threads together; 0 = as many as seems good. Where memory is short, each would push
  /// out what others come back to.
  std::int64_t most_particles = 0;
  /// Called about every `poll_interval` by the calling thread while workers work; false stops the run. For what cannot
  /// wait for `progress`: requests of other ranks, a cancelled run.
  std::function<bool()> poll{};
  std::chrono::microseconds poll_interval{ 500 };
  /// Runs the workers, of which there are `threads`; nullptr: threads of the run's own. Must outlive the run.
  Executor* executor = nullptr;
};

struct AttributeValues
{
  std::string name;
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 1;
  Buffer<std::byte> values; ///< points * components scalars
};

/// Two traced points at least, in order away from the seed.
struct TracedLine
{
  std::int32_t seed = 0; ///< index into the seeds given
  bool backward = false;
  Termination reason = Termination::None;
  std::int64_t first_point = 0;
  std::int64_t points = 0;
};

/// What became of one seed. Index 0 is forward, 1 backward.
struct SeedFate
{
  std::array<Termination, 2> reason{ Termination::None, Termination::None };
  std::array<double, 2> length{ 0, 0 };
  std::array<double, 2> time{ 0, 0 };
  std::array<std::int64_t, 2> steps{ 0, 0 };
};

struct TraceStatistics
{
  std::int64_t integration_steps = 0;
  std::int64_t seeds_outside = 0;
  double trace_seconds = 0; ///< wall time of the run
  double stall_seconds = 0; ///< summed over workers: nothing to do but wait for bricks
  std::int64_t parked = 0;  ///< times a particle had to wait for a brick
};

/// Lines in vtkStreamTracer's order: all forward ones by seed, then all backward ones by seed. Lines of a single point
/// are left out. All arrays are parallel to `points`.
struct TracedLines
{
  Buffer<float> points;                    ///< x y z, world
  Buffer<double> time;                     ///< streamlines: 0 at the seed, negative backward; pathlines: of the field
  Buffer<double> vorticity;                ///< 3 per point; empty unless asked for
  Buffer<double> rotation;                 ///< radians; empty unless asked for
  Buffer<double> angular_velocity;         ///< empty unless asked for
  Buffer<double> cell_velocity;            ///< 3 per point; only where the velocity is cell-centred
  std::vector<AttributeValues> attributes; ///< in the order asked for
  std::vector<TracedLine> lines;
  std::vector<SeedFate> seeds; ///< one per seed given
  TraceStatistics statistics;
  bool cancelled = false; ///< lines hold what was finished by then
  /// Why lines are missing or end early, if they do: the first brick that could not be read, or no memory.
  std::shared_ptr<const Error> data_error;
};

} // namespace rivulet
