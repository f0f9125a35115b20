// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Surfaces of particles in a field that changes with time, sampled as densely as their shape asks for.
///
///   streak surface   the particles of seed curves, released from the start to the time T (StreakDomain.h)
///   time surface     the particles of a mesh of triangles, all released at one time (MeshDomain.h)
///   stream surface   of a steady field: the streak surface of a field with two time steps, 0 and D, that are the same
///                    step of its source (Store/Derived/StepBricks.h holds one twice); age is the time along
///                    streamlines
///
/// A surface at time T is the image of its domain under the flow map  (place, time of release) -> place at T. Every
/// vertex is traced from its own release, and is the end of that pathline to the last bit (Pathlines.h, with a
/// terminal_speed of 0). The mesh is made anew for each T, from the domain's base, by RefineSurface.h; so it is fine
/// where the surface is stretched at T, and coarse where it is not any more.
///
///     FlowSurfaceMarch march(std::move(*StreakDomain::create(curves, release)), times, criteria);
///     march.begin(T);
///     while (std::optional<IntervalRange> range = march.next())
///     {
///       AdvectionContext context = *flow_surface_context(field_that_has(*range), times, options);
///       context.set_intervals(range->first, range->last); // or range->first alone, and so on
///       march.go_on(context, run);
///     }
///     march.surface();
///
/// If the field has all steps, one call is enough: a call goes on as long as its context holds the next intervals.
/// States of particles are kept at the last step of the field not after T, so that the next T costs one interval for
/// the vertices that there were, and all intervals since their release for new ones. A time before it is traced from
/// the releases again. The time looked at last costs nothing.
///
/// The surface is the same to the last bit for any times looked at before, division into calls, ranks, threads, bricks,
/// budget and strategy, as long as all values are finite. Arrays of the field at its points:
/// FlowSurface/PointAttributes.h.
///
/// Memory: 500 bytes a vertex for all that were ever in a surface of this march, 200 a vertex of the surface for its
/// refinement, and 500 a vertex that is being traced. Threads: one.
#pragma once

#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/FlowSurface/ShapeSurface.h"
#include "Trace/FlowSurface/SurfaceRound.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

struct FlowSurfaceStatistics
{
  std::int64_t vertices = 0; ///< of the domain that were looked at, lost ones included
  std::int64_t lost = 0;     ///< of these: did not reach the time
  std::int64_t torn = 0;     ///< triangles that were left out because of the tear length
  std::int64_t rounds = 0;   ///< of refinement
  bool limited = false;      ///< edges were not split because of the most vertices
  // Of this rank, and of the calls for this surface only:
  std::int64_t started = 0; ///< particles that were traced from their release
  std::int64_t steps = 0;   ///< of particles
};

/// A surface at a time. All arrays but `triangles` have one value per point. Only points of triangles are there.
struct FlowSurface
{
  double time = 0.0;
  std::vector<Vec3> points; ///< world
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<Vec3> normals;  ///< unit; mean of the triangles' by area. 0 where these cancel
  std::vector<Vec3> releases; ///< places of release, world
  std::vector<double> release_times;
  std::vector<double> curve_lengths;          ///< SurfaceSeed::s
  std::vector<std::array<double, 2>> texture; ///< SurfaceDomain::texture()
  FlowSurfaceStatistics statistics;           ///< no part of the result that is the same for all runs
  std::shared_ptr<const Error> data_error;    ///< the first error that ended particles of this rank early

  [[nodiscard]] double age(std::size_t point) const { return time - release_times[point]; }
};

/// The ranks that make a surface together: each traces a part of the vertices, and has the whole surface afterwards.
/// All ranks make the same calls with the same arguments, and contexts that hold the same intervals.
struct SurfaceRanks
{
  int rank = 0;
  int ranks = 1;
  /// Called by all ranks at once, twice in each round of refinement, within go_on(). `mine`: the error with which this
  /// rank cannot go on. `ends`: of rank r's particles between offsets[r] and offsets[r + 1]; each rank has its own
  /// ends, and gets the ends of all others (MPI_Allgatherv in place). Both are empty in the second call, which agrees
  /// only. Returns an error on all ranks if one of them cannot go on.
  std::function<Result<void>(Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)>
      exchange{};
};

/// A context for surfaces: flow_surface() and FlowSurfaceMarch. `times`: times of the source's steps; empty: the
/// source's own. The options' direction, vorticity and terminal speed have no meaning; limits of time, length and steps
/// hold for each particle. Fails with BadArgument.
[[nodiscard]] Result<AdvectionContext> flow_surface_context(
    const TraceField& field, std::span<const double> times, const PathlineOptions& options);

