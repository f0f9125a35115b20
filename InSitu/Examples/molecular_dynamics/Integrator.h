// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Velocity Verlet: W. Swope, H. Andersen, P. Berens, K. Wilson, "A computer simulation method for the calculation of
/// equilibrium constants for the formation of physical clusters of molecules", J. Chem. Phys. 76, 1982.
///
///     const Motion motion = kick_and_drift(particles, step, limit, parallel);
///     // forces at the new positions
///     kick(particles, step, parallel);
#pragma once

#include "FixedSum.h"
#include "Parallel.h"
#include "Particles.h"

namespace molecular_dynamics
{

/// How far particles are from where they were when neighbours were listed.
struct Motion
{
  double farthest = 0; ///< square of the largest distance
  bool lost = false;   ///< a particle is farther away than the limit, or its position is no number
};

/// Velocities by half of the time step, positions by all of it.
[[nodiscard]] Motion kick_and_drift(Particles& particles, double step, double limit, examples::Parallel& parallel);

/// Velocities by half of the time step.
void kick(Particles& particles, double step, examples::Parallel& parallel);

/// Kinetic energy of own particles.
[[nodiscard]] FixedSum kinetic_energy(const Particles& particles, examples::Parallel& parallel);

} // namespace molecular_dynamics
