// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Common types of streamlines and pathlines: the field, the steps, the results.
#pragma once

#include "Base/Buffer.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/BrickSource.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

class Executor;
class CurvilinearGrid;
class ForeignCells;
class HiddenCells;
class ParticleSharing;

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

/// Reason for the end of a line. 1 to 6 are vtkStreamTracer's; the others are ours. Saved in files: never renumber.
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
  OutOfSeconds = 11, ///< the run took RunOptions::maximum_seconds
  Crossed = 12       ///< reached a surface that ends particles (Advect/Crossing.h)
};

/// An array to read at the particles: one variable at one step of a source.
struct SourceArray
{
  BrickSource* source = nullptr;
  std::int32_t variable = 0;
  std::int32_t step = 0;
  /// Velocities only: index of the component x of the variable; y and z follow it. -1: the variable has three.
  std::int32_t first_component = -1;
};

/// An array to interpolate along the lines.
struct AttributeRequest
{
  std::string name;
  SourceArray array;
};

/// The field to trace through. All objects it points to must outlive the call.
struct TraceField
{
  SourceArray velocity; ///< 3 components. Pathlines: its step has no meaning

  /// Cells of a mesh that is no grid; nullptr: the next members say where the values lie. Sources then have their
  /// values in one row: value i is that of node i, or of cell i.
  std::shared_ptr<const ForeignCells> foreign;

  /// Where the nodes lie, if they do so anywhere, in bricks; nullptr: `grid` says it. `grid` then has their number.
  std::shared_ptr<const CurvilinearGrid> curvilinear;

  /// Geometry of the current dataset. Its node (0, 0, 0) is the lattice point `lattice_offset` of every source.
  Grid grid;
  Int3 lattice_offset{ 0, 0, 0 };

  /// vtkGhostType arrays, row-major, or nullptr. Hidden points (bit 2) and hidden cells (bit 32) are outside the
  /// domain, and so is every cell with a hidden point. Duplicate cells (bit 1) are not hidden.
  const std::uint8_t* point_ghosts = nullptr;
  const std::uint8_t* cell_ghosts = nullptr;
  /// Pathlines: hidden cells of each time step, nullptr where a step has none; the two arrays above then do not count.
  /// Between two steps a cell is hidden that is hidden at any of the steps whose values are interpolated there; at the
  /// time of a step that step alone counts. Empty: the same cells are hidden at all times. Steps without bricks
  /// (AdvectionContext::hold()) are not asked for.
  std::vector<std::shared_ptr<const HiddenCells>> hidden{};

  /// Interpolated linearly (node-centred) or taken from the cell (cell-centred). Pathlines: in time by
  /// TraceOptions::time_interpolation, and their steps have no meaning.
  std::vector<AttributeRequest> attributes;
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

/// Threads, limits and callbacks of a run. None changes a result, unless it ends the run early.
struct RunOptions
{
  int threads = 0; ///< 0: all cores this process may use
  /// Called about every 100 ms by the calling thread with the share done, in [0, 1]; false stops the run.
  std::function<bool(double)> progress;
  /// Wall time after which lines end where they are, checked about every 100 ms; 0 = no limit. Attributes are
  /// interpolated afterwards. Streamlines and pathlines only.
  double maximum_seconds = 0.0;
  /// Particles advanced at a time by all threads together; 0: chosen by the run. With more than memory has bricks for,
  /// particles evict each other's bricks.
  std::int64_t most_particles = 0;
  /// Called about every `poll_interval` by the calling thread while workers work; false stops the run. For work that
  /// cannot wait for `progress`: requests of other ranks, a cancelled run.
  std::function<bool()> poll{};
  std::chrono::microseconds poll_interval{ 500 };
  /// Shares the particles out among ranks (Advect/ParticleSharing.h); nullptr: each rank advances its own. Set by
  /// ParticleSharing::attach(), with the poll.
  ParticleSharing* sharing = nullptr;
  /// Runs the workers, of which there are `threads`; nullptr: a ThreadExecutor. Must outlive the run.
  Executor* executor = nullptr;
};

struct AttributeValues
{
  std::string name;
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 1;
  Buffer<std::byte> values; ///< points * components scalars
};

/// At least two traced points, in order away from the seed.
struct TracedLine
{
  std::int32_t seed = 0; ///< index into the seeds given
  bool backward = false;
  Termination reason = Termination::None;
  std::int64_t first_point = 0;
  std::int64_t points = 0;
};

/// Fate of one seed. Index 0 is forward, 1 backward.
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
  double trace_seconds = 0;      ///< wall time of the run
  double stall_seconds = 0;      ///< summed over workers: time spent waiting for bricks
  std::int64_t parked = 0;       ///< number of times that a particle had to wait for a brick
  std::int64_t walks_parked = 0; ///< of these, on its way from cell to cell (CurvilinearMesh)
  std::int64_t seeks = 0;        ///< searches of all cells for a place
  std::int64_t seeks_parked = 0; ///< bricks that particles went to for that
};

/// Lines in vtkStreamTracer's order: all forward ones by seed, then all backward ones by seed. Lines of a single point
/// are left out. All arrays are parallel to `points`.
struct TracedLines
{
  Buffer<float> points;                    ///< x y z, world
  Buffer<double> places;                   ///< the same in doubles; empty where floats resolve a hundredth of a cell
  Buffer<double> time;                     ///< streamlines: 0 at the seed, negative backward; pathlines: of the field
  Buffer<double> vorticity;                ///< 3 per point; empty unless asked for
  Buffer<double> rotation;                 ///< radians; empty unless asked for
  Buffer<double> angular_velocity;         ///< empty unless asked for
  Buffer<double> cell_velocity;            ///< 3 per point; only where the velocity is cell-centred
  std::vector<AttributeValues> attributes; ///< in the order asked for
  std::vector<TracedLine> lines;
  std::vector<SeedFate> seeds; ///< one per seed given
  TraceStatistics statistics;
  bool cancelled = false; ///< lines hold the points traced before the stop
  /// The reason if lines are missing or end early: the first brick that could not be read, or lack of memory.
  std::shared_ptr<const Error> data_error;
};

} // namespace rivulet
