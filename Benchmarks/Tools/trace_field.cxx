// SPDX-License-Identifier: BSD-3-Clause
// Traces through a field on disk and prints time, requests and memory as one line of JSON. Runs of outofcore.py are
// processes of this program.
//
//   trace_field FILE... --seeds SEEDS --strategy 4 --budget 128 --threads 2 --steps 4096
//   trace_field FILE... --seeds SEEDS --spinning FASTER_THAN --count 3072
//
// SEEDS holds positions, three doubles each. --spinning writes it, with positions of a vorticity larger than the value.
// --points writes the lines: for each seed its number of points as a 64-bit integer, then the points as floats.
// --chunk and --kernel take the place of the strategies: Study/ChunkedBricks.h, Study/KernelMapping.h. Runs of
// study.py are processes of this program, too.
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Store/Field/OpenField.h"
#include "Study/ChunkedBricks.h"
#include "Study/KernelMapping.h"
#include "Tools/without_prefetch.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Streamlines.h"
#include "Trace/VortexSeeds.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace
{

using namespace rivulet;

struct Arguments
{
  std::vector<std::string> paths;
  int strategy = 0;
  std::int64_t budget_mib = 0;
  int threads = 2;
  std::string seeds;
  std::int64_t count = 3072;
  std::int64_t steps = 4096;
  double spinning = 0.0;
  double step = 0.2;
  std::string points;
  std::string hints;
  std::string local_cache;
  bool without_prefetch = false;
  std::int64_t chunk = 0;
  int banks = 0;
  bool standard = false;
  bool kernel = false;
  double drop_every = 0.0;
};

/// Writes to as much memory as a run may use, and frees it. The host of a virtual machine takes free memory back within
/// a second, and its next use takes longer than a read of a disk: a cold run would pay for that by chance.
void take_memory(std::int64_t budget)
{
  constexpr std::int64_t kMost = std::int64_t{ 2 } << 30;
  constexpr std::size_t kPageOfAll = 4096;
  const auto size = static_cast<std::size_t>(std::min(budget / 2 * 3, kMost));
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (size == 0 || memory == MAP_FAILED)
  {
    return;
  }
  ::madvise(memory, size, MADV_HUGEPAGE);
  for (std::size_t at = 0; at < size; at += kPageOfAll)
  {
    static_cast<volatile char*>(memory)[at] = 1;
  }
  ::munmap(memory, size);
}

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

Result<std::vector<Vec3>> read_seeds(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  std::vector<Vec3> seeds;
  Vec3 seed;
  while (file.read(reinterpret_cast<char*>(seed.data()), sizeof seed))
  {
    seeds.push_back(seed);
  }
  if (seeds.empty())
  {
    return fail(ErrorCode::CannotRead, "there are no seeds", "make them with --spinning", path);
  }
  return seeds;
}

Result<nlohmann::json> write_spinning_seeds(const TraceField& field, const Arguments& arguments)
{
  Result<VortexSeeds> found =
      find_vortex_seeds(field, { .minimum = arguments.spinning, .count = arguments.count }, { arguments.threads, {} });
  if (!found)
  {
    return forward_error(found);
  }
  std::ofstream file(arguments.seeds, std::ios::binary);
  for (const VortexSeed& seed : found->seeds)
  {
    file.write(reinterpret_cast<const char*>(seed.position.data()), sizeof seed.position);
  }
  return nlohmann::json{ { "seeds", found->seeds.size() }, { "cells_in_range", found->cells_in_range } };
}

std::string hash_of(const TracedLines& lines)
{
  const XXH64_hash_t points = XXH3_64bits(lines.points.data(), lines.points.size() * sizeof(float));
  const XXH64_hash_t times = XXH3_64bits(lines.time.data(), lines.time.size() * sizeof(double));
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(points),
      static_cast<unsigned long long>(times));
  return text;
}

/// An open field, and the way it is read.
struct Opened
{
  std::shared_ptr<BrickSource> source;
  std::shared_ptr<FileBricks> with_strategy{}; ///< the same, or nullptr for the ways of the study
};

Result<Opened> open(const Arguments& arguments)
{
  const auto opened = [](auto&& source)
  {
    return source ? Result<Opened>(Opened{ std::move(*source) }) : forward_error(source);
  };
  if (arguments.kernel)
  {
    return opened(KernelMapping::open(arguments.paths.front(), arguments.drop_every));
  }
  if (arguments.chunk > 0)
  {
    return opened(ChunkedBricks::open(arguments.paths.front(), { .records = arguments.chunk,
                                                                   .direct = !arguments.standard,
                                                                   .banks = arguments.banks,
                                                                   .memory_budget = arguments.budget_mib << 20 }));
  }
  Result<std::shared_ptr<FileBricks>> field =
      open_field(arguments.paths, { .strategy = static_cast<AccessStrategy>(arguments.strategy),
                                      .memory_budget = arguments.budget_mib << 20,
                                      .hints = arguments.hints,
                                      .local_cache = { arguments.local_cache, 0 } });
  return field ? Result<Opened>(Opened{ *field, *field }) : forward_error(field);
}

Result<void> write_points(const TracedLines& lines, const std::string& path)
{
  std::vector<const TracedLine*> of_seed(lines.seeds.size(), nullptr);
  for (const TracedLine& line : lines.lines)
  {
    of_seed[static_cast<std::size_t>(line.seed)] = &line;
  }
  std::ofstream file(path, std::ios::binary);
  for (const TracedLine* line : of_seed)
  {
    const std::int64_t count = line != nullptr ? line->points : 0;
    file.write(reinterpret_cast<const char*>(&count), sizeof count);
    if (line != nullptr)
    {
      file.write(reinterpret_cast<const char*>(lines.points.data() + 3 * line->first_point),
          static_cast<std::streamsize>(3 * count * static_cast<std::int64_t>(sizeof(float))));
    }
  }
  return file.flush() ? Result<void>{} : fail(ErrorCode::CannotWrite, "the lines cannot be written", "make room", path);
}

