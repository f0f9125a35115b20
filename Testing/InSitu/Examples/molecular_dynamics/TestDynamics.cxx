// SPDX-License-Identifier: BSD-3-Clause
// Laws of motion, and states of the fluid against another code's.
#include "MdSupport.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{

using namespace md_test;

Simulation simulation_of(const SimulationOptions& options, const examples::RunRegion& run = {})
{
  return value_of(Simulation::create(options, MPI_COMM_SELF, run));
}

double energy(Simulation& simulation)
{
  const Observables found = simulation.observe();
  return found.potential + found.kinetic;
}

struct Errors
{
  double rms;   ///< of the total energy about its mean
  double drift; ///< between the means of the first and the last quarter
};

/// Over a time of 10, after a time of 2 in which the crystal melts.
Errors energy_errors(double time_step, Cut cut)
{
  Simulation simulation =
      simulation_of({ .start = { .size = { 5, 5, 5 }, .temperature = 1.6 }, .time_step = time_step, .cut = cut });
  advance(simulation, static_cast<int>(std::lround(2 / time_step)));
  const int steps = static_cast<int>(std::lround(10 / time_step));
  std::vector<double> energies;
  for (int step = 0; step < steps; ++step)
  {
    advance(simulation, 1);
    energies.push_back(energy(simulation));
  }
  const auto mean = [&](int begin, int end)
  {
    double sum = 0;
    for (int i = begin; i < end; ++i)
    {
      sum += energies[static_cast<std::size_t>(i)];
    }
    return sum / (end - begin);
  };
  double squares = 0;
  for (const double value : energies)
  {
    squares += std::pow(value - mean(0, steps), 2);
  }
  return { std::sqrt(squares / steps), mean(3 * steps / 4, steps) - mean(0, steps / 4) };
}

TEST(Dynamics, EnergyErrorIsOfSecondOrderInTheTimeStep)
{
  const Errors coarse = energy_errors(0.008, Cut::Smooth);
  const Errors fine = energy_errors(0.004, Cut::Smooth);
  EXPECT_LT(coarse.rms, 2e-3);
  // Velocity Verlet: 4, but for the part of the fluctuations that trajectories, which differ, sample.
  EXPECT_NEAR(coarse.rms / fine.rms, 4, 0.6);
  EXPECT_LT(std::abs(coarse.drift), coarse.rms);
  EXPECT_LT(std::abs(fine.drift), fine.rms);
}

TEST(Dynamics, MomentumIsConserved)
{
  Simulation simulation = simulation_of({ .start = { .size = { 5, 5, 5 }, .temperature = 2 } });
  advance(simulation, 1000);
  for (const std::vector<double>& velocity : simulation.particles().velocity)
  {
    double sum = 0;
    for (const double value : velocity)
    {
      sum += value;
    }
    EXPECT_NEAR(sum, 0, 500 * FixedSum::kUnit); // as at the start
  }
}

TEST(Dynamics, ReversedParticlesGoBack)
{
  Simulation simulation = simulation_of({ .start = { .size = { 5, 5, 5 }, .temperature = 1.5 } });
  const std::vector<State> before = all_states(simulation.particles(), MPI_COMM_SELF);
  advance(simulation, 200);
  const std::vector<State> far = all_states(simulation.particles(), MPI_COMM_SELF);
  EXPECT_GT(farthest(before, far, simulation.domain().length()), 0.2);
  simulation.reverse();
  advance(simulation, 200);
  // Rounding errors grow exponentially in a fluid: about e^(3 t), hence 1e-16 by 1e5 in two units of time.
  EXPECT_LT(farthest(before, all_states(simulation.particles(), MPI_COMM_SELF), simulation.domain().length()), 1e-9);
}

TEST(Dynamics, ListsWithASkinChangeNothingButRounding)
{
  const SimulationOptions options{ .start = { .size = { 5, 5, 5 } }, .skin = 0.5 };
  SimulationOptions always = options;
  always.skin = 0;
  Simulation with = simulation_of(options);
  Simulation without = simulation_of(always);
  advance(with, 100);
  advance(without, 100);
  EXPECT_EQ(without.timings().renewals, 100);
  EXPECT_LT(with.timings().renewals, 30);
  EXPECT_LT(farthest(all_states(with.particles(), MPI_COMM_SELF), all_states(without.particles(), MPI_COMM_SELF),
                with.domain().length()),
      1e-10);
}

TEST(Dynamics, SameBytesForAnyNumberOfThreads)
{
  std::vector<std::vector<State>> states;
  std::vector<double> energies;
  for (const int threads : { 1, 2, 4 })
  {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    Simulation simulation = simulation_of(
        { .start = { .size = { 9, 8, 7 } } }, [&](const std::function<void()>& body) { arena.execute(body); });
    advance(simulation, 60);
    states.push_back(all_states(simulation.particles(), MPI_COMM_SELF));
    energies.push_back(energy(simulation));
  }
  EXPECT_TRUE(states[0] == states[1]);
  EXPECT_TRUE(states[0] == states[2]);
  EXPECT_EQ(energies[0], energies[1]);
  EXPECT_EQ(energies[0], energies[2]);
}

