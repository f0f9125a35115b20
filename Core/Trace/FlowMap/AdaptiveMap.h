// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A flow map of which most particles are not traced: which nodes of a lattice are traced, level by level, and the ends
/// of the others by interpolation. Knows no flow.
///
///     AdaptiveMap map(lattice, nodes, when, sampling);
///     for (int pass = 0; pass < sampling.passes(); ++pass)
///       map.add(<flow map of map.choose(threads)>);
///     map.take();
///
/// The first pass takes every 2^levels-th node along each axis. Each further pass has the nodes midway between the
/// nodes so far. Such a node is interpolated, by the cubic polynomials through the nodes so far (tensor product), if
/// these polynomials were right before: each node beside it that was traced in the pass before must lie where the
/// coarser polynomials foretold it, within SamplingRule::tolerance. It is traced if this does not hold, if a particle
/// beside it or of its polynomial did not reach the end, or if no node tells: in the last cell along an axis, where
/// this was not halved. The idea is that of C. Garth, F. Gerhardt, X. Tricoche, H. Hagen, "Efficient computation and
/// visualization of coherent structures in fluid flow applications", IEEE TVCG 13 (2007) 1464-1471; tests on regular
/// lattices as in S. S. Barakat, X. Tricoche, "Adaptive refinement of the flow map using sparse samples", IEEE TVCG 19
/// (2013) 2753-2762.
///
/// The decision for a node depends on the lattice and on particles within halo() nodes of it. A box of nodes is decided
/// together with the nodes around that these decisions need, so that any box has the ends of the whole lattice, to the
/// last bit.
///
/// Memory: 57 bytes per node of window(). Threads: choose() uses some; calls come from one.
#pragma once

#include "Base/Box.h"
#include "Trace/FlowMap/AxisLevels.h"
#include "Trace/FlowMap/FlowMap.h"

#include <span>
#include <vector>

namespace rivulet
{

struct SamplingRule
{
  static constexpr int kMostLevels = 5;

  /// Tolerance: largest distance between a traced end and its prediction from coarser nodes, relative to the distance
  /// between the ends of neighbours. This distance is the largest stretching along any axis, times the smallest
  /// spacing. An error of an end by this share is an error of the exponent by this share over the time, at any
  /// stretching. Interpolated ends have smaller errors as a rule, because their polynomials go through
  /// nodes twice as close; there is no bound. 0: all nodes are traced.
  double tolerance = 0.2;
  int levels = 3; ///< levels of nodes beyond the first; 1 to kMostLevels

  [[nodiscard]] int passes() const { return levels + 1; }
  /// Most nodes along an axis between a node and one that its decision depends on, away from the lattice's ends.
  [[nodiscard]] std::int32_t halo() const { return 4 * ((std::int32_t{ 2 } << levels) - 1); }
};

class AdaptiveMap
{
public:
  /// `nodes`: box of the lattice, counted from its corner, whose flow map is wanted. Throws std::bad_alloc.
  AdaptiveMap(const Grid& lattice, const Box& nodes, const FlowMapTimes& when, const SamplingRule& sampling);

  /// Box of nodes within which particles are traced.
  [[nodiscard]] const Box& window() const { return boxes_.front(); }
  /// The lattice of the window.
  [[nodiscard]] const Grid& lattice() const { return map_.lattice; }
  /// Places of the nodes of the window, if the lattice does not have them. Before the first pass.
  void set_places(NodePlaces places) { map_.places = std::move(places); }
  [[nodiscard]] const NodePlaces& places() const { return map_.places; }

  /// Interpolates nodes of the next pass. Returns the nodes that must be traced: their numbers in the window, in blocks
  /// of neighbours. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::int64_t> choose(int threads);
  /// Adds the ends of chosen nodes.
  void add(std::span<const std::int64_t> nodes, std::span<const EndState> ends);

  /// The flow map of the wanted nodes, after the last pass. Throws std::bad_alloc.
  [[nodiscard]] FlowMap take();

private:
  struct Axis;
  class Pass;

  [[nodiscard]] std::size_t number_of(const Int3& node) const;
  [[nodiscard]] double spacing_between(const Int3& low, const Int3& high, std::size_t axis) const;
  [[nodiscard]] const Box& box(int level) const { return boxes_[static_cast<std::size_t>(level + 1)]; }

  SamplingRule sampling_;
  Grid whole_;
  std::array<AxisLevels, 3> axes_;
  std::vector<Box> boxes_;           ///< nodes that are needed on the levels -1, 0, ... sampling_.levels
  FlowMap map_;                      ///< of the window; reason None: not known yet
  std::vector<std::uint8_t> unsure_; ///< per node of the window: whether nodes beside it must be traced
  int pass_ = 0;
};

/// Cuts a box of nodes so that the AdaptiveMap of each part and of the nodes next to it takes at most `bytes`, with
/// `per_particle` for each of the particles that are traced in a pass. Empty if no cut does.
[[nodiscard]] std::vector<Box> adaptive_tiles(
    const Grid& lattice, const Box& nodes, const SamplingRule& sampling, std::int64_t bytes, std::int64_t per_particle);

} // namespace rivulet
