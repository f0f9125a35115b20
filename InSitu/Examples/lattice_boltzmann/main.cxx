// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Flow past a sphere, written as BOV time steps: `lattice_boltzmann --help`.
///
///     lattice_boltzmann --steps 1000 --out wake
///     mpiexec -n 2 lattice_boltzmann --threads 4
///     lattice_boltzmann --insitu film.json             analytics beside the flow
///
/// Files are the same for any number of threads and ranks. Rank 0 writes and prints. Exit codes are the same on all
/// ranks: 0; 1 for a wrong command line; 3 where a file cannot be written, or the flow has become unstable.
#include "BovWriter.h"
#include "CommandLine/CommandLine.h"
#include "Coupling.h"
#include "FlowSolver.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <optional>

namespace
{

using namespace lattice_boltzmann;
using Clock = std::chrono::steady_clock;

struct Settings
{
  std::vector<std::int32_t> size{ 144, 64, 64 };
  double diameter = 16;
  double reynolds = 300;
  double inflow = 0.1;
  int steps = 10000;
  double seconds = 0;
  int every = 0;
  int threads = 0;
  std::string out = "wake";
  std::string insitu; ///< configuration of analytics; empty: none
  bool quiet = false;
};

/// Returns the exit code if the program is to end. Only the rank that `prints` says why.
std::optional<int> read_command_line(int count, char** words, bool prints, Settings& settings)
{
  rivulet::cli::Program program(
      "Viscous flow past a sphere by the lattice Boltzmann method (D3Q19, two relaxation times).\n"
      "Writes OUT/velocity_STEP.bov and OUT/density/density_STEP.bov, each with a raw file of floats.\n"
      "Lengths in the files are sphere diameters from its centre; velocities are parts of the inflow;\n"
      "times are diameters travelled.");
  program.option("--size", settings.size, "cells along x (downstream), y and z").values(3, 3).show_default();
  program.option("--diameter", settings.diameter, "diameter of the sphere in cells")
      .in_range(4.0, 1000.0)
      .show_default();
  program.option("--reynolds", settings.reynolds, "inflow x diameter / viscosity; above 270 the wake sheds vortices")
      .in_range(1.0, 1000.0)
      .show_default();
  program.option("--inflow", settings.inflow, "inflow in cells per step; errors grow with its square")
      .in_range(0.001, 0.15)
      .show_default();
  program.option("--steps", settings.steps, "steps to run").in_range(2, 1 << 30).show_default();
  program.option("--seconds", settings.seconds, "stop after about so much time, whatever --steps says");
  program.option("--every", settings.every, "steps between outputs; 0 for two diameters' travel").non_negative();
  program.option("--threads", settings.threads, "threads of each rank; 0 for TBB's own choice").in_range(0, 4096);
  program.option("--out", settings.out, "folder for the output; made if it is not there").show_default();
  program.option("--insitu", settings.insitu,
      "configuration of analytics that run beside the flow; it then chooses the threads, too, and without "
      "--every no files are written");
  program.flag("-q,--quiet", settings.quiet, "no progress, only errors");
  if (const std::optional<int> code = program.parse_or_report(count, words, prints))
  {
    return *code == 0 ? 0 : 1;
  }
  return std::nullopt;
}

/// The reason why the settings cannot be used, or an empty string.
std::string trouble_of(const Settings& settings, int ranks)
{
  for (const std::int32_t side : settings.size)
  {
    if (side < 4 || side > 4096 || side < settings.diameter)
    {
      return "each side of --size must hold the sphere, 4 to 4096 cells";
    }
  }
  return ranks > settings.size[2] ? "there must be no more ranks than cells along z" : "";
}

/// The sphere is slightly off the middle, and run() adds a cross-wind, because a symmetric wake takes long to become
/// unstable.
FlowOptions options_of(const Settings& settings)
{
  FlowOptions options;
  options.size = { settings.size[0], settings.size[1], settings.size[2] };
  options.inflow = settings.inflow;
  options.viscosity = settings.inflow * settings.diameter / settings.reynolds;
  options.sphere.diameter = settings.diameter;
  options.sphere.centre = { 0.28 * options.size[0] + 0.3, 0.5 * options.size[1] - 0.13, 0.5 * options.size[2] - 0.29 };
  return options;
}

struct Ranks
{
  int rank = 0;
  int size = 1;
};

using PlaneReader = std::function<void(std::int32_t, std::span<float>)>;

constexpr int kPlaneTag = 100;
constexpr std::int32_t kNoMorePlanes = -1;

/// On rank 0: reads own planes, and asks their owners for others.
PlaneReader asking(const Slab& slab, const PlaneReader& own)
{
  return [&slab, own](std::int32_t z, std::span<float> out)
  {
    if (slab.owns(z))
    {
      own(z, out);
      return;
    }
    MPI_Send(&z, 1, MPI_INT32_T, slab.owner(z), kPlaneTag, MPI_COMM_WORLD);
    MPI_Recv(out.data(), static_cast<int>(out.size()), MPI_FLOAT, slab.owner(z), kPlaneTag, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
  };
}

/// On other ranks: answers rank 0 until it asks for no more.
void serve_planes(const Int3& size, std::size_t components, const PlaneReader& own)
{
  std::vector<float> plane(components * static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
  for (;;)
  {
    std::int32_t z = kNoMorePlanes;
    MPI_Recv(&z, 1, MPI_INT32_T, 0, kPlaneTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (z == kNoMorePlanes)
    {
      return;
    }
    own(z, plane);
    MPI_Send(plane.data(), static_cast<int>(plane.size()), MPI_FLOAT, 0, kPlaneTag, MPI_COMM_WORLD);
  }
}

void end_serving(int ranks)
{
  for (int rank = 1; rank < ranks; ++rank)
  {
    MPI_Send(&kNoMorePlanes, 1, MPI_INT32_T, rank, kPlaneTag, MPI_COMM_WORLD);
  }
}

/// Rank 0's value, on all ranks.
bool as_on_first_rank(bool here)
{
  int first = here ? 1 : 0;
  MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return first != 0;
}

double drag_coefficient(const FlowSolver& flow)
{
  const FlowOptions& options = flow.options();
  const double area = std::numbers::pi / 4 * options.sphere.diameter * options.sphere.diameter;
  return flow.force()[0] / (0.5 * options.inflow * options.inflow * area);
}

BovStep step_of(const FlowSolver& flow, const std::string& folder, const std::string& variable)
{
  const FlowOptions& options = flow.options();
  const double cell = 1 / options.sphere.diameter;
  char number[32];
  std::snprintf(number, sizeof number, "_%08lld", static_cast<long long>(flow.steps()));
  BovStep step;
  step.name = folder + "/" + variable + number;
  step.variable = variable;
  step.size = options.size;
  step.spacing = cell;
  step.time = static_cast<double>(flow.steps()) * options.inflow * cell;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    step.origin[axis] = -options.sphere.centre[axis] * cell;
  }
  return step;
}

/// Written by rank 0, which asks the others for their planes. Returns an error message on rank 0, or an empty string.
std::string write_output(const FlowSolver& flow, const std::string& folder, const Ranks& ranks)
{
  BovStep velocity = step_of(flow, folder, "velocity");
  velocity.components = 3;
  const float scale = static_cast<float>(1 / flow.options().inflow);
  const PlaneReader velocities = [&](std::int32_t z, std::span<float> out)
  {
    flow.velocity_plane(z, out);
    for (float& component : out)
    {
      component *= scale;
    }
  };
  const PlaneReader densities = [&](std::int32_t z, std::span<float> out)
  {
    flow.density_plane(z, out);
  };
  if (ranks.rank > 0)
  {
    serve_planes(flow.options().size, 3, velocities);
    serve_planes(flow.options().size, 1, densities);
    return {};
  }
  const std::string trouble = write_bov(velocity, asking(flow.slab(), velocities));
  end_serving(ranks.size);
  std::string second = trouble.empty()
                           ? write_bov(step_of(flow, folder + "/density", "density"), asking(flow.slab(), densities))
                           : trouble;
  end_serving(ranks.size);
  return second;
}

/// Progress as one line: redrawn in place on a terminal, printed every few seconds elsewhere.
class Progress
{
public:
  explicit Progress(const Settings& settings)
    : settings_(settings)
  {
  }

  [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  [[nodiscard]] bool out_of_time() const { return settings_.seconds > 0 && elapsed() >= settings_.seconds; }

  void show(const FlowSolver& flow, bool last)
  {
    const double now = elapsed();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    if (settings_.quiet || (!last && now - shown_ < (terminal ? 0.5 : 5.0)))
    {
      return;
    }
    shown_ = now;
    const double done = static_cast<double>(flow.steps());
    double left = now * (settings_.steps - done) / done;
    if (settings_.seconds > 0)
    {
      left = std::min(left, std::max(0.0, settings_.seconds - now));
    }
    std::fprintf(stderr, "%sstep %lld  %.1f MLUPS  drag coefficient %.3f  %.0f s left%s", terminal ? "\r" : "",
        static_cast<long long>(flow.steps()), 1e-6 * done * static_cast<double>(flow.cells()) / now,
        drag_coefficient(flow), left, terminal && !last ? "  " : "\n");
  }

private:
  const Settings& settings_;
  Clock::time_point began_ = Clock::now();
  double shown_ = 0;
};

bool writes_files(const Settings& settings)
{
  return settings.insitu.empty() || settings.every > 0;
}

/// Runs until the steps or the time are used up, and writes output at intervals and at the end. Returns an error
/// message, or an empty string.
std::string simulate(FlowSolver& flow, const Settings& settings, int every, const Ranks& ranks, Coupling* coupling)
{
  const int batch = coupling != nullptr ? 2 : 20; // steps of analytics are any even number
  const bool files = writes_files(settings);
  Progress progress(settings);
  std::int64_t next_output = every;
  for (bool last = false; !last;)
  {
    flow.advance(static_cast<int>(std::min<std::int64_t>(batch, settings.steps - flow.steps())));
    if (!std::isfinite(flow.force()[0]))
    {
      return "the flow has become unstable; choose a larger --diameter, or a smaller --reynolds or --inflow";
    }
    if (coupling != nullptr)
    {
      coupling->show(flow);
    }
    last = flow.steps() >= settings.steps || as_on_first_rank(progress.out_of_time());
    if (ranks.rank == 0)
    {
      progress.show(flow, last);
    }
    if (files && (last || flow.steps() >= next_output))
    {
      next_output += every;
      std::string trouble = write_output(flow, settings.out, ranks);
      if (as_on_first_rank(!trouble.empty()))
      {
        return trouble.empty() ? "rank 0 cannot write" : trouble;
      }
    }
  }
  return {};
}

/// Returns an error message, or an empty string.
std::string run(const Settings& settings, const Ranks& ranks)
{
  std::error_code error;
  if (ranks.rank == 0 && writes_files(settings))
  {
    std::filesystem::create_directories(settings.out + "/density", error);
  }
  if (as_on_first_rank(static_cast<bool>(error)))
  {
    return settings.out + ": " + error.message();
  }
  std::optional<Coupling> coupling;
  if (!settings.insitu.empty() && !coupling.emplace(settings.insitu, MPI_COMM_WORLD).message().empty())
  {
    return coupling->message();
  }
  std::optional<tbb::global_control> limit;
  if (settings.threads > 0 && !coupling)
  {
    limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(settings.threads));
  }
  tbb::task_arena arena(settings.threads > 0 ? settings.threads : static_cast<int>(tbb::task_arena::automatic));
  const Vec3 wind{ settings.inflow, 0.1 * settings.inflow, 0 };
  FlowSolver flow(
      options_of(settings), [wind](const Int3&) { return wind; }, MPI_COMM_WORLD,
      [&](const std::function<void()>& body) { coupling ? coupling->run(body) : arena.execute(body); });
  const int every = settings.every > 0 ? settings.every : static_cast<int>(2 * settings.diameter / settings.inflow);
  return simulate(flow, settings, every, ranks, coupling ? &*coupling : nullptr);
}

} // namespace

int main(int count, char** words)
{
  int threads = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &threads);
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  Settings settings;
  std::optional<int> code = read_command_line(count, words, ranks.rank == 0, settings);
  if (!code)
  {
    std::string trouble = trouble_of(settings, ranks.size);
    code = trouble.empty() ? 0 : 1;
    if (trouble.empty())
    {
      trouble = run(settings, ranks);
      code = trouble.empty() ? 0 : 3;
    }
    if (!trouble.empty() && ranks.rank == 0)
    {
      std::fprintf(stderr, "lattice_boltzmann: %s\n", trouble.c_str());
    }
  }
  MPI_Finalize();
  return *code;
}
