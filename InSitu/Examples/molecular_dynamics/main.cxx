// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Molecular dynamics of a Lennard-Jones fluid: `molecular_dynamics --help`.
///
///     mpiexec -n 2 molecular_dynamics --size 40 40 40 --steps 500 --threads 2
///     mpiexec -n 2 molecular_dynamics --insitu insitu.json
///
/// The defaults are a state of the benchmark "lj" of LAMMPS: an fcc crystal of density 0.8442 at temperature 1.44,
/// which melts within some hundred steps.
///
/// Exit codes: 0; 1 for a wrong command line; 3 where the simulation cannot start or go on. They are the same on all
/// ranks; rank 0 alone prints.
#include "CommandLine/CommandLine.h"
#include "Coupling.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <cstdio>

namespace
{

using namespace molecular_dynamics;
using Clock = std::chrono::steady_clock;

struct Settings
{
  std::vector<std::int32_t> size{ 20, 20, 20 };
  std::vector<std::int32_t> ranks{ 0, 0, 0 };
  SimulationOptions simulation;
  std::string cut = "smooth";
  std::int64_t seed = 1;
  int steps = 1000;
  int every = 100;
  int threads = 0;
  std::string insitu;
};

/// Returns the exit code if the program is to end.
std::optional<int> read_command_line(int count, char** words, bool prints, Settings& settings)
{
  rivulet::cli::Program program("Molecular dynamics of a Lennard-Jones fluid in a periodic box, at constant energy.\n"
                                "Starts from an fcc crystal. Reduced units. Prints means over all particles.");
  program.option("--size", settings.size, "cells of the crystal along x, y and z, with four particles each")
      .values(3, 3)
      .show_default();
  program.option("--density", settings.simulation.start.density, "particles per volume").show_default();
  program.option("--temperature", settings.simulation.start.temperature, "of the crystal; half of it goes into melting")
      .show_default();
  program.option("--seed", settings.seed, "of the velocities").show_default();
  program
      .option(
          "--cut", settings.cut, "at 2.5: smooth, for a force without a jump, or shifted, as in most published results")
      .one_of({ "smooth", "shifted" })
      .show_default();
  program.option("--time-step", settings.simulation.time_step, "length of a step").show_default();
  program.option("--steps", settings.steps, "steps to run").in_range(0, 1 << 30).show_default();
  program.option("--every", settings.every, "steps between lines of the report; 0 for the first and the last only")
      .non_negative()
      .show_default();
  program.option("--skin", settings.simulation.skin, "how far beyond the cut-off neighbours are listed").show_default();
  program.option("--threads", settings.threads, "threads of each rank; 0 for TBB's own choice").in_range(0, 4096);
  program.option("--ranks", settings.ranks, "ranks along x, y and z; 0 0 0 for the best").values(3, 3);
  program.option("--insitu", settings.insitu,
      "configuration of analytics that run beside the simulation; it then chooses the threads, too");
  if (const std::optional<int> code = program.parse_or_report(count, words, prints))
  {
    return *code == 0 ? 0 : 1;
  }
  std::copy(settings.size.begin(), settings.size.end(), settings.simulation.start.size.begin());
  std::copy(settings.ranks.begin(), settings.ranks.end(), settings.simulation.ranks.begin());
  settings.simulation.start.seed = static_cast<std::uint64_t>(settings.seed);
  settings.simulation.cut = settings.cut == "smooth" ? Cut::Smooth : Cut::Shifted;
  return std::nullopt;
}

void print_line(const Simulation& simulation, const Observables& found)
{
  std::printf("%10lld %12.4f %12.6f %12.6f %12.7f %12.6f\n", static_cast<long long>(simulation.steps()),
      simulation.time(), found.temperature, found.potential, found.potential + found.kinetic, found.pressure);
  std::fflush(stdout);
}

/// Times are measured on rank 0.
void print_timings(const Simulation& simulation, double seconds, std::int64_t migrated)
{
  const Timings& spent = simulation.timings();
  const double steps = static_cast<double>(simulation.steps());
  const double total = spent.total();
  const auto share = [&](double part)
  {
    return total > 0 ? 100 * part / total : 0;
  };
  std::printf("\n%.3f s for %.0f steps; %.3f million particle steps per second\n", seconds, steps,
      1e-6 * static_cast<double>(simulation.all_particles()) * steps / seconds);
  std::printf("forces %.1f %%, lists %.1f %%, integration %.1f %%, exchange %.1f %%, report %.1f %%\n",
      share(spent.force), share(spent.lists), share(spent.integrate), share(spent.exchange), share(spent.observe));
  std::printf("outside parallel regions: %.1f %%; lists renewed %lld times; %lld particles moved to other ranks\n",
      share(spent.sequential), static_cast<long long>(spent.renewals), static_cast<long long>(migrated));
}

Result<void> simulate(Simulation& simulation, const Settings& settings, const Coupling* coupling, bool prints)
{
  if (prints)
  {
    const Int3& ranks = simulation.domain().ranks();
    std::printf("%lld particles on %d x %d x %d ranks\n", static_cast<long long>(simulation.all_particles()), ranks[0],
        ranks[1], ranks[2]);
    std::printf("%10s %12s %12s %12s %12s %12s\n", "step", "time", "temperature", "potential", "total", "pressure");
  }
  const auto began = Clock::now();
  for (int step = 0;; ++step)
  {
    if (step == 0 || step == settings.steps || (settings.every > 0 && step % settings.every == 0))
    {
      const Observables found = simulation.observe();
      if (prints)
      {
        print_line(simulation, found);
      }
    }
    if (coupling != nullptr)
    {
      coupling->show(simulation);
    }
    if (step == settings.steps)
    {
      break;
    }
    if (Result<void> done = simulation.step(); !done)
    {
      return done;
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  std::int64_t migrated = simulation.timings().migrated;
  MPI_Allreduce(MPI_IN_PLACE, &migrated, 1, MPI_INT64_T, MPI_SUM, simulation.domain().comm());
  if (prints)
  {
    print_timings(simulation, seconds, migrated);
  }
  return {};
}

/// With analytics, the runtime runs parallel regions; otherwise an arena of TBB does.
Result<void> run(const Settings& settings, bool prints)
{
  std::optional<Coupling> coupling;
  if (!settings.insitu.empty())
  {
    Result<Coupling> opened = Coupling::open(settings.insitu, MPI_COMM_WORLD);
    if (!opened)
    {
      return tl::unexpected("--insitu " + settings.insitu + ": " + opened.error());
    }
    coupling = std::move(*opened);
  }
  std::optional<tbb::global_control> limit;
  if (settings.threads > 0 && !coupling)
  {
    limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(settings.threads));
  }
  tbb::task_arena arena(settings.threads > 0 ? settings.threads : static_cast<int>(tbb::task_arena::automatic));
  const examples::RunRegion region = [&](const std::function<void()>& body)
  {
    coupling ? coupling->run(body) : arena.execute(body);
  };
  Result<Simulation> simulation = Simulation::create(settings.simulation, MPI_COMM_WORLD, region);
  if (!simulation)
  {
    return tl::unexpected(simulation.error());
  }
  return simulate(*simulation, settings, coupling ? &*coupling : nullptr, prints);
}

} // namespace

int main(int count, char** words)
{
  int threads = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &threads); // analytics may call MPI, too
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Settings settings;
  std::optional<int> code = read_command_line(count, words, rank == 0, settings);
  if (!code)
  {
    const Result<void> done = run(settings, rank == 0);
    if (!done && rank == 0)
    {
      std::fprintf(stderr, "molecular_dynamics: %s\n", done.error().c_str());
    }
    code = done ? 0 : 3;
  }
  MPI_Finalize();
  return *code;
}
