// SPDX-License-Identifier: BSD-3-Clause
// time_analytics PARTICLES REPEATS
//
// Seconds that each analytics of particles takes on one rank with one and with two threads, in turns: the median and
// the range of REPEATS runs. The particles are an ideal gas in a periodic cube, sorted by cells as a simulation has
// them, with a cutoff of about 50 neighbours. Files go to a folder under TMPDIR.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/PluginHost.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <oneapi/tbb/global_control.h>

namespace
{

using namespace rivulet;
using namespace rivulet::test;

double seconds_of(PluginHost& host, const rivulet_snapshot& snapshot)
{
  const auto begin = std::chrono::steady_clock::now();
  if (host.execute(snapshot) != 0)
  {
    std::fprintf(stderr, "%s", host.said().c_str());
    std::exit(1);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void time_one(const std::string& name, const std::string& options, const rivulet_snapshot& snapshot, int repeats)
{
  const TemporaryFolder folder;
  PluginHost one(name, options, { .output = folder.path(), .slots = 1 });
  PluginHost two(name, options, { .output = folder.path(), .slots = 2 });
  std::array<std::vector<double>, 2> seconds;
  for (int repeat = -1; repeat < repeats; ++repeat) // the first pair warms up
  {
    const std::array<double, 2> pair{ seconds_of(one, snapshot), seconds_of(two, snapshot) };
    for (std::size_t i = 0; repeat >= 0 && i < 2; ++i)
    {
      seconds[i].push_back(pair[i]);
    }
  }
  std::printf("%-15s", name.c_str());
  for (std::vector<double>& times : seconds)
  {
    std::sort(times.begin(), times.end());
    std::printf("  %8.4f [%8.4f, %8.4f]", times[times.size() / 2], times.front(), times.back());
  }
  std::printf("  %s\n", options.c_str());
}

/// Particles in the order of 64^3 cells.
Atoms sorted_gas(std::size_t count)
{
  Atoms atoms = ideal_gas(count, { 0, 0, 0 }, { 1, 1, 1 });
  atoms.periodic.fill(1);
  const auto cell = [](const Vec3& at)
  {
    return std::array{ std::floor(64 * at[2]), std::floor(64 * at[1]), std::floor(64 * at[0]) };
  };
  std::sort(atoms.at.begin(), atoms.at.end(), [&](const Vec3& a, const Vec3& b) { return cell(a) < cell(b); });
  return atoms;
}

} // namespace

int main(int argc, char** argv)
{
  const auto count = argc == 3 ? std::strtoul(argv[1], nullptr, 10) : 0;
  const int repeats = argc == 3 ? std::atoi(argv[2]) : 0;
  if (count < 1 || repeats < 1)
  {
    std::fputs("usage: time_analytics PARTICLES REPEATS\n", stderr);
    return 1;
  }
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 2);
  {
    const AtomsSnapshot shown(sorted_gas(count));
    const double cutoff = std::cbrt(50.0 * 3.0 / (4.0 * std::numbers::pi * static_cast<double>(count)));
    std::printf("%lu particles; median [least, most] seconds with one thread, and with two\n", count);
    time_one("statistics", R"({"of": ["x", "y", "z"], "parallel": false})", *shown, repeats);
    time_one("statistics", R"({"of": ["x", "y", "z"]})", *shown, repeats);
    time_one("statistics", "{}", *shown, repeats);
    time_one("histogram", "{}", *shown, repeats);
    time_one("radial", R"({"cutoff": )" + std::to_string(cutoff) + "}", *shown, repeats);
    time_one("write_dat", "{}", *shown, std::min(repeats, 3));
    const AtomsSnapshot few(sorted_gas(std::min(count, 40'000UL)));
    time_one("radial", R"({"all_pairs": true})", *few, repeats);
  }
  MPI_Finalize();
  return 0;
}