class FlowSurfaceMarch
{
public:
  /// `times`: of the field's steps, increasing, at least two. Throws std::bad_alloc.
  FlowSurfaceMarch(std::unique_ptr<const SurfaceDomain> domain, std::vector<double> times,
      const SurfaceCriteria& criteria, SurfaceRanks ranks = {});
  FlowSurfaceMarch(const FlowSurfaceMarch&) = delete;
  FlowSurfaceMarch& operator=(const FlowSurfaceMarch&) = delete;

  /// From now on, rounds that trace vertices trace the middles of edges longer than this share of the largest edge,
  /// too, as far as the same intervals allow. Changes no surface. 0 (default): none.
  void set_reserve(double share) { reserve_ = share; }

  /// Goes on with other times of the field, between two surfaces. Times up to the last surface stay. False, and nothing
  /// is changed, if this does not hold. For a simulation that runs: its surfaces can be had as the steps come, from two
  /// steps, if they are not adaptive (SurfaceCriteria).
  [[nodiscard]] bool grow(std::vector<double> times);

  /// Turns to the surface at a time. At the start of a streak surface or before any start it is empty. Fails with
  /// BadArgument if the time or the start is outside the times of the field, for criteria that make no sense, or if the
  /// base has more than the most vertices; with BudgetTooSmall if the system has no memory.
  [[nodiscard]] Result<void> begin(double time);
  /// The intervals that are needed next; none if the surface is done, or a call failed. The same for all ranks.
  [[nodiscard]] std::optional<IntervalRange> next() const;
  /// Goes through intervals that the context holds. It must hold at least next()->first, and ends after the held
  /// intervals or when the surface is done. Fails with BadArgument for another context, with BudgetTooSmall if the
  /// system has no memory, and with Cancelled if the run was stopped; begin() has to be called then. With several
  /// ranks, errors have to be agreed after each call, and a march that lacked memory has to be made anew. Bricks that
  /// cannot be read make holes (FlowSurface::data_error).
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);

  /// Ends a surface in the making between two calls of go_on(), as Cancelled does within one.
  void stop();

  /// The surface at the time of begin(); without points until next() is none. After Cancelled and stop() the surface as
  /// far as it was refined then; without points if that was in the first round.
  [[nodiscard]] const FlowSurface& surface() const { return surface_; }
  /// Number of vertices that are kept.
  [[nodiscard]] std::int64_t vertices() const { return vertices_.size(); }

private:
  [[nodiscard]] Result<void> check(double time) const;
  void add_seeds(const std::vector<SurfaceSeed>& seeds);
  [[nodiscard]] SurfaceSeed middle_of(const std::array<std::int32_t, 2>& edge) const;
  void begin_round();
  void take_along_surface_before();
  void take_along_reserve();
  void use_reserve();
  [[nodiscard]] Result<void> trace(const AdvectionContext& context, std::int32_t last, const RunOptions& run);
  [[nodiscard]] Result<void> end_together(Result<void> traced);
  void end_rounds();
  [[nodiscard]] std::vector<SurfacePlace> places_of_round();
  [[nodiscard]] std::vector<SurfaceSeed> seeds_of(ShapedSurface& shaped) const;
  void shape();
  void keep_so_far();
  void finish();
  void give_up();

  std::unique_ptr<const SurfaceDomain> domain_;
  std::vector<double> times_;
  SurfaceCriteria criteria_;
  SurfaceRanks ranks_;
  SurfaceVertices vertices_;
  double reserve_ = 0.0;

  FlowSurface surface_;
  bool complete_ = false;   ///< whether surface_ is that of its time
  std::int64_t number_ = 0; ///< of the surface
  SurfaceMoment moment_;
  std::vector<std::int64_t> ids_;       ///< of the surface's vertices
  std::optional<RefineSurface> refine_; ///< of the surface in the making
  std::optional<SurfaceRound> round_;   ///< of the surface in the making
};

/// The surface of a domain at a time, of a field that has all steps. Fails as FlowSurfaceMarch.
[[nodiscard]] Result<FlowSurface> flow_surface(const AdvectionContext& context,
    std::unique_ptr<const SurfaceDomain> domain, double time, const SurfaceCriteria& criteria, const RunOptions& run);

} // namespace rivulet
