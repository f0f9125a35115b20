// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The Lennard-Jones force, cut off at a distance R = 2.5.
///
///     V(r) = 4 (r^-12 - r^-6) + a r^2 + b    for r < R, and 0 beyond
///
/// Smooth: a and b make V and its slope 0 at R, so that energy is conserved. In r^2, this takes no square root: S.
/// Stoddard, J. Ford, "Numerical experiments on the stochastic behavior of a Lennard-Jones gas system", Phys. Rev. A 8,
/// 1973.
///
/// Shifted: a = 0, and b makes V 0 at R. Trajectories are the same as with the plain cut potential, and most published
/// results are for it. The force jumps by 0.039 at R, and energy is conserved less well.
#pragma once

#include "FixedSum.h"
#include "NeighbourList.h"

namespace molecular_dynamics
{

inline constexpr double kCutoff = 2.5;

enum class Cut
{
  Smooth,
  Shifted
};

/// The terms a and b.
struct Potential
{
  double square = 0;
  double constant = 0;
};

[[nodiscard]] Potential potential_of(Cut cut);

/// Sets the forces of own particles.
void find_forces(
    Particles& particles, const NeighbourList& list, const Potential& potential, examples::Parallel& parallel);

/// Half of the energy of each own particle's pairs, so that the sum over ranks is the energy of all pairs. The same for
/// the virial, r . force.
struct PairSums
{
  FixedSum energy, virial;
};

/// At the positions of the last find_forces().
[[nodiscard]] PairSums find_sums(
    const Particles& particles, const NeighbourList& list, const Potential& potential, examples::Parallel& parallel);

} // namespace molecular_dynamics
