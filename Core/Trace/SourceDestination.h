// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Source-destination queries on flow that changes with time: which particles from here arrive there, when, and along
/// which lines? Source: H. Guo et al., "Advection-Based Sparse Data Management for Visualizing Unsteady Flow", IEEE
/// TVCG 20 (2014), doi 10.1109/TVCG.2014.2346418, section 5.2.
///
/// Particles start from seeds inside source regions, once or at several times, and go until an end time. A particle
/// hits a destination region when it is inside at its release or comes into it later, up to and including the end. Of
/// each destination the first arrival counts. Its place is found to rounding (Kernel/Crossing.h). So is its time, but
/// one that is within 1e-9 of an interval from a time step is that step's. A destination that one step goes in and out
/// of is missed: maximum_step must be less than the thickness of the regions. A particle ends when it has hit all
/// destinations, or the first one if the query says so. The end time may lie before the releases: then particles go
/// backward, and arrive where they came from.
///
///     SourceDestinationQuery query{ .sources = { here }, .destinations = { there }, .release_times = { 0, 1, 2 },
///       .end = 30 };
///     query.seeds = { *lattice_seeds(here.bounds, field.grid, 0.1) };
///     SourceDestinationResult result = *find_hits(field, {}, query, {}, {});
///     // result.hits; Regions/Hits.h makes histograms and seeds of them
///
/// No seed inside a source region, a region that is empty or outside the field, and a seed outside the field are no
/// errors: the counts say so.
///
/// Memory: a Hit (88 bytes) per hit. Particles are released chunk by chunk; one of a chunk takes about 300 bytes, and
/// 450 where steps come one after the other. Nothing is kept of particles without a hit. Results are the same to the
/// last bit for any chunks, threads, bricks, budget and strategy.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Contract/IntervalRange.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Regions/HitRecorder.h"
#include "Trace/Regions/Hits.h"
#include "Trace/Regions/SeedSets.h"

#include <optional>
#include <span>

namespace rivulet
{

struct SourceDestinationQuery
{
  std::vector<Region> sources{};      ///< any number
  std::vector<Region> destinations{}; ///< at most CrossingLog::kMostSurfaces
  std::vector<SeedSet> seeds{};
  std::vector<double> release_times{}; ///< each seed is released at each, in the direction of time
  double end = 0.0;                    ///< time at which particles end; before the first release: backward
  bool ends_at_first_hit = false;
  /// Number of particles from which a chunk is full: at most 511 more are released at a time.
  std::int64_t most_particles = std::int64_t{ 1 } << 17;
  /// Share of each chunk that is released here: part `part` of `parts`, contiguous. For ranks, whose results are joined
  /// with join_hits(). All parts go through the same chunks and intervals.
  std::int32_t part = 0;
  std::int32_t parts = 1;
};

/// `times`: times of the source's steps; empty: the source's own. The options' direction, first and last time,
/// vorticity and terminal speed have no meaning; maximum_time is the longest duration of a particle. Fails with
/// BadArgument for bad arguments, and with BudgetTooSmall if the system has no memory for a chunk or the hits. Bricks
/// that cannot be read end single particles, and are reported by data_error. If memory runs out while particles move,
/// the query is cancelled, and data_error says so.
[[nodiscard]] Result<SourceDestinationResult> find_hits(const TraceField& field, std::span<const double> times,
    SourceDestinationQuery query, const PathlineOptions& options, const RunOptions& run);

/// A context for a query, for HitMarch. Fails as find_hits().
[[nodiscard]] Result<AdvectionContext> hit_context(const TraceField& field, std::span<const double> times,
    const SourceDestinationQuery& query, const PathlineOptions& options);

/// A query in several calls: for fields whose steps come one after the other, and for pictures of the hits so far.
///
///     HitMarch march = *HitMarch::create(query, times, options);
///     while (const std::optional<IntervalRange> next = march.next())
///     {
///       context.set_intervals(next->first, next->first);       // or all of `next`; backward: begin with next->last
///       march.go_on(context, run);
///     }
///     SourceDestinationResult result = march.take();
///
/// Each chunk of releases goes through all its intervals. Releases are ordered by time, so that a chunk begins with the
/// interval of its first one. Threads: one call at a time.
class HitMarch
{
public:
  /// `times`: times of the field's steps, increasing, at least two. Fails with BadArgument for bad arguments. Throws
  /// std::bad_alloc.
  [[nodiscard]] static Result<HitMarch> create(
      SourceDestinationQuery query, std::vector<double> times, const PathlineOptions& options);

