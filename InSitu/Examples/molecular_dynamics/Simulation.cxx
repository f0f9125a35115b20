// SPDX-License-Identifier: BSD-3-Clause
#include "Simulation.h"

#include "Integrator.h"
#include "Migration.h"

#include <chrono>
#include <limits>

namespace molecular_dynamics
{

namespace
{

/// Adds the wall time of work() to `seconds`.
template <class Work>
auto timed(double& seconds, const Work& work)
{
  struct Stopwatch
  {
    double& seconds;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    ~Stopwatch() { seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); }
  };
  const Stopwatch stopwatch{ seconds };
  return work();
}

/// Empty where the options make sense.
std::string trouble_of(const SimulationOptions& options)
{
  for (const std::int32_t side : options.start.size)
  {
    if (side < 1 || side > 1 << 16)
    {
      return "the lattice must have 1 to 65536 cells along each axis";
    }
  }
  if (!(options.start.density > 0 && options.start.density <= 2))
  {
    return "the density must be above 0, and at most 2";
  }
  if (!(options.start.temperature >= 0 && options.start.temperature <= 1000))
  {
    return "the temperature must be 0 to 1000";
  }
  if (!(options.time_step > 0 && options.time_step <= 1))
  {
    return "the time step must be above 0, and at most 1";
  }
  if (!(options.skin >= 0 && options.skin <= 2))
  {
    return "the skin must be 0 to 2";
  }
  return {};
}

/// The most particles of a rank, ghosts included, for which indices suffice.
bool too_many(const Domain& domain, std::int64_t particles)
{
  double share = static_cast<double>(particles);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    share *= double(domain.own()[axis] + 2 * kLayers) / domain.cells()[axis];
  }
  return share > 0.9 * std::numeric_limits<std::int32_t>::max();
}

Motion worst_of_ranks(const Motion& motion, MPI_Comm comm)
{
  std::array<double, 2> worst{ motion.farthest, motion.lost ? 1.0 : 0.0 };
  MPI_Allreduce(MPI_IN_PLACE, worst.data(), 2, MPI_DOUBLE, MPI_MAX, comm);
  return { worst[0], worst[1] != 0 };
}

bool on_any_rank(bool here, MPI_Comm comm)
{
  int any = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

} // namespace

Result<Simulation> Simulation::create(const SimulationOptions& options, MPI_Comm comm, const examples::RunRegion& run)
{
  if (const std::string trouble = trouble_of(options); !trouble.empty())
  {
    return tl::unexpected(trouble);
  }
  const double reach = kCutoff + options.skin;
  const Result<Domain> domain = Domain::create({ box_length(options.start), kCutoff, reach, options.ranks }, comm);
  if (!domain)
  {
    return tl::unexpected(domain.error());
  }
  if (on_any_rank(too_many(*domain, number_of_particles(options.start)), comm))
  {
    return tl::unexpected(std::string("a rank would have more than two thousand million particles: use more ranks"));
  }
  return Simulation(options, *domain, run);
}

Simulation::Simulation(const SimulationOptions& options, const Domain& domain, const examples::RunRegion& run)
  : options_(options)
  , potential_(potential_of(options.cut))
  , domain_(domain)
  , parallel_(run)
  , particles_(start(options.start, domain))
  , cells_(domain)
{
  renew_lists();
  find_forces(particles_, list_, potential_, parallel_);
  timings_ = {};
}

Result<void> Simulation::step()
{
  const double before = parallel_.seconds();
  const double total = timings_.total();
  const double limit = domain_.shortest_side();
  Motion motion =
      timed(timings_.integrate, [&] { return kick_and_drift(particles_, options_.time_step, limit, parallel_); });
  motion = timed(timings_.exchange, [&] { return worst_of_ranks(motion, domain_.comm()); });
  ++steps_;
  if (motion.lost)
  {
    return tl::unexpected("in step " + std::to_string(steps_) +
                          " a particle moved more than a cell, or to no number: the time step is too long");
  }
  // Two particles that move towards each other are then still listed.
  if (4 * motion.farthest > options_.skin * options_.skin)
  {
    renew_lists();
  }
  else
  {
    timed(timings_.exchange, [&] { halo_.update(particles_, domain_, parallel_); });
  }
  timed(timings_.force, [&] { find_forces(particles_, list_, potential_, parallel_); });
  timed(timings_.integrate, [&] { kick(particles_, options_.time_step, parallel_); });
  timings_.sequential += timings_.total() - total - (parallel_.seconds() - before);
  return {};
}

void Simulation::renew_lists()
{
  ++timings_.renewals;
  timed(timings_.exchange, [&] { timings_.migrated += migrate(particles_, domain_, parallel_); });
  timed(timings_.lists, [&] { cells_.sort(particles_, domain_, parallel_); });
  timed(timings_.exchange, [&] { halo_.build(particles_, cells_, domain_, parallel_); });
  timed(timings_.lists, [&] { list_.build(particles_, cells_, kCutoff + options_.skin, parallel_); });
}

Observables Simulation::observe()
{
  return timed(timings_.observe,
      [&]
      {
        PairSums pairs = find_sums(particles_, list_, potential_, parallel_);
        FixedSum kinetic = kinetic_energy(particles_, parallel_);
        std::array<std::int64_t, 6> sums{ pairs.energy.units, pairs.energy.lost, pairs.virial.units, pairs.virial.lost,
          kinetic.units, kinetic.lost };
        MPI_Allreduce(MPI_IN_PLACE, sums.data(), 6, MPI_INT64_T, MPI_SUM, domain_.comm());
        pairs.energy = { sums[0], sums[1] };
        pairs.virial = { sums[2], sums[3] };
        kinetic = { sums[4], sums[5] };
        const auto count = static_cast<double>(all_particles());
        Observables found;
        found.potential = pairs.energy.value() / count;
        found.kinetic = kinetic.value() / count;
        // The momentum is fixed, which leaves three degrees of freedom fewer.
        found.temperature = 2 * kinetic.value() / (3 * (count - 1));
        found.pressure = (2 * kinetic.value() + pairs.virial.value()) / (3 * domain_.volume());
        return found;
      });
}

void Simulation::reverse()
{
  for (std::vector<double>& velocity : particles_.velocity)
  {
    for (double& value : velocity)
    {
      value = -value;
    }
  }
}

} // namespace molecular_dynamics
