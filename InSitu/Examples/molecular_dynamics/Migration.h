// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles that have left the rank's cells move to the rank of their cell.
///
///     migrate(particles, domain, parallel);
///
/// They travel along x, then y, then z, so that a rank talks to its six direct neighbours, and particles that leave
/// through an edge or a corner pass through others. Positions are brought back into the box.
#pragma once

#include "Domain.h"
#include "Parallel.h"
#include "Particles.h"

namespace molecular_dynamics
{

/// All ranks call it. No particle may be farther from the rank's cells than one cell. The order of the particles is
/// undefined afterwards; ghosts are gone. Returns the number of particles that left this rank.
std::int64_t migrate(Particles& particles, const Domain& domain, examples::Parallel& parallel);

} // namespace molecular_dynamics
