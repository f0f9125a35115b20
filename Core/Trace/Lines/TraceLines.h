// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A run from seeds to lines, in steady or unsteady flow: trace, assemble, interpolate the other arrays.
#pragma once

#include "Trace/Advect/Advect.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Lines/PathRecorder.h"

#include <functional>
#include <span>

namespace rivulet
{

/// Moves the particles of a run, and sets the reason for releases that it did not reach.
using AdvectPaths = std::function<AdvectionSummary(PathRecorder&, const RunOptions&)>;

/// The particles of a run: release s is forward from seed s, release seeds + s backward.
struct PathRun
{
  std::size_t releases = 0; ///< twice the number of seeds
  AdvectPaths advect;
  std::int64_t least_points = 2;                  ///< shorter lines are left out
  bool last_points_only = false;                  ///< of each line that is long enough
  const std::vector<Surface>* surfaces = nullptr; ///< that lines cross or end at; nullptr: there are none
};

/// Sets the reason for seeds outside the field or its times.
void mark_outside(const AdvectionContext& context, const FixedSeeds& source, std::vector<TracedPath>& paths);

/// Times of seeds have no meaning in steady flow. Fails with BudgetTooSmall if the system has no memory even for the
/// results per seed.
[[nodiscard]] Result<TracedLines> trace_lines(
    const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run);
[[nodiscard]] Result<TracedLines> trace_lines(
    const AdvectionContext& context, const PathRun& paths, const RunOptions& run);

} // namespace rivulet
