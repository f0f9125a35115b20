// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Time that particles spend in regions, with all of their visits: residence time (the first visit) and exposure time
/// (all visits together), after E. J. M. Delhez, "Transient residence and exposure times", Ocean Science 2 (2006) 1-9,
/// doi:10.5194/os-2-1-2006, for single particles.
///
///     ResidenceQuery query{ .regions = { bay }, .start = 0.0, .end = 30.0 };
///     AdvectionContext context = *residence_context(field, times, query, options);
///     ResidenceMarch march(seeds, query);
///     context.set_intervals(first, last);                       // or one interval after the other
///     march.go_on(context, run);
///     ResidenceTimes result = march.take();
///     double days = result.stay(seed, region).exposure;
///
/// A visit begins with an entry, or with the release if the particle is released inside, and ends with an exit, or with
/// the particle. Entries and exits are found to rounding (Kernel/Crossing.h). A visit that begins and ends within one
/// step may be missed, above all between two regions or two parts of a surface: maximum_step must be less than the
/// thickness of the regions and of the gaps between them. The border belongs to the region. The end time may lie before
/// the start: then particles go backward, and all durations are positive, too.
///
/// Memory: 56 bytes for each seed and region, 72 for each entry and exit, 320 for each seed while it is on its
/// way, twice that backward.
/// Results are the same to the last bit for any threads, bricks, budget, strategy and calls.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/FlowMap/EndStates.h"
#include "Trace/Regions/Region.h"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

struct ResidenceQuery
{
  std::vector<Region> regions{}; ///< 1 to CrossingLog::kMostSurfaces
  double start = 0.0;            ///< time of the release
  double end = 0.0;              ///< time at which particles end, if not before
};

/// The visits of a particle to a region. Times are field times, durations in their unit.
struct Stay
{
  static constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

  double first_entry = kNever; ///< the time of the release if it was inside then
  double first_exit = kNever;
  /// Durations of the first visit, and of all: up to the end of the particle if it is inside then. NaN if the particle
  /// did not begin, because the run was stopped before.
  double residence = 0.0;
  double exposure = 0.0;
  std::int64_t entries = 0; ///< after the release
  std::int64_t exits = 0;
  bool inside_at_end = false; ///< then the last visit counts up to the end of the particle

  [[nodiscard]] bool operator==(const Stay&) const = default;
};

struct ResidenceTimes
{
  std::int64_t regions = 0;
  std::vector<Stay> stays{};      ///< by seed, then by region
  std::vector<EndState> ends{};   ///< by seed
  std::vector<Crossing> visits{}; ///< entries (not `to_positive`) and exits; by seed, then along its path
  std::int64_t steps = 0;
  bool cancelled = false;
  std::shared_ptr<const Error> data_error{}; ///< the first error that ended particles early; nullptr if there is none

  [[nodiscard]] const Stay& stay(std::int64_t seed, std::int64_t region) const
  {
    return stays[static_cast<std::size_t>(seed * regions + region)];
  }
};

/// A context for a query. The options' direction, first and last time, vorticity and terminal speed have no meaning.
/// Fails with BadArgument for bad arguments, and if the times lie outside the field's times.
[[nodiscard]] Result<AdvectionContext> residence_context(const TraceField& field, std::span<const double> times,
    const ResidenceQuery& query, const PathlineOptions& options);

/// A query in one or several calls. Threads: one call at a time.
class ResidenceMarch
{
public:
  /// `seeds`: places in the world. Throws std::bad_alloc.
  ResidenceMarch(std::span<const Vec3> seeds, const ResidenceQuery& query);

  /// Goes through the intervals that the context holds, in the first call from the start. Fails with BudgetTooSmall if
  /// the system has no memory.
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);
  /// The result of the intervals so far. Throws std::bad_alloc.
  [[nodiscard]] ResidenceTimes take();

private:
  std::vector<PathSeed> seeds_;
  std::vector<Surface> surfaces_;
  ResidenceTimes result_;
  std::size_t first_id_ = 0;        ///< id of the first seed's release: FixedSeeds.h
  std::vector<std::uint8_t> begun_; ///< by id of the release
  std::vector<SurfaceSet> outside_; ///< by id of the release: regions that it is outside of at its end
  std::optional<ParticleMarch> march_;
};

} // namespace rivulet
