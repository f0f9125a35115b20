// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lyapunov exponents on a box of a lattice, from flow maps of some layers at a time, so that the flow map of the whole
/// lattice need not fit into memory.
///
///     ExponentChunks chunks(lattice, nodes, most_nodes, keep_ends);
///     for (int i = 0; i < chunks.count(); ++i)
///       chunks.add(*flow_map(field, times, chunks.lattice(i), when, options, run), threads);
///     chunks.exponents();
///
/// Layers lie along the last axis that is not flat. The box is traced with one more layer of nodes on each side that
/// has a neighbour in the lattice, for central differences. Two layers are kept from chunk to chunk, so that no node is
/// traced twice. Results are those of lyapunov_exponent() for the whole lattice.
#pragma once

#include "Base/Box.h"
#include "Trace/FlowMap.h"

namespace rivulet
{

class ExponentChunks
{
public:
  /// `nodes`: the box of the lattice, counted from its corner, that is wanted. `most_nodes`: number of nodes of a
  /// chunk; a chunk has at least two layers. `keep_ends`: whether ends() are wanted. Throws std::bad_alloc.
  ExponentChunks(const Grid& lattice, const Box& nodes, std::int64_t most_nodes, bool keep_ends);

  [[nodiscard]] int count() const { return static_cast<int>(chunks_.size()); }
  /// Lattice of the next flow maps to add.
  [[nodiscard]] Grid lattice(int chunk) const { return part_of(chunks_[static_cast<std::size_t>(chunk)]); }
  /// Adds the flow map of the next chunk. Throws std::bad_alloc.
  void add(FlowMap&& map, int threads);

  /// One value per node of the box, x fastest; NaN where its chunk was not added.
  [[nodiscard]] Buffer<double>& exponents() { return exponents_; }
  /// Ends of the particles of the box; empty unless they are wanted.
  [[nodiscard]] std::vector<EndState>& ends() { return ends_; }

private:
  [[nodiscard]] Grid part_of(const Box& nodes) const;
  void emit(const FlowMap& window, const Box& box, std::int32_t first, std::int32_t last, int threads);

  Grid lattice_;
  Box wanted_;
  Box traced_; ///< with the neighbours of the wanted nodes
  std::size_t axis_ = 2;
  std::vector<Box> chunks_;
  std::size_t next_ = 0;
  std::vector<EndState> kept_; ///< of the last layers that were added
  std::int32_t kept_layers_ = 0;
  std::int32_t emitted_ = 0; ///< first layer whose exponents are not known yet
  Buffer<double> exponents_;
  std::vector<EndState> ends_;
};

} // namespace rivulet
