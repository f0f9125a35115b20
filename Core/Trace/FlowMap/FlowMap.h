// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The flow map of a field that changes with time, and its finite-time Lyapunov exponent.
///
/// The flow map takes a node x of a lattice to the place phi(x) that a particle released there at `start` reaches at
/// `end` (before `start`: backward). Particles are pathlines (Pathlines.h) of which only the end states are kept.
///
/// The exponent is  ln(sqrt(lambda)) / |end - start|,  lambda the largest eigenvalue of the Cauchy-Green tensor
/// F^T F,  F = d phi / d x  by central differences over the lattice, one-sided where one neighbour is missing (the
/// lattice's boundary, or a particle that did not reach `end`). Source: G. Haller, "Distinguished material surfaces and
/// coherent structures in three-dimensional fluid flows", Physica D 149 (2001) 248-277; S. C. Shadden, F. Lekien, J. E.
/// Marsden, Physica D 212 (2005) 271-304, equation (8).
///
///     Result<FlowMap> map = flow_map(field, {}, lattice, { .start = 0, .end = 15 }, {}, {});
///     Buffer<double> exponent = lyapunov_exponent(*map);
///
/// Nodes may be a curvilinear grid's (FlowMap::places): then ends and places are differenced by index. Or they
/// belong to unstructured cells (FlowMap::cells), in a lattice of one row: then F is a mean over the cells around a
/// node (NodeCells.h).
///
/// Memory: an EndState (56 bytes) per node, and 24 bytes where its place is kept. Results are the same to the last bit
/// for any threads, bricks, budget and strategy.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/FlowMap/EndStates.h"
#include "Trace/FlowMap/NodeCells.h"
#include "Trace/FlowMap/ReleaseLattice.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

struct FlowMapTimes
{
  double start = 0.0;
  double end = 1.0;
};

struct FlowMap
{
  Grid lattice;
  FlowMapTimes times;
  std::vector<EndState> ends{}; ///< one per node, x fastest; reason OutOfTime: reached the end
  std::int64_t steps = 0;
  bool cancelled = false;
  std::shared_ptr<const Error> data_error{}; ///< the first error that ended particles early; nullptr if there is none
  NodePlaces places{};                       ///< of a mesh's nodes; nullptr: the lattice has them
  std::shared_ptr<const NodeCells> cells{};  ///< of the mesh; nullptr: nodes that follow each other are neighbours
};

/// The lattice of a box of nodes, which count from the lattice's corner.
[[nodiscard]] Grid part_of(const Grid& lattice, const Box& nodes);

/// `times`: times of the source's steps; empty: the source's own. The options' direction, first and last time,
/// vorticity and terminal speed have no meaning. Fails with BadArgument for bad arguments, and with BudgetTooSmall if
/// the system has no memory for the end states.
[[nodiscard]] Result<FlowMap> flow_map(const TraceField& field, std::span<const double> times, const Grid& lattice,
    const FlowMapTimes& when, const PathlineOptions& options, const RunOptions& run);

/// A context for flow maps between two times, for FlowMapMarch. Fails as flow_map().
[[nodiscard]] Result<AdvectionContext> flow_map_context(
    const TraceField& field, std::span<const double> times, const FlowMapTimes& when, const PathlineOptions& options);

/// A flow map in several calls, for fields whose steps come one after the other. Results are equal to flow_map()'s.
///
///     FlowMapMarch march(lattice, when);
///     for (interval i from that of the start to that of the end)
///       context.set_intervals(i, i); march.go_on(context, run);
///     FlowMap map = march.take();
///
/// A march of some nodes only has one end for each of these. A march of a box of nodes takes the ends of the other
/// nodes as they are.
///
/// Memory: an EndState per node; with more than one call a ParticleState (264 bytes) per node, too.
class FlowMapMarch
{
public:
  /// The lattice is one of flow_map().
  FlowMapMarch(const Grid& lattice, const FlowMapTimes& when);
  /// `nodes`: row-major numbers of the nodes whose particles are traced. The map has the ends of these nodes, in this
  /// order. Must outlive this object.
  FlowMapMarch(const Grid& lattice, const FlowMapTimes& when, std::span<const std::int64_t> nodes);
  /// `box`: the nodes whose particles are traced. `ends`: ends of the lattice's nodes, x fastest, as far as they are
  /// known; the map's ends are made in its memory.
  FlowMapMarch(const Grid& lattice, const FlowMapTimes& when, const Box& box, std::vector<EndState> ends);

  /// The nodes lie elsewhere than the lattice says. Before the first call.
  void set_places(NodePlaces places) { map_.places = std::move(places); }
  /// The lattice has all nodes of these cells, and no others. Before the first call. Throws std::bad_alloc.
  void set_cells(std::shared_ptr<const NodeCells> cells);
  /// Goes through the intervals that the context holds, in the first call from the start. The context is one of
  /// flow_map_context(). Fails as flow_map().
  [[nodiscard]] Result<void> go_on(const AdvectionContext& context, const RunOptions& run);
  /// The flow map up to a step's time that the calls have reached; the march goes on afterwards. Throws std::bad_alloc.
  [[nodiscard]] FlowMap so_far(double end) const;
  /// The flow map after the intervals processed so far.
  [[nodiscard]] FlowMap take() { return std::move(map_); }
  [[nodiscard]] bool cancelled() const { return map_.cancelled; }

private:
  [[nodiscard]] AdvectionSummary advect_on(const AdvectionContext& context, const RunOptions& run);
  [[nodiscard]] AdvectionSummary begin(const AdvectionContext& context, ParticleSource& source, const RunOptions& run);

  FlowMap map_;
  Box box_;                                            ///< nodes that are traced, unless some are chosen
  std::optional<std::span<const std::int64_t>> nodes_; ///< chosen; none: the nodes of the box
  bool begun_ = false;
  std::optional<ParticleMarch> march_; ///< if there is more than one call
};

/// One value per node, in 1 / time; NaN if the node's particle, or all neighbours along an axis, did not reach the end.
/// Flat axes of the lattice add nothing. Throws std::bad_alloc.
[[nodiscard]] Buffer<double> lyapunov_exponent(const FlowMap& map, int threads = 1);

/// Takes the exponents of the nodes from `first` on along x.
using TakeExponents = std::function<void(const Int3& first, std::span<const double> exponents)>;

/// The same for the nodes of a box of the lattice, counted from its corner: calls `take` once for each row of the box,
/// or for each part of a long one, on `threads` threads in any order. Throws std::bad_alloc.
void take_exponents(const FlowMap& map, const Box& nodes, int threads, const TakeExponents& take);

} // namespace rivulet