TEST(Dynamics, AllLoopsRunWhereTheCallerWants)
{
  // No body of a loop runs outside the arena: it has a slot to itself, and other threads are not allowed in.
  tbb::task_arena arena(1);
  std::int64_t regions = 0;
  bool inside = false;
  Simulation simulation = simulation_of({ .start = { .size = { 4, 4, 4 } } },
      [&](const std::function<void()>& body)
      {
        ++regions;
        EXPECT_FALSE(inside);
        inside = true;
        arena.execute(body);
        inside = false;
      });
  const std::int64_t before = regions;
  advance(simulation, 10);
  EXPECT_GE(regions - before, 10 * 9); // motion, six sides of the halo, forces, kick
}

/// Plain energy of the cut potential, without the shift: the crystal has 54 neighbours within 2.5.
TEST(Fluid, CrystalIsThatOfLammps)
{
  Simulation simulation = simulation_of({ .start = { .size = { 20, 20, 20 } }, .cut = Cut::Shifted });
  const Observables found = simulation.observe();
  const double shift = 4 * (std::pow(2.5, -6) - std::pow(2.5, -12));
  // LAMMPS, bench/in.lj, step 0: Temp 1.44, E_pair -6.7733681, TotEng -4.6134356, Press -5.0197073.
  EXPECT_NEAR(found.temperature, 1.44, 1e-7);
  EXPECT_NEAR(found.potential - 27 * shift, -6.7733681, 1e-7);
  EXPECT_NEAR(found.potential - 27 * shift + found.kinetic, -4.6134356, 1e-7);
  EXPECT_NEAR(found.pressure, -5.0197073, 1e-6);
}

TEST(Fluid, MeltsAsThatOfLammps)
{
  Simulation simulation = simulation_of({ .start = { .size = { 20, 20, 20 } }, .cut = Cut::Shifted });
  // LAMMPS, bench/in.lj, steps 100, 200 and 300: Temp and Press, with other velocities of the same distribution. The
  // temperature of 32000 particles scatters by at most T sqrt(2 / 3N) = 0.0035, the difference of two runs by 0.005.
  // The pressure follows it: by 9.8 per unit of temperature (from the two states of LAMMPS in these tests).
  const std::array<std::array<double, 2>, 3> expected{ { { 0.7574531, 0.20726105 }, { 0.75953175, 0.20910575 },
      { 0.74624286, 0.32016436 } } };
  for (const auto& [temperature, pressure] : expected)
  {
    advance(simulation, 100);
    const Observables found = simulation.observe();
    EXPECT_NEAR(found.temperature, temperature, 0.015);
    EXPECT_NEAR(found.pressure, pressure, 0.15);
  }
}

TEST(Fluid, HasTheTemperatureAndPressureOfItsEnergy)
{
  // LAMMPS, lj/cut 2.5, density 0.8442, at a mean temperature of 1: E_pair -5.340, Press 2.577 (means over 10000s of
  // steps that differ by 0.002 and 0.01). A fluid of this energy must come to temperature 1: the crystal, of -6.7734,
  // starts with the difference as kinetic energy.
  const double start = 2.0 / 3 * (-5.340 + 1.5 + 6.7733681);
  Simulation simulation =
      simulation_of({ .start = { .size = { 10, 10, 10 }, .temperature = start }, .cut = Cut::Shifted });
  advance(simulation, 500);
  double temperature = 0;
  double pressure = 0;
  constexpr int kSamples = 60;
  for (int sample = 0; sample < kSamples; ++sample)
  {
    advance(simulation, 10);
    const Observables found = simulation.observe();
    temperature += found.temperature / kSamples;
    pressure += found.pressure / kSamples;
  }
  // The scatter of one sample is 0.013 for 4000 particles; samples a tenth of the time apart in which velocities change
  // are worth 10 to 20 of their number: 0.004. Three times that.
  EXPECT_NEAR(temperature, 1, 0.012);
  EXPECT_NEAR(pressure, 2.577, 0.12);
}

TEST(Dynamics, TellsOfATimeStepThatIsTooLong)
{
  Simulation simulation = simulation_of({ .start = { .size = { 4, 4, 4 } }, .time_step = 0.2 });
  Result<void> done;
  for (int step = 0; step < 100 && done; ++step)
  {
    done = simulation.step();
  }
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().find("moved more than a cell, or to no number: the time step is too long"), std::string::npos);
}

TEST(Dynamics, RefusesOptionsWithoutSense)
{
  const auto trouble = [](const SimulationOptions& options)
  {
    const Result<Simulation> made = Simulation::create(options, MPI_COMM_SELF);
    return made ? std::string() : made.error();
  };
  EXPECT_EQ(trouble({}), "");
  EXPECT_NE(trouble({ .start = { .size = { 0, 5, 5 } } }).find("lattice"), std::string::npos);
  EXPECT_NE(trouble({ .start = { .size = { 2, 5, 5 } } }).find("two cut-offs"), std::string::npos);
  EXPECT_NE(trouble({ .start = { .density = 0 } }).find("density"), std::string::npos);
  EXPECT_NE(trouble({ .start = { .density = std::nan("") } }).find("density"), std::string::npos);
  EXPECT_NE(trouble({ .start = { .temperature = -1 } }).find("temperature"), std::string::npos);
  EXPECT_NE(trouble({ .time_step = 0 }).find("time step"), std::string::npos);
  EXPECT_NE(trouble({ .skin = -0.1 }).find("skin"), std::string::npos);
  EXPECT_NE(trouble({ .start = { .size = { 60000, 60000, 60000 } } }).find("particles"), std::string::npos);
}

} // namespace
