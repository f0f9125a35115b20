// SPDX-License-Identifier: BSD-3-Clause
// Flow past a sphere, written as BOV time steps: `lattice_boltzmann --help`.
#include "BovWriter.h"
#include "CommandLine/CommandLine.h"
#include "FlowSolver.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

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
  bool quiet = false;
};

int read_command_line(int count, char** words, Settings& settings)
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
  program.option("--threads", settings.threads, "threads; 0 for OpenMP's own choice").in_range(0, 4096);
  program.option("--out", settings.out, "folder for the output; made if it is not there").show_default();
  program.flag("-q,--quiet", settings.quiet, "no progress, only errors");
  if (const std::optional<int> code = program.parse_or_report(count, words))
  {
    return *code == 0 ? 0 : 1;
  }
  for (const std::int32_t side : settings.size)
  {
    if (side < 4 || side > 4096 || side < settings.diameter)
    {
      std::fprintf(stderr, "lattice_boltzmann: each side of --size must hold the sphere, 4 to 4096 cells\n");
      return 1;
    }
  }
  return -1;
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

std::string write_output(const FlowSolver& flow, const std::string& folder)
{
  BovStep velocity = step_of(flow, folder, "velocity");
  velocity.components = 3;
  const float scale = static_cast<float>(1 / flow.options().inflow);
  const std::string trouble = write_bov(velocity,
      [&](std::int32_t z, std::span<float> out)
      {
        flow.velocity_plane(z, out);
        for (float& component : out)
        {
          component *= scale;
        }
      });
  if (!trouble.empty())
  {
    return trouble;
  }
  return write_bov(step_of(flow, folder + "/density", "density"),
      [&](std::int32_t z, std::span<float> out) { flow.density_plane(z, out); });
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

/// Runs until the steps or the time are used up, and writes output at intervals and at the end. Returns an error
/// message, or an empty string.
std::string simulate(FlowSolver& flow, const Settings& settings, int every)
{
  constexpr int kBatch = 20;
  Progress progress(settings);
  std::int64_t next_output = every;
  for (bool last = false; !last;)
  {
    flow.advance(static_cast<int>(std::min<std::int64_t>(kBatch, settings.steps - flow.steps())));
    if (!std::isfinite(flow.force()[0]))
    {
      return "the flow has become unstable; choose a larger --diameter, or a smaller --reynolds or --inflow";
    }
    last = flow.steps() >= settings.steps || progress.out_of_time();
    progress.show(flow, last);
    if (last || flow.steps() >= next_output)
    {
      next_output += every;
      const std::string trouble = write_output(flow, settings.out);
      if (!trouble.empty())
      {
        return trouble;
      }
    }
  }
  return {};
}

int run(const Settings& settings)
{
#ifdef _OPENMP
  if (settings.threads > 0)
  {
    omp_set_num_threads(settings.threads);
  }
#endif
  std::error_code error;
  std::filesystem::create_directories(settings.out + "/density", error);
  if (error)
  {
    std::fprintf(stderr, "lattice_boltzmann: %s: %s\n", settings.out.c_str(), error.message().c_str());
    return 3;
  }
  const Vec3 wind{ settings.inflow, 0.1 * settings.inflow, 0 };
  FlowSolver flow(options_of(settings), [wind](const Int3&) { return wind; });
  const int every = settings.every > 0 ? settings.every : static_cast<int>(2 * settings.diameter / settings.inflow);
  const std::string trouble = simulate(flow, settings, every);
  if (!trouble.empty())
  {
    std::fprintf(stderr, "lattice_boltzmann: %s\n", trouble.c_str());
    return 3;
  }
  return 0;
}

} // namespace

int main(int count, char** words)
{
  Settings settings;
  const int status = read_command_line(count, words, settings);
  return status >= 0 ? status : run(settings);
}
