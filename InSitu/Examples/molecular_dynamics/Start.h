// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The start: particles on an fcc lattice that fills the box, with velocities of Maxwell's distribution. Each particle
/// is a function of its id and the seed, so that the start is the same for any number of ranks.
///
///     Particles particles = start(options, domain);
///
/// The total momentum is zero, but for rounding, and the temperature is the one asked for: means over all particles are
/// sums of fixed point numbers (FixedSum.h).
#pragma once

#include "Domain.h"
#include "Particles.h"

namespace molecular_dynamics
{

struct StartOptions
{
  Int3 size{ 20, 20, 20 }; ///< lattice cells along each axis, with four particles each
  double density = 0.8442;
  double temperature = 1.44;
  std::uint64_t seed = 1;
};

/// Number of particles on all ranks.
[[nodiscard]] std::int64_t number_of_particles(const StartOptions& options);
/// Lengths of the box.
[[nodiscard]] Vec3 box_length(const StartOptions& options);

/// The particles in the part of this rank. All ranks of the domain call it. `domain` has the lengths of the box.
[[nodiscard]] Particles start(const StartOptions& options, const Domain& domain);

} // namespace molecular_dynamics
