// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines that grow from time step to time step: for fields whose steps come one after the other, and for the times
/// of an animation, each of which adds to the lines of the one before. All lines go in one direction of time.
///
///     PathlineMarch march(seeds, times, false);
///     const PathlineMarch::Plan plan = march.plan(t);
///     if (plan.march) march.go_on(context_that_holds(*plan.march), run);
///     Result<PathlineFrame> frame = plan.ahead ? march.frame_ahead(t, context_that_ends_at(t, *plan.ahead), run)
///                                              : march.frame(t);
///
/// A context holds the intervals of a plan (AdvectionContext::set_intervals()), and its direction is that of the march.
/// A plan may be carried out in parts, interval by interval. Frames at the times of steps are cut out of the lines so
/// far, and take nothing from the field. For a frame between two steps the lines are traced ahead from the last call
/// before, and nothing of it is kept. Frames are the same to the last bit as from one call of trace_pathlines() up to
/// that time, for any division into calls and any times looked at before, as long as all values are finite.
///
/// A march may keep the ends of the lines alone (keep_ends_only()): then frames have particles and no lines, and the
/// earliest frame that can be had is at the beginning of the last call of go_on().
///
/// Lines may end at surfaces (end_at()): their last point is on the surface within rounding, their fate is
/// Termination::Crossed, and there is no particle from then on. A place where a surface's function is 0 counts as on
/// its negative side. So a particle that is released there ends at once if it moves to the positive side, and goes on
/// if it moves to the other. Or all crossings are recorded, and lines go on (record_at()): TracedLines::crossings of a
/// frame.
///
/// A field may get later times, and later releases with them (grow()): that of a simulation that runs. Its last time is
/// one that is still to come, so that particles pause at the time before it, and do not end there.
///
/// A field may lose attributes from call to call: then lines so far lose them, too.
///
/// Memory: the lines so far, two ParticleStates (264 bytes) per seed, and for each call one per particle on its way;
/// with the ends alone two points and three of these per seed. Each recorded crossing takes 48 bytes. Threads: one.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Contract/IntervalRange.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Lines/JoinLines.h"
#include "Trace/Lines/TraceLines.h"

#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

class PathlineMarch
{
public:
  /// `times`: times of the field's steps, increasing, at least two. Throws std::bad_alloc.
  PathlineMarch(std::vector<PathSeed> seeds, std::vector<double> times, bool backward);
  /// Begins as early as a particle that is released at `time`, although no seed may be: so that marches of several
  /// ranks go through the same intervals. Before the first call of go_on().
  void begin_at(double time);

  /// Keeps where particles are, and not their paths. Before the first call of go_on().
  void keep_ends_only() { ends_only_ = true; }
  /// Goes on with other times and more seeds, forward. Times that the march has gone through stay, and so do the seeds,
  /// in their order; others may be between them, whose releases are not before the march's end. False, and nothing is
  /// changed, if this does not hold. Throws std::bad_alloc.
  [[nodiscard]] bool grow(std::vector<double> times, std::vector<PathSeed> seeds);
  /// Ends lines where they cross any of the surfaces, to either side, and records where. At most
  /// CrossingLog::kMostSurfaces. Before the first call of go_on() or frame_ahead(); replaces earlier surfaces.
  void end_at(std::vector<Surface> surfaces);
  /// The same without an end.
  void record_at(std::vector<Surface> surfaces);
  /// Whether the kept data suffice for a frame at a time, which lies within the times of the field. With paths, always.
  [[nodiscard]] bool serves(double time) const;

  /// The intervals to trace for a frame.
  struct Plan
  {
    std::optional<IntervalRange> march; ///< for go_on()
    std::optional<IntervalRange> ahead; ///< for frame_ahead(), after the march
  };
  /// `time` lies within the times of the field, and serves() it.
  [[nodiscard]] Plan plan(double time) const;

  /// Goes through the next intervals, in the first call from the seeds. Fails with BudgetTooSmall if the system has no
  /// memory for all their points. After a call that was cancelled or failed the march cannot go on. Bricks that cannot
  /// be read end single lines.
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);

  /// Lines at the time of a step that the march has reached.
  [[nodiscard]] Result<PathlineFrame> frame(double time) const;
  /// Lines at a time, which is the context's limit. Changes nothing but the statistics.
  [[nodiscard]] Result<PathlineFrame> frame_ahead(double time, const AdvectionContext& context, const RunOptions& run);
  /// Lines of frames show the last time of this length, cut between two points; 0 (default): all of it.
  void set_tail(double duration) { tail_ = duration; }

  [[nodiscard]] std::span<const PathSeed> seeds() const { return seeds_; }
  /// Number of particles on their way.
  [[nodiscard]] std::int64_t going() const { return march_.going(); }
  /// Whether a call was cancelled; then the lines end where they were.
  [[nodiscard]] bool cancelled() const { return !pieces_.empty() && pieces_.back().lines.cancelled; }
  /// Statistics of all calls since they were taken last; without seeds_outside.
  [[nodiscard]] TraceStatistics take_statistics() { return std::exchange(statistics_, {}); }

private:
  /// The lines of one call.
  struct Piece
  {
    std::int32_t first = 0;           ///< its first interval in the direction of the march
    std::vector<ParticleState> start; ///< empty for the first piece, which starts at the seeds
    TracedLines lines;
  };

  /// Whether the march comes to interval a before b.
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const { return backward_ ? a > b : a < b; }
  [[nodiscard]] std::int32_t interval_until(double time) const;
  [[nodiscard]] std::vector<Piece>::const_iterator piece_with(std::int32_t interval) const;
  [[nodiscard]] Result<TracedLines> trace(
      const AdvectionContext& context, const AdvectPaths& advect, const RunOptions& run) const;
  [[nodiscard]] Result<TracedLines> trace_from_seeds(
      const AdvectionContext& context, const RunOptions& run, ParticleMarch* march);
  [[nodiscard]] Result<TracedLines> trace_on(const AdvectionContext& context, const RunOptions& run);
  [[nodiscard]] Result<TracedLines> trace_ahead(
      const AdvectionContext& context, const RunOptions& run, std::span<const ParticleState> from);
  [[nodiscard]] Result<PathlineFrame> join(double time, std::size_t pieces, const TracedLines* ahead) const;
  [[nodiscard]] double begin_of(const Piece& piece) const;
  [[nodiscard]] Plan plan_until(double time) const;
  [[nodiscard]] bool ends_before(double time) const;
  [[nodiscard]] Plan plan_of_ends(double time, std::int32_t target, bool at_step) const;
  [[nodiscard]] std::vector<std::int32_t> places_among(std::span<const PathSeed> seeds) const;
  void release_new(const AdvectionContext& context, std::vector<std::size_t>& outside);
  void keep_arrays_of(const TraceField& field);
  void add(Piece piece);
  void count(const TraceStatistics& more);

  std::vector<PathSeed> seeds_;
  std::vector<double> times_;
  bool backward_;
  ParticleMarch march_;
  std::vector<Surface> surfaces_; ///< that lines cross, or end at
  std::vector<std::size_t> new_;  ///< seeds that grow() has added, and go_on() has not released
  std::vector<Piece> pieces_;
  std::int32_t start_ = -1; ///< interval of the first release; -1: there is none
  std::int32_t next_ = -1;  ///< next interval of the march
  double tail_ = 0.0;
  bool ends_only_ = false;
  TracedLines earlier_;  ///< with the ends alone: fates and crossings of the pieces before the last one; no points
  TracedLines previous_; ///< with the ends alone: the piece before the last one
  TraceStatistics statistics_;
};

} // namespace rivulet
