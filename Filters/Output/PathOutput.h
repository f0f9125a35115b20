// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines and particles at a time as vtkPolyData, with the arrays of vtkParticlePathFilter and vtkParticleTracer.
///
///     const ReleaseTable table{ points, times_per_point, first_point, ... };
///     fill_pathlines(frame.lines, flow, table, options, *lines);
///     fill_particles(frame.particles, flow, table, options, *particles);
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Output/LineOutput.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Lines/StreakLines.h"

#include <span>

class vtkPolyData;

namespace rivulet
{

/// The particles of this rank, one seed after the other; the particles of a seed in the order of their releases.
struct ReleaseTable
{
  std::span<const PathSeed> particles;
  std::int64_t releases = 1;   ///< of each seed
  std::int64_t first_seed = 0; ///< number of this rank's first seed
};

/// Lines, with point arrays of the input, SimulationTime and ParticleAge, and cell arrays ReasonForTermination,
/// SeedIds, ParticleId and InjectionStepId. Moves the values out of `lines`.
void fill_pathlines(TracedLines& lines, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output);

/// A vertex for each particle, with the same arrays, all at points; the number of the seed is InjectedPointId.
void fill_particles(TracedLines& particles, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output);

/// Streak lines at a time, with point arrays of the input, SimulationTime, ParticleAge, ReleaseTime, ParticleId and
/// InjectionStepId (-1 at the seed), and the cell array SeedIds. Moves the values out of `streaks`.
void fill_streaks(Streaks& streaks, double time, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output);

/// A vertex for each release, at its seed, with SeedId, InjectionStepId, ReleaseTime, and the end of its line:
/// ReasonForTermination, Time, Length, Steps. With both directions these are forward. The line before the release has
/// ReasonBackwardTermination, BackwardTime, BackwardLength, BackwardSteps.
void fill_releases(
    std::span<const SeedFate> fates, const ReleaseTable& table, TraceDirection direction, vtkPolyData& output);

/// A vertex for each crossing of a surface: SeedIds, ParticleId, InjectionStepId, SimulationTime, ParticleAge, Length
/// of the line up to there, Direction of the flow (1 to the positive side, -1 to the negative one), and two numbers
/// that count along the line from 1: Crossing of all crossings, Return of crossings in the same direction. With both
/// directions (`both`) the numbers of a line before its release are negative.
void fill_crossings(std::span<const LineCrossing> crossings, const ReleaseTable& table, bool both, vtkPolyData& output);

} // namespace rivulet
