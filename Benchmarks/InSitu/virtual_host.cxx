// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The program of the benchmark insitu.py: a virtual simulation that is run again and again, coupled with virtual
/// analytics in one of several ways (Coupling.h).
///
///     virtual_host --cores 28 --coupling session
///     {"configuration": "dynamic-4.json", "seen": "out/seen.txt"}            <- a line of input for each run
///     {"seconds": 0.66, "simulation_seconds": 0.65, ...}                     -> a line of output
///
/// An empty configuration is a run without analytics. Otherwise the digests that analytics left in the file `seen` are
/// compared with those of the simulation before a time is printed; a difference ends the program. With several ranks,
/// alone or in a session, the first one reads and prints, and times are its own.
#include "Coupling.h"
#include "Need.h"
#include "Simulation.h"
#include "VirtualCores.h"

#include "CommandLine/CommandLine.h"

#include <mpi.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace
{

using namespace rivulet::bench;
using Json = nlohmann::ordered_json;

double processor_seconds()
{
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::int64_t peak_bytes()
{
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

Json one_run(const Json& question, Simulation& simulation, Coupling& coupling, const CouplingOptions& options)
{
  const std::string configuration = question.value("configuration", "");
  const std::string seen = question.value("seen", "");
  const double before = processor_seconds();
  const RunTimes times = simulation.run(coupling, configuration, seen);
  if (!seen.empty())
  {
    const std::string wrong = compare_with(seen, simulation.digests());
    need(wrong.empty(), wrong);
  }
  return { { "seconds", times.seconds }, { "simulation_seconds", times.simulation_seconds },
    { "hand_over_seconds", times.hand_over_seconds }, { "longest_hand_over_seconds", times.longest_hand_over_seconds },
    { "worked_seconds", worked_seconds() }, { "busy", worked_seconds() / (options.cores * times.seconds) },
    { "processor_seconds", processor_seconds() - before }, { "peak_bytes", peak_bytes() },
    { "other_peak_bytes", coupling.other_peak_bytes() } };
}

/// The first rank's next line, on all of them.
bool next_line(MPI_Comm ranks, std::string& line)
{
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  const bool more = rank > 0 || std::getline(std::cin, line);
  int length = more ? static_cast<int>(line.size()) : -1;
  MPI_Bcast(&length, 1, MPI_INT, 0, ranks);
  line.resize(static_cast<std::size_t>(std::max(length, 0)));
  MPI_Bcast(line.data(), static_cast<int>(line.size()), MPI_CHAR, 0, ranks);
  return length >= 0;
}

void serve(const Shape& shape, const CouplingOptions& options, Coupling& coupling)
{
  Simulation simulation(shape);
  const bool together = options.kind == "alone" || options.kind == "session";
  const MPI_Comm ranks = together ? MPI_COMM_WORLD : MPI_COMM_SELF;
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  for (std::string line; next_line(ranks, line);)
  {
    const Json question = line.empty() ? Json::object() : Json::parse(line);
    const Json answer = one_run(question, simulation, coupling, options);
    if (rank == 0)
    {
      std::cout << answer << std::endl;
    }
  }
}

void add_options(rivulet::cli::Program& program, Shape& shape, CouplingOptions& options)
{
  program.option("--cores", shape.cores, "virtual cores N").in_range(1, 1024);
  program.option("--threads", options.threads, "of the simulation: alone, suspended, stream; 0 for N")
      .in_range(0, 1024);
  program.option("--steps", shape.steps, "of a run").in_range(1, 1 << 20);
  program.option("--step-seconds", shape.step_seconds, "of a step without analytics").in_range(1e-4, 1e3);
  program.option("--sequential", shape.sequential, "share of the sequential phases of a step").in_range(0.0, 1.0);
  program.option("--regions", shape.regions, "parallel regions of a step").in_range(1, 63);
  program.option("--task-seconds", shape.task_seconds, "of a task").in_range(1e-5, 1e3);
  program.option("--uneven", shape.uneven, "difference of tasks from their mean, as a share of it").in_range(0.0, 1.0);
  program.option("--particles", shape.particles, "that are handed over");
  program.option("--memory-mib", shape.memory_mib, "of real work instead of virtual").in_range(0, 1 << 16);
  program.option("--coupling", options.kind, "alone, session, dedicated, suspended or stream");
  program.option("--helpers", options.helpers, "cores of analytics: dedicated, suspended, stream").in_range(0, 1024);
  program.option("--buffers", options.buffers, "steps that wait for analytics: dedicated, suspended").in_range(1, 4096);
  program.option("--analysis", options.analysis, "JSON for analytics of dedicated, suspended, stream");
  program.option("--program", options.program, "of analytics: suspended, stream");
  program.option("--threshold", options.threshold, "shortest phase, in seconds, that resumes a suspended process");
  program.option("--adios", options.adios, "path of libadios2_c.so, for stream");
}

} // namespace

int main(int argc, char** argv)
{
  Shape shape;
  CouplingOptions options;
  rivulet::cli::Program program("Runs a virtual simulation for each line of input.");
  add_options(program, shape, options);
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  options.cores = shape.cores;
  options.threads = options.threads == 0 ? shape.cores : options.threads;
  options.particles = shape.particles;
  const bool before_mpi = options.kind == "suspended" || options.kind == "stream";
  std::unique_ptr<Coupling> coupling = before_mpi ? make_coupling(options) : nullptr;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  coupling = coupling ? std::move(coupling) : make_coupling(options);
  serve(shape, options, *coupling);
  coupling.reset();
  MPI_Finalize();
  return 0;
}
