// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The particles of one round of refinement on their way to the time of the surface, shared out over ranks.
///
///     SurfaceRound round(vertices, moment, rank, ranks);
///     round.add(id, place); ...
///     if (round.needs_intervals())
///       round.take_along(other_id); ...
///     round.share_out();
///     while (std::optional<IntervalRange> range = round.next())
///       round.trace(context_that_holds(range->first), range->first, run);
///     exchange(round.ends(), round.offsets());
///     round.keep_ends();
///
/// A particle whose end is known is not traced: one that was lost before, and one that waits at the time of the
/// surface.
///
/// Memory: 500 bytes a particle. Threads: one.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Contract/IntervalRange.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/FlowSurface/SurfaceMoment.h"

#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

class SurfaceRound
{
public:
  struct Particle
  {
    std::int64_t id = 0;    ///< of the vertex
    std::int32_t place = 0; ///< number in the surface; -1: taken along to the step, for later surfaces
    bool known = false;     ///< whether its end is known
    bool died = false;      ///< of this rank's: before the step, or at it
  };
  struct Statistics
  {
    std::int64_t started = 0; ///< particles traced from their release
    std::int64_t steps = 0;
    std::shared_ptr<const Error> data_error; ///< the first that ended particles early
  };

  /// The vertices and the times of the moment must outlive this object.
  SurfaceRound(SurfaceVertices& vertices, const SurfaceMoment& moment, int rank, int ranks);

  /// Adds a vertex of the surface. Throws std::bad_alloc, as the following functions do.
  void add(std::int64_t id, std::int32_t place);
  /// Whether vertices added so far need intervals.
  [[nodiscard]] bool needs_intervals() const { return next_ <= moment_.last_interval(); }
  /// Whether a particle that goes on in this interval can be taken along without others.
  [[nodiscard]] bool passes(std::int32_t interval) const { return interval >= next_; }
  /// Takes a particle along to the step if it gets there in these intervals.
  void take_along(std::int64_t id);
  /// Sorts the particles by rank; after this none is added.
  void share_out();

  /// The intervals that are needed next; none: the round is over.
  [[nodiscard]] std::optional<IntervalRange> next() const;
  /// Moves this rank's particles up to the end of interval `last`. Fails as FlowSurfaceMarch::go_on().
  [[nodiscard]] Result<void> trace(const AdvectionContext& context, std::int32_t last, const RunOptions& run);

  [[nodiscard]] std::span<const Particle> particles() const { return particles_; }
  /// One per particle; the ends of rank r lie between offsets()[r] and offsets()[r + 1].
  [[nodiscard]] std::span<EndState> ends() { return ends_; }
  [[nodiscard]] std::span<const std::size_t> offsets() const { return offsets_; }
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  /// Stores the end points of all ranks at the vertices. States of particles stay with their rank.
  void keep_ends();
  /// Forgets the states of the round's vertices: ranks may know different ones.
  void forget();

private:
  [[nodiscard]] Result<void> march_to(std::int32_t step, const AdvectionContext& context, const RunOptions& run);
  [[nodiscard]] Result<void> look_ahead(const AdvectionContext& context, const RunOptions& run);
  [[nodiscard]] std::vector<ParticleState> states_before(std::int32_t step, const AdvectionContext& context);
  [[nodiscard]] std::optional<ParticleState> state_of(
      Particle& particle, EndState& end, const AdvectionContext& context);
  [[nodiscard]] Result<void> judge(const AdvectionContext& context, const AdvectionSummary& summary);
  void keep_end(const Particle& particle, const EndState& end);

  [[nodiscard]] std::span<Particle> own();
  [[nodiscard]] std::span<EndState> own_ends();

  SurfaceVertices& vertices_;
  SurfaceMoment moment_;
  std::size_t rank_;
  std::vector<Particle> particles_;
  std::vector<EndState> ends_;
  std::vector<std::size_t> offsets_;
  std::int32_t next_; ///< next interval
  Statistics statistics_;
};

} // namespace rivulet
