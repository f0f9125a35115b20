// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/TwistedLattice.h"

#include <cmath>

namespace rivulet
{

Vec3 TwistedLattice::place(const Grid& lattice, const Int3& node, double time) const
{
  const double phase = 1.7 * node[0] + 2.3 * node[1] + 2.9 * node[2] + rate * time;
  Vec3 at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = lattice.nodes[axis] == 1;
    const double moved = flat ? 0.0 : twist * std::sin(phase + 2.0 * static_cast<double>(axis));
    at[axis] = lattice.origin[axis] + lattice.spacing[axis] * (lattice.first[axis] + node[axis] + moved);
  }
  return at;
}

} // namespace rivulet
