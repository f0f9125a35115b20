// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lines as a run gives them, and its statistics.
#pragma once

#include "Base/Buffer.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Trace/Contract/Termination.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace rivulet
{

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

/// A place where a line crosses a surface.
struct LineCrossing
{
  std::int32_t seed = 0; ///< index into the seeds given
  bool backward = false; ///< the line's direction
  bool to_positive = false;
  Vec3 point{ 0, 0, 0 };
  double time = 0.0;
  double length = 0.0; ///< of the line up to here

  [[nodiscard]] bool operator==(const LineCrossing&) const = default;
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
  std::vector<SeedFate> seeds;         ///< one per seed given
  std::vector<LineCrossing> crossings; ///< of the run's surfaces: forward lines by seed, then backward ones
  TraceStatistics statistics;
  bool cancelled = false; ///< lines hold the points traced before the stop
  /// The reason if lines are missing or end early: the first brick that could not be read, or lack of memory.
  std::shared_ptr<const Error> data_error;
};

} // namespace rivulet
