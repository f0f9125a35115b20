// SPDX-License-Identifier: BSD-3-Clause
// Traces through a field with several time steps, and prints times, requests and memory as one line of JSON for each
// run. Runs of unsteady.py are processes of this program.
//
//   trace_in_time FILE... --seeds SEEDS --start 0                      pathlines; SEEDS: positions, three doubles each
//   trace_in_time FILE... --lattice 401,201,1 --bounds 0 2 0 1 0 0     end states from the nodes of a lattice
//   ... --exponents                                                    and Lyapunov exponents
//   ... --exponents --tolerance 0.2 --levels 3                         with adaptive sampling
//
// --ends writes the positions of the end states, three doubles each; --write-exponents the exponents. --most-nodes
// traces the lattice in chunks of so many nodes, so that the end states need not fit into memory. --turns runs once for
// each line of standard input.
#include "CommandLine/CommandLine.h"
#include "Store/Field/OpenField.h"
#include "Tools/without_prefetch.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/FlowMap/AdaptiveMap.h"
#include "Trace/FlowMap/ExponentChunks.h"
#include "Trace/FlowMap/FlowMap.h"
#include "Trace/Pathlines.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/resource.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace
{

using namespace rivulet;

struct Arguments
{
  std::string local_cache;
  std::vector<std::string> paths;
  int strategy = 0;
  std::int64_t budget_mib = 0;
  int threads = 2;
  std::string seeds;
  std::vector<int> lattice;
  std::vector<std::string> bounds;
  bool exponents = false;
  std::int64_t most_nodes = 0;
  std::string ends;
  std::string write_exponents;
  SamplingRule sampling{ .tolerance = 0.0 };
  FlowMapTimes times{ .start = 0.0, .end = 0.0 };
  PathlineOptions options;
  int integrator = 2;
  int unit = 0;
  bool turns = false;
  std::string hints;
  bool without_prefetch = false;
};

/// Value of a counter in /proc/self/io.
std::int64_t count_of_io(const std::string& name)
{
  std::ifstream file("/proc/self/io");
  std::string key;
  std::int64_t value = 0;
  while (file >> key >> value)
  {
    if (key == name + ":")
    {
      return value;
    }
  }
  return 0;
}

double processor_seconds()
{
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time)
  {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Wall and processor seconds between start and stop, summed.
class Clock
{
public:
  void start()
  {
    wall_ -= now();
    processor_ -= processor_seconds();
  }
  void stop()
  {
    wall_ += now();
    processor_ += processor_seconds();
  }
  [[nodiscard]] nlohmann::json seconds() const { return { { "seconds", wall_ }, { "processor_seconds", processor_ } }; }

private:
  static double now()
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  double wall_ = 0.0;
  double processor_ = 0.0;
};

template <class Values>
std::string hash_of(const Values& values)
{
  char text[20];
  std::snprintf(text, sizeof text, "%016llx",
      static_cast<unsigned long long>(XXH3_64bits(values.data(), values.size() * sizeof(*values.data()))));
  return text;
}

Result<std::vector<PathSeed>> read_seeds(const Arguments& arguments)
{
  std::ifstream file(arguments.seeds, std::ios::binary);
  std::vector<PathSeed> seeds;
  Vec3 point;
  while (file.read(reinterpret_cast<char*>(point.data()), sizeof point))
  {
    seeds.push_back({ point, arguments.times.start });
  }
  if (seeds.empty())
  {
    return fail(ErrorCode::CannotRead, "there are no seeds", "write three doubles for each", arguments.seeds);
  }
  return seeds;
}

Grid lattice_of(const Arguments& arguments)
{
  Grid grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double low = std::stod(arguments.bounds.at(2 * axis));
    const double high = std::stod(arguments.bounds.at(2 * axis + 1));
    grid.nodes[axis] = arguments.lattice.at(axis);
    grid.origin[axis] = low;
    grid.spacing[axis] = grid.nodes[axis] > 1 ? (high - low) / (grid.nodes[axis] - 1) : 1.0;
  }
  return grid;
}

Result<nlohmann::json> trace_lines(const TraceField& field, const Arguments& arguments, Clock& clock)
{
  Result<std::vector<PathSeed>> seeds = read_seeds(arguments);
  if (!seeds)
  {
    return forward_error(seeds);
  }
  PathlineOptions options = arguments.options;
  options.last_time = arguments.times.end;
  clock.start();
  Result<TracedLines> lines = trace_pathlines(field, {}, *seeds, options, { arguments.threads, {} });
  clock.stop();
  if (!lines)
  {
    return forward_error(lines);
  }
  if (lines->data_error)
  {
    return tl::unexpected(*lines->data_error);
  }
  return nlohmann::json{ { "paths", lines->lines.size() }, { "steps", lines->statistics.integration_steps },
    { "parked", lines->statistics.parked }, { "stall_seconds", lines->statistics.stall_seconds },
    { "hash", hash_of(lines->points) } };
}

void write_exponents(ExponentChunks& chunks, const Arguments& arguments)
{
  if (!arguments.write_exponents.empty())
  {
    const Buffer<double>& exponents = chunks.exponents();
    std::ofstream(arguments.write_exponents, std::ios::binary)
        .write(reinterpret_cast<const char*>(exponents.data()),
            static_cast<std::streamsize>(exponents.size() * sizeof(double)));
  }
}

Result<nlohmann::json> trace_lattice(const TraceField& field, const Arguments& arguments, Clock& clock)
{
  const Grid lattice = lattice_of(arguments);
  const std::int64_t nodes = volume(lattice.nodes);
  const std::int64_t most_nodes = arguments.most_nodes > 0 ? arguments.most_nodes : nodes;
  clock.start();
  ExponentChunks chunks(lattice, { { 0, 0, 0 }, lattice.nodes }, most_nodes, {});
  clock.stop();
  std::ofstream file(arguments.ends, std::ios::binary);
  Result<AdvectionContext> context = flow_map_context(field, {}, arguments.times, arguments.options);
  if (!context)
  {
    return forward_error(context);
  }
  std::int64_t steps = 0;
  for (int i = 0; i < chunks.count(); ++i)
  {
    clock.start();
    FlowMapMarch march = arguments.exponents ? chunks.march(arguments.times)
                                             : FlowMapMarch(part_of(lattice, chunks.nodes(i)), arguments.times);
    Result<void> traced = march.go_on(*context, { arguments.threads, {} });
    FlowMap map = march.take();
    clock.stop();
    if (!traced)
    {
      return forward_error(traced);
    }
    if (map.data_error)
    {
      return tl::unexpected(*map.data_error);
    }
    steps += map.steps;
    const auto known = map.ends.size() - static_cast<std::size_t>(chunks.nodes(i).count());
    for (std::size_t node = known; !arguments.ends.empty() && node < map.ends.size(); ++node)
    {
      file.write(reinterpret_cast<const char*>(map.ends[node].point.data()), sizeof map.ends[node].point);
    }
    if (arguments.exponents)
    {
      clock.start();
      chunks.add(std::move(map), arguments.threads);
      clock.stop();
    }
  }
  nlohmann::json answer{ { "paths", nodes }, { "steps", steps }, { "chunks", chunks.count() } };
  if (arguments.exponents)
  {
    answer["particles"] = nodes;
    answer["hash"] = hash_of(chunks.exponents());
    write_exponents(chunks, arguments);
  }
  return answer;
}

/// Exponents on a lattice with adaptive sampling, in one tile.
Result<nlohmann::json> sample_lattice(const TraceField& field, const Arguments& arguments, Clock& clock)
{
  const Grid lattice = lattice_of(arguments);
  const RunOptions run{ arguments.threads, {} };
  clock.start();
  const Box all{ { 0, 0, 0 }, lattice.nodes };
  ExponentChunks chunks(lattice, all, std::vector<Box>{ all }, { .ends = false, .estimates = true });
  AdaptiveMap map(lattice, all, arguments.times, arguments.sampling);
  Result<AdvectionContext> context = flow_map_context(field, {}, arguments.times, arguments.options);
  if (!context)
  {
    return forward_error(context);
  }
  std::int64_t steps = 0;
  std::int64_t particles = 0;
  for (int pass = 0; pass < arguments.sampling.passes(); ++pass)
  {
    const std::vector<std::int64_t> nodes = map.choose(arguments.threads);
    FlowMapMarch march(map.lattice(), arguments.times, nodes);
    if (Result<void> traced = march.go_on(*context, run); !traced)
    {
      return forward_error(traced);
    }
    const FlowMap part = march.take();
    map.add(nodes, part.ends);
    steps += part.steps;
    particles += static_cast<std::int64_t>(nodes.size());
  }
  chunks.add(map.take(), arguments.threads);
  clock.stop();
  write_exponents(chunks, arguments);
  return nlohmann::json{ { "paths", volume(lattice.nodes) }, { "particles", particles }, { "steps", steps },
    { "hash", hash_of(chunks.exponents()) } };
}

/// One run, with its times.
Result<nlohmann::json> run(FileBricks& source, const Arguments& arguments)
{
  TraceField field;
  WithoutPrefetch without(source);
  field.velocity = { arguments.without_prefetch ? static_cast<BrickSource*>(&without) : &source, 0, 0 };
  field.grid = source.info().grid;
  const SourceStatistics before = source.statistics();
  const std::int64_t device_before = count_of_io("read_bytes");
  Clock clock;
  const auto trace = !arguments.seeds.empty()           ? trace_lines
                     : arguments.sampling.tolerance > 0 ? sample_lattice
                                                        : trace_lattice;
  Result<nlohmann::json> answer = trace(field, arguments, clock);
  if (!answer)
  {
    return answer;
  }
  answer->update(clock.seconds());
  const SourceStatistics after = source.statistics();
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  answer->update({ { "strategy", name_of(source.strategy()) }, { "reason", source.strategy_reason() },
      { "bytes_from_local_cache", after.bytes_from_local_cache - before.bytes_from_local_cache },
      { "prefetched", after.bricks_prefetched - before.bricks_prefetched },
      { "prefetched_used", after.prefetched_used - before.prefetched_used },
      { "asked", after.cache_misses - before.cache_misses }, { "bricks_read", after.bricks_read - before.bricks_read },
      { "bytes_read", after.bytes_read - before.bytes_read },
      { "device_bytes", count_of_io("read_bytes") - device_before }, { "peak_bytes", after.peak_bytes },
      { "largest_rss_mib", usage.ru_maxrss / 1024 } });
  return answer;
}

Result<void> run_all(Arguments& arguments)
{
  Result<std::shared_ptr<FileBricks>> opened =
      open_field(arguments.paths, { .strategy = static_cast<AccessStrategy>(arguments.strategy),
                                      .memory_budget = arguments.budget_mib << 20,
                                      .hints = arguments.hints,
                                      .local_cache = { arguments.local_cache, 0 } });
  if (!opened)
  {
    return forward_error(opened);
  }
  FileBricks& source = **opened;
  arguments.options.integrator = static_cast<Integrator>(arguments.integrator);
  arguments.options.step_unit = static_cast<StepUnit>(arguments.unit);
  arguments.options.compute_vorticity = false;
  arguments.options.terminal_speed = 0.0;
  if (arguments.times.end == arguments.times.start && !source.info().times.empty())
  {
    arguments.times.end = source.info().times.back();
  }
  std::string line;
  while (!arguments.turns || std::getline(std::cin, line))
  {
    Result<nlohmann::json> answer = run(source, arguments);
    if (!answer)
    {
      return forward_error(answer);
    }
    std::printf("%s\n", answer->dump().c_str());
    std::fflush(stdout);
    if (!arguments.turns)
    {
      break;
    }
  }
  return {};
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Traces through a field with several time steps.");
  program.option("file", arguments.paths).required();
  program.option("--strategy", arguments.strategy);
  program.option("--budget", arguments.budget_mib, "MiB");
  program.option("--threads", arguments.threads);
  program.option("--seeds", arguments.seeds, "file of positions");
  program.option("--lattice", arguments.lattice, "nodes along each axis").delimiter(',').values(3, 3);
  program.option("--bounds", arguments.bounds, "of the lattice").values(6, 6);
  program.flag("--exponents", arguments.exponents, "Lyapunov exponents on the lattice");
  program.option("--most-nodes", arguments.most_nodes, "of the lattice in memory; 0: all");
  program.option("--ends", arguments.ends, "file for the end states of the lattice");
  program.option("--write-exponents", arguments.write_exponents, "file for the exponents");
  program.option("--tolerance", arguments.sampling.tolerance, "of adaptive sampling; 0: all nodes are traced");
  program.option("--levels", arguments.sampling.levels, "of adaptive sampling");
  program.option("--start", arguments.times.start, "time of the release");
  program.option("--end", arguments.times.end, "time of the end; that of the start: the last step");
  program.option("--integrator", arguments.integrator, "0: Runge-Kutta 2, 1: 4, 2: 4-5");
  program.option("--unit", arguments.unit, "of steps; 0: time, 1: length, 2: diagonals of a cell");
  program.option("--step", arguments.options.initial_step);
  program.option("--smallest-step", arguments.options.minimum_step);
  program.option("--largest-step", arguments.options.maximum_step);
  program.option("--error", arguments.options.maximum_error, "of a step");
  program.option("--hints", arguments.hints, "folder for hints");
  program.option("--local-cache", arguments.local_cache, "folder of a local cache");
  program.flag("--without-prefetch", arguments.without_prefetch, "to compare with");
  program.flag("--turns", arguments.turns, "a run for each line of standard input");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  if (const Result<void> done = run_all(arguments); !done)
  {
    std::fprintf(stderr, "trace_in_time: %s\n", done.error().describe().c_str());
    return 1;
  }
  return 0;
}
