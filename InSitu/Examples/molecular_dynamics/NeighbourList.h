// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Neighbours of each own particle: all others, ghosts included, within `reach`. A pair of own particles is in both
/// lists: forces are then sums of one particle's own terms, in the order of its list, and threads share nothing.
///
///     list.build(particles, cells, reach, parallel);
///     const NeighbourList::Row& row = list.rows()[0];
///     row.neighbours[k];   // k = list.first(i) ... list.last(i) - 1
///
/// Lists are ordered by cells (z slowest, x fastest), and by ids in cells. They are filled up with the spare place to a
/// multiple of kLanes.
///
/// L. Verlet, "Computer "experiments" on classical fluids", Phys. Rev. 159, 1967.
#pragma once

#include "CellList.h"

#include <tbb/enumerable_thread_specific.h>

namespace molecular_dynamics
{

class NeighbourList
{
public:
  /// Particles of a row of cells along x.
  struct Row
  {
    std::int32_t begin = 0, end = 0;
    std::vector<std::int32_t> neighbours;
  };

  /// Ghosts are in place. Positions are kept in `listed`.
  void build(Particles& particles, const CellList& cells, double reach, examples::Parallel& parallel);

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Begin and end of particle i's neighbours in Row::neighbours of its row.
  [[nodiscard]] std::uint32_t first(std::int32_t i) const { return first_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::uint32_t last(std::int32_t i) const { return last_[static_cast<std::size_t>(i)]; }

private:
  /// Memory that a thread works with.
  struct Scratch
  {
    std::vector<std::int32_t> index; ///< particles in the cells around one cell
    Coordinates position;            ///< of these
    std::vector<std::int64_t> mark;  ///< -1 for a neighbour, or 0
    std::size_t number = 0;
    std::ptrdiff_t own = 0; ///< place of the first particle of the cell itself
    std::vector<std::int32_t> found;

    void append(const Particles& particles, const CellList::Span& run);
  };

  void build_row(
      const Particles& particles, const CellList& cells, double reach, std::int64_t number, Scratch& scratch);
  static void gather(const Particles& particles, const CellList& cells, const Int3& cell, Scratch& scratch);

  std::vector<Row> rows_;
  std::vector<std::uint32_t> first_, last_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

} // namespace molecular_dynamics
