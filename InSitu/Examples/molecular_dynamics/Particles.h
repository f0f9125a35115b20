// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles of one rank, as a structure of arrays.
///
///     | own particles, in the order of their cells | ghosts | spare |
///     0                                       count     count + ghosts
///
/// Ghosts are copies of particles of neighbours, or of own ones seen through a periodic side. They have positions only.
/// The spare place after them is far away from all others: lists name it to fill up groups of lanes.
#pragma once

#include "Types.h"

#include <vector>

namespace molecular_dynamics
{

/// One array for each axis.
using Coordinates = std::array<std::vector<double>, 3>;

struct Particles
{
  std::int64_t count = 0;
  std::int64_t ghosts = 0;
  std::vector<std::int64_t> id;   ///< number of the lattice site where the particle began
  std::vector<std::int32_t> type; ///< a label without influence: 0 or 1, the half of the box where it began
  Coordinates position;           ///< own ones have left the box by less than a cell, where it is periodic
  Coordinates velocity;
  Coordinates force;
  Coordinates listed; ///< positions when the neighbours were listed

  /// Positions again, up to the spare place, interleaved: x, y, z, and one place without use. Set by find_forces().
  std::vector<double> packed;

  /// Index of the spare place.
  [[nodiscard]] std::int64_t spare() const { return count + ghosts; }

  /// Makes room for `own` particles. Values of particles that stay are kept.
  void resize(std::int64_t own);
  /// Makes room for `number` ghosts and for the spare place.
  void resize_ghosts(std::int64_t number);
};

} // namespace molecular_dynamics
