// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lyapunov exponents on a box of a lattice, from flow maps of parts of it, so that the flow map of the whole
/// lattice need not fit into memory.
///
///     ExponentChunks chunks(lattice, nodes, most_nodes, kept);
///     for (int i = 0; i < chunks.count(); ++i)
///     {
///       FlowMapMarch march = chunks.march(when);
///       march.go_on(context, run);
///       chunks.add(march.take(), threads);
///     }
///     chunks.exponents();
///
/// Chunks are layers along the last axis that is not flat. The box is traced with one more layer of nodes on each side
/// that has a neighbour in the lattice, for central differences. Two layers are kept from chunk to chunk, so that no
/// node is traced twice. They stay in the memory in which the next march makes its ends. Chunks may be any boxes
/// instead, each with the nodes next to it. Results equal lyapunov_exponent() of the whole lattice.
///
/// Memory: an EndState (56 bytes) for each node of a chunk and of the layers kept.
#pragma once

#include "Base/Box.h"
#include "Trace/FlowMap/FlowMap.h"

#include <atomic>

namespace rivulet
{

/// Which results of nodes are wanted, beside the exponents.
struct KeptOfNodes
{
  bool ends = false;
  bool estimates = false; ///< which of the values are estimated
};

class ExponentChunks
{
public:
  /// `nodes`: the box of the lattice, counted from its corner, that is wanted. `most_nodes`: number of nodes of a chunk
  /// and the layers kept for it, but at least three layers. Throws std::bad_alloc.
  ExponentChunks(const Grid& lattice, const Box& nodes, std::int64_t most_nodes, const KeptOfNodes& kept);
  /// `tiles`: boxes that make up the box.
  ExponentChunks(const Grid& lattice, const Box& nodes, const std::vector<Box>& tiles, const KeptOfNodes& kept);

  [[nodiscard]] int count() const { return static_cast<int>(chunks_.size()); }
  /// Nodes whose particles are traced for a chunk.
  [[nodiscard]] const Box& nodes(int chunk) const { return chunks_[static_cast<std::size_t>(chunk)]; }
  /// Nodes of the march of the next chunk, with layers whose particles were traced before.
  [[nodiscard]] Box window() const;
  /// The march of the next chunk, which is made of layers.
  [[nodiscard]] FlowMapMarch march(const FlowMapTimes& when);
  /// Adds the flow map of the next chunk: that of the march, or of the chunk's box. Throws std::bad_alloc.
  void add(FlowMap&& map, int threads);

  /// One value per node of the box, x fastest; NaN where its chunk was not added.
  [[nodiscard]] Buffer<double>& exponents() { return exponents_; }
  /// Ends of the particles of the box; empty unless they are wanted.
  [[nodiscard]] std::vector<EndState>& ends() { return ends_; }
  /// 1: the node's particle was traced, 0: its end is interpolated, or its chunk was not added. Empty unless wanted.
  [[nodiscard]] Buffer<unsigned char>& traced() { return traced_of_; }
  /// 1: the exponent is made of at least one interpolated end. Empty unless wanted.
  [[nodiscard]] Buffer<unsigned char>& estimated() { return estimated_; }
  /// Number of nodes of the box that lie outside the field.
  [[nodiscard]] std::int64_t outside() const { return outside_; }

private:
  void make_results(const KeptOfNodes& kept);
  void add_layers(FlowMap&& map, int threads);
  void emit(const FlowMap& window, const Box& box, const Box& out, int threads);
  void emit_row(const FlowMap& window, const Box& box, const Int3& first, std::size_t count);

  Grid lattice_;
  Box wanted_;
  Box traced_; ///< with the neighbours of the wanted nodes
  std::size_t axis_ = 2;
  std::vector<Box> chunks_;
  std::vector<Box> tiles_; ///< the wanted nodes of each chunk; empty: chunks are layers
  std::size_t next_ = 0;
  std::vector<EndState> kept_; ///< of the last layers that were added
  std::int32_t kept_layers_ = 0;
  std::int32_t emitted_ = 0; ///< first layer whose exponents are not known yet
  std::atomic<std::int64_t> outside_{ 0 };
  Buffer<double> exponents_;
  std::vector<EndState> ends_;
  Buffer<unsigned char> traced_of_;
  Buffer<unsigned char> estimated_;
};

} // namespace rivulet
