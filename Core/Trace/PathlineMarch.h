// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines that grow from time step to time step: for fields whose steps come one after the other, and for the times
/// of an animation, each of which adds to the lines of the one before.
///
///     PathlineMarch march(seeds.size());
///     march.begin(context_of_first_intervals, seeds, run);   // context.hold(first, last)
///     march.go_on(context_of_next_interval, run);
///     Result<TracedLines> at_t = march.lines_at(context_up_to_t, run);
///
/// The context of a call holds the intervals that its field has, in the order of time (of the direction). Lines are the
/// same to the last bit as those of trace_pathlines(), for any division of time into calls.
///
/// Memory: the lines so far, and a ParticleState per seed and direction. Threads: one.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Pathlines.h"

#include <vector>

namespace rivulet
{

class PathlineMarch
{
public:
  explicit PathlineMarch(std::size_t seeds);

  /// Starts at the seeds and goes through the intervals that the context holds.
  [[nodiscard]] Result<void> begin(
      const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run);
  /// Goes through the next intervals. Fails with BudgetTooSmall if the system has no memory for all their points. After
  /// a call that was cancelled or failed the march cannot go on. Bricks that cannot be read end single lines.
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);

  /// The lines up to the context's limits: those so far, and their next points in the interval that the context holds,
  /// which has the limit in it or at its end. Keeps nothing of the latter.
  [[nodiscard]] Result<TracedLines> lines_at(const AdvectionContext& context, const RunOptions& run) const;

  /// Number of particles on their way.
  [[nodiscard]] std::int64_t going() const { return march_.paused(); }
  /// Whether a call was cancelled; then the lines end where they were.
  [[nodiscard]] bool cancelled() const { return !pieces_.empty() && pieces_.back().cancelled; }

private:
  [[nodiscard]] Result<void> keep(Result<TracedLines>&& piece);

  ParticleMarch march_;
  std::vector<TracedLines> pieces_;
  std::size_t seeds_;
};

/// Joins pieces of the same seeds' lines in the order given, and leaves out lines of one point. The pieces have the
/// same arrays. Takes the last error; sums the steps and seconds. Throws std::bad_alloc.
[[nodiscard]] TracedLines join_lines(std::span<const TracedLines* const> pieces);

} // namespace rivulet
