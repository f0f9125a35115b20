// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ghosts: positions of particles in the two layers of cells around the rank's own.
///
///     halo.build(particles, cells, domain, parallel);  // after the particles were sorted
///     halo.update(particles, domain, parallel);        // after they have moved
///
/// Layers travel along x, then along y with the ghosts from x, then along z with both, so that six messages reach all
/// 26 neighbours. Particles stay in the order of their cells: ghost cells are in the same order as the cells that they
/// copy.
#pragma once

#include "CellList.h"

namespace molecular_dynamics
{

class Halo
{
public:
  /// Sends the particles of the layers, and tells `cells` where ghosts are. All ranks call it.
  void build(Particles& particles, CellList& cells, const Domain& domain, examples::Parallel& parallel);

  /// Sends new positions of the same particles. All ranks call it.
  void update(Particles& particles, const Domain& domain, examples::Parallel& parallel);

private:
  /// Particles that are sent through one side, and ghosts that come in there.
  struct Side
  {
    std::vector<std::int32_t> sent; ///< indices of particles
    std::array<std::vector<double>, 3> packed;
    std::int64_t first = 0; ///< index of the first ghost
    std::int64_t received = 0;
  };
  using Sides = std::array<Side, 2>;

  void exchange_cells(Particles& particles, CellList& cells, const Domain& domain, std::size_t axis);
  void exchange_positions(Particles& particles, const Domain& domain, std::size_t axis, examples::Parallel& parallel);

  std::array<Sides, 3> sides_;
};

} // namespace molecular_dynamics