/// Makes the field that of a curvilinear grid, whose nodes are in the same file.
Result<void> bend(FileBricks& source, TraceField& field)
{
  const std::int32_t points = source.info().points;
  const Result<std::vector<PlacesMeasure>> places = source.brick_places(0);
  Result<std::shared_ptr<const CurvilinearGrid>> nodes =
      places ? CurvilinearGrid::create({ &source, points, 0 }, *places) : tl::unexpected(places.error());
  if (!nodes)
  {
    return forward_error(nodes);
  }
  field.curvilinear = *nodes;
  const ValueRanges& bounds = source.info().ranges[static_cast<std::size_t>(points)];
  Grid box;
  box.nodes = field.grid.nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto& [low, high] = bounds.components[axis];
    box.origin[axis] = low;
    box.spacing[axis] = (high - low) / (box.nodes[axis] - 1);
  }
  field.grid = box;
  return {};
}

Result<nlohmann::json> run(const Arguments& arguments)
{
  Result<Opened> opened = open(arguments);
  if (!opened)
  {
    return forward_error(opened);
  }
  BrickSource& source = *opened->source;
  TraceField field;
  WithoutPrefetch without(source);
  field.velocity = { arguments.without_prefetch ? &without : &source, 0, 0 };
  field.grid = source.info().grid;
  if (Result<void> bent = opened->with_strategy != nullptr && source.info().points >= 0
                              ? bend(*opened->with_strategy, field)
                              : Result<void>();
      !bent)
  {
    return forward_error(bent);
  }
  if (arguments.spinning > 0.0)
  {
    return write_spinning_seeds(field, arguments);
  }
  Result<std::vector<Vec3>> seeds = read_seeds(arguments.seeds);
  if (!seeds)
  {
    return forward_error(seeds);
  }
  StreamlineOptions options;
  options.integrator = Integrator::RungeKutta4;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 1e9;
  options.maximum_steps = arguments.steps;
  options.initial_step = arguments.step;
  options.compute_vorticity = false;
  take_memory(arguments.budget_mib << 20);
  const SourceStatistics before = source.statistics();
  const std::int64_t device_before = count_of_io("read_bytes");
  Result<TracedLines> lines = trace_streamlines(field, *seeds, options, { arguments.threads, {} });
  if (!lines)
  {
    return forward_error(lines);
  }
  if (lines->data_error)
  {
    return tl::unexpected(*lines->data_error);
  }
  if (!arguments.points.empty())
  {
    if (Result<void> written = write_points(*lines, arguments.points); !written)
    {
      return forward_error(written);
    }
  }
  const SourceStatistics after = source.statistics();
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const FileBricks* file = opened->with_strategy.get();
  return nlohmann::json{ { "strategy", file != nullptr ? name_of(file->strategy()) : "" },
    { "reason", file != nullptr ? file->strategy_reason() : "" }, { "seconds", lines->statistics.trace_seconds },
    { "steps", lines->statistics.integration_steps }, { "lines", lines->lines.size() },
    { "parked", lines->statistics.parked }, { "stall_seconds", lines->statistics.stall_seconds },
    { "bricks_read", after.bricks_read - before.bricks_read },
    { "prefetched", after.bricks_prefetched - before.bricks_prefetched },
    { "prefetched_used", after.prefetched_used - before.prefetched_used },
    { "hits", after.cache_hits - before.cache_hits }, { "asked", after.cache_misses - before.cache_misses },
    { "bytes_read", after.bytes_read - before.bytes_read },
    { "bytes_from_local_cache", after.bytes_from_local_cache - before.bytes_from_local_cache },
    { "device_bytes", count_of_io("read_bytes") - device_before }, { "peak_bytes", after.peak_bytes },
    { "largest_rss_mib", usage.ru_maxrss / 1024 }, { "hash", hash_of(*lines) } };
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Traces through a field on disk.");
  program.option("file", arguments.paths).required();
  program.option("--strategy", arguments.strategy);
  program.option("--budget", arguments.budget_mib, "MiB");
  program.option("--threads", arguments.threads);
  program.option("--seeds", arguments.seeds, "file of positions").required();
  program.option("--count", arguments.count, "seeds to write");
  program.option("--steps", arguments.steps);
  program.option("--step", arguments.step, "diagonals of a cell");
  program.option("--hints", arguments.hints, "folder for hints");
  program.option("--local-cache", arguments.local_cache, "folder of a local cache");
  program.flag("--without-prefetch", arguments.without_prefetch, "to compare with");
  program.option("--chunk", arguments.chunk, "records of a chunk, of a cache that threads fill");
  program.option("--banks", arguments.banks, "parts of that cache");
  program.flag("--standard", arguments.standard, "chunks are read through the page cache");
  program.flag("--kernel", arguments.kernel, "a mapping that the kernel manages");
  program.option("--drop-every", arguments.drop_every, "seconds between two drops of its pages");
  program.option("--points", arguments.points, "file for the lines");
  program.option("--spinning", arguments.spinning, "write seeds where the vorticity is larger than this");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  const auto answer = run(arguments);
  if (!answer)
  {
    std::fprintf(stderr, "trace_field: %s\n", answer.error().describe().c_str());
    return 1;
  }
  std::printf("%s\n", answer->dump().c_str());
  return 0;
}