  /// Intervals that the present chunk still has to go through; none: all is done, or the run was cancelled. The same
  /// for all parts that were not cancelled.
  [[nodiscard]] std::optional<IntervalRange> next() const;
  /// Goes through the intervals that the context holds: all of next(), or the ones with which it begins. The context is
  /// one of hit_context(). Fails as find_hits(); a march that failed cannot go on.
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);

  /// Number of particles of this part that are on their way between two calls.
  [[nodiscard]] std::int64_t going() const { return chunk_ && chunk_->march ? chunk_->march->going() : 0; }
  /// Leaves the rest of a chunk out, when no part has particles on their way. A march of one part does so by itself.
  void end_chunk() { chunk_.reset(); }

  /// The result so far.
  [[nodiscard]] const SourceDestinationResult& result() const { return result_; }
  [[nodiscard]] SourceDestinationResult take() { return std::move(result_); }

private:
  /// Releases that go through the intervals together.
  struct Chunk
  {
    std::array<std::int64_t, 2> positions{ 0, 0 }; ///< begin and end of its releases, see position_
    std::vector<PathSeed> releases{};              ///< of this part
    std::vector<std::int64_t> ids{};               ///< number of the seed of each
    std::vector<std::size_t> sources_end{};        ///< end of the source regions of each in `sources`
    std::vector<std::int32_t> sources{};
    std::vector<std::int64_t> released{}; ///< as in the result
    std::int64_t outside = 0;
    std::int64_t count = 0; ///< number of releases of all parts
    std::int32_t first = 0; ///< interval, in the direction of time
    std::int32_t next = 0;
    std::int32_t last = 0;
    std::optional<ParticleMarch> march{}; ///< if there is more than one call

    [[nodiscard]] std::span<const std::int32_t> sources_of(std::size_t release) const
    {
      const std::size_t begin = release == 0 ? 0 : sources_end[release - 1];
      return std::span(sources).subspan(begin, sources_end[release] - begin);
    }
  };

  HitMarch(SourceDestinationQuery query, std::vector<double> times, SeedBlocks seeds, double longest);
  [[nodiscard]] double sign() const { return query_.end < query_.release_times.front() ? -1.0 : 1.0; }
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const { return sign() < 0.0 ? a > b : a < b; }
  [[nodiscard]] std::int64_t positions() const;
  [[nodiscard]] double release_time_at(std::int64_t position) const;
  [[nodiscard]] std::array<std::int32_t, 2> intervals_of(std::int64_t first, std::int64_t last) const;
  [[nodiscard]] bool begin_chunk(const AdvectionContext& context, const RunOptions& run);
  [[nodiscard]] bool collect(Chunk& chunk, const AdvectionContext& context, const RunOptions& run) const;
  void add_block(Chunk& chunk, std::int64_t position, const AdvectionContext& context,
      const std::array<std::int64_t, 2>& own) const;
  [[nodiscard]] AdvectionSummary advance(const AdvectionContext& context, Recorder& recorder, const RunOptions& run);
  [[nodiscard]] RunOptions with_progress(const RunOptions& run, double first, double share) const;
  void add_hits_of(const HitRecorder& recorder);
  void take_back(const HitRecorder& recorder);
  void stop(Termination reason);

  SourceDestinationQuery query_; ///< without sources and seeds
  std::vector<double> times_;
  SeedBlocks seeds_;
  double longest_; ///< duration of a particle; 0: no limit
  std::vector<Surface> surfaces_;
  /// Blocks of seeds for each release time, one after the other: the first that was not released.
  std::int64_t position_ = 0;
  std::optional<Chunk> chunk_{};
  SourceDestinationResult result_;
};

} // namespace rivulet
