// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Places of the nodes of a curvilinear grid: the nodes of a lattice, each moved by waves of a few nodes' length, so
/// that no two cells are alike and the faces of cells are not plane. Moved in time, the grid shears and twists.
///
/// Node (i, j, k) is moved along axis a by  twist * spacing[a] * sin(1.7 i + 2.3 j + 2.9 k + 2 a + rate * time).
///
/// Plain values; any thread.
#pragma once

#include "Base/Field.h"

namespace rivulet
{

struct TwistedLattice
{
  static constexpr double kMost = 0.2; ///< twist with which cells have a volume everywhere

  double twist = 0; ///< share of the spacing
  double rate = 0;  ///< radians per unit of time; 0: the grid stays

  [[nodiscard]] Vec3 place(const Grid& lattice, const Int3& node, double time) const;
};

} // namespace rivulet
