// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The flow map of a field that changes with time, and its finite-time Lyapunov exponent.
///
/// The flow map takes the node x of a lattice to the place phi(x) where a particle that is released there at `start` is
/// at `end` (before `start`: backward). Particles are pathlines (Pathlines.h), of which nothing is kept but their ends.
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
/// Memory: an EndState (56 bytes) a node. Results do not depend on threads, bricks, budget or strategy: not by one bit.
#pragma once

#include "Trace/FlowMap/EndStates.h"
#include "Trace/Pathlines.h"

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
  std::vector<EndState> ends{}; ///< one for each node, x fastest; reason OutOfTime: reached the end
  std::int64_t steps = 0;
  bool cancelled = false;
  std::shared_ptr<const Error> data_error{}; ///< why particles end early, if some do
};

/// `times` are those of the source's steps, empty: its own. The options' direction, first and last time,
/// vorticity and terminal speed are of no meaning. Fails on bad arguments (BadArgument), and with BudgetTooSmall where
/// the system has no memory for the ends.
[[nodiscard]] Result<FlowMap> flow_map(const TraceField& field, std::span<const double> times, const Grid& lattice,
    const FlowMapTimes& when, const PathlineOptions& options, const RunOptions& run);

/// One value for each node, in 1 / time; NaN where the node's particle, or all neighbours along an axis, did not reach
/// the end. Flat axes of the lattice add nothing. Throws std::bad_alloc.
[[nodiscard]] Buffer<double> lyapunov_exponent(const FlowMap& map);

} // namespace rivulet
