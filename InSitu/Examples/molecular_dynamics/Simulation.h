// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Molecular dynamics of a Lennard-Jones fluid in a periodic box, at constant energy. Forces by lists of neighbours
/// with a margin (skin), which are renewed when a particle has moved by half of it.
///
///     Result<Simulation> simulation = Simulation::create({ .start = { .size = { 20, 20, 20 } } }, MPI_COMM_WORLD);
///     if (!simulation) return tl::unexpected(simulation.error());
///     const Result<void> done = simulation->step();
///     simulation->observe().temperature;
///
/// Trajectories are the same, bit by bit, for any number of threads and ranks: sums of forces are in the order of
/// cells, which are the box's and not the rank's.
///
/// Threads: one thread of each rank calls. Ranks: all call the same functions in the same order. Errors are the same on
/// all ranks. Reduced units.
#pragma once

#include "Forces.h"
#include "Halo.h"
#include "Start.h"

namespace molecular_dynamics
{

struct SimulationOptions
{
  StartOptions start{};
  double time_step = 0.005;
  Cut cut = Cut::Smooth;
  double skin = 0.4;
  Int3 ranks{ 0, 0, 0 }; ///< along each axis; 0 0 0 for the best
};

/// Of all ranks; energies are means over particles.
struct Observables
{
  double temperature = 0;
  double potential = 0;
  double kinetic = 0;
  double pressure = 0;
};

/// Wall time of this rank, in seconds.
struct Timings
{
  double force = 0;
  double lists = 0;     ///< sorting particles and listing neighbours
  double integrate = 0; ///< velocities and positions
  double exchange = 0;  ///< ghosts, migration, and waiting for other ranks
  double observe = 0;
  double sequential = 0;     ///< part of the above outside parallel regions
  std::int64_t renewals = 0; ///< of lists
  std::int64_t migrated = 0; ///< particles that left this rank

  [[nodiscard]] double total() const { return force + lists + integrate + exchange + observe; }
};

class Simulation
{
public:
  /// The communicator must outlive the simulation. `run` runs parallel regions (Parallel.h).
  [[nodiscard]] static Result<Simulation> create(
      const SimulationOptions& options, MPI_Comm comm, const examples::RunRegion& run = {});

  /// Fails where a particle has moved more than a cell, or to no number. The simulation is of no use then.
  [[nodiscard]] Result<void> step();

  [[nodiscard]] Observables observe();

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] double time() const { return static_cast<double>(steps_) * options_.time_step; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  [[nodiscard]] const Particles& particles() const { return particles_; }
  [[nodiscard]] std::int64_t all_particles() const { return number_of_particles(options_.start); }
  [[nodiscard]] const Timings& timings() const { return timings_; }

  /// Turns all velocities round: the particles go back where they came from.
  void reverse();

private:
  Simulation(const SimulationOptions& options, const Domain& domain, const examples::RunRegion& run);
  void renew_lists();

  SimulationOptions options_;
  Potential potential_;
  Domain domain_;
  examples::Parallel parallel_;
  Particles particles_;
  CellList cells_;
  Halo halo_;
  NeighbourList list_;
  Timings timings_;
  std::int64_t steps_ = 0;
};

} // namespace molecular_dynamics
