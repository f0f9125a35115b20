// SPDX-License-Identifier: BSD-3-Clause
// openmp_executor
//
// Streamlines on the threads of an OpenMP parallel region, for programs that keep such threads anyway: an Executor of
// one's own is one function. Traces the same lines on Rivulet's threads and on OpenMP's, and says whether they have the
// same bytes, as they do with any executor.
#include "Parallel/Executor.h"
#include "Store/Source/ArrayBricks.h"
#include "Trace/Streamlines.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace
{

using namespace rivulet;

/// With hooks the region has one thread more than workers: the calling thread watches. Where OpenMP gives fewer threads
/// (inside another region, or at its limit), each runs several workers, one after the other.
class OpenMpExecutor final : public Executor
{
private:
  void run_all(SlicedRun& run) override
  {
    const int wanted = run.workers() + (run.watched() ? 1 : 0);
#pragma omp parallel num_threads(wanted)
    {
      const int threads = omp_get_num_threads();
      const bool caller_watches = run.watched() && threads > 1;
      const int first = omp_get_thread_num() - (caller_watches ? 1 : 0);
      if (first < 0)
      {
        run.watch_until(run.workers());
      }
      else
      {
        for (int worker = first; worker < run.workers(); worker += caller_watches ? threads - 1 : threads)
        {
          run.run_to_end(worker);
        }
      }
    }
  }
};

Grid cube()
{
  Grid grid;
  grid.nodes = { 33, 33, 33 };
  grid.origin = { -1.0, -1.0, -1.0 };
  grid.spacing = { 1.0 / 16, 1.0 / 16, 1.0 / 16 };
  return grid;
}

/// A vortex about the z axis that rises, three components for each node, i fastest.
std::vector<float> velocities(const Grid& grid)
{
  std::vector<float> values;
  for (std::int32_t k = 0; k < grid.nodes[2]; ++k)
  {
    for (std::int32_t j = 0; j < grid.nodes[1]; ++j)
    {
      for (std::int32_t i = 0; i < grid.nodes[0]; ++i)
      {
        values.push_back(static_cast<float>(-(grid.origin[1] + grid.spacing[1] * j)));
        values.push_back(static_cast<float>(grid.origin[0] + grid.spacing[0] * i));
        values.push_back(0.1F);
      }
    }
  }
  return values;
}

Result<TracedLines> trace(const TraceField& field, Executor* executor)
{
  constexpr int kSeeds = 200;
  std::vector<Vec3> seeds;
  seeds.reserve(kSeeds);
  for (int i = 0; i < kSeeds; ++i)
  {
    seeds.push_back({ 0.9 * std::cos(0.1 * i), 0.9 * std::sin(0.1 * i) * i / 200.0, -0.9 });
  }
  return trace_streamlines(field, seeds, {}, { .threads = 4, .progress = {}, .executor = executor });
}

} // namespace

int main()
{
  const Grid grid = cube();
  const std::vector<float> values = velocities(grid);
  ArrayBricks source(grid, { { { "velocity", ScalarType::Float32, 3, Centering::Node }, values.data() } });
  TraceField field;
  field.grid = grid;
  field.velocity = { &source, 0, 0 };

  OpenMpExecutor executor;
  const Result<TracedLines> on_threads = trace(field, nullptr);
  const Result<TracedLines> on_openmp = trace(field, &executor);
  for (const Result<TracedLines>* lines : { &on_threads, &on_openmp })
  {
    if (!*lines)
    {
      std::fprintf(stderr, "openmp_executor: %s\n", lines->error().describe().c_str());
      return 1;
    }
  }
  const bool same = std::ranges::equal(on_threads->points, on_openmp->points);
  std::printf("%zu lines of %zu points, %s on the threads of OpenMP\n", on_openmp->lines.size(),
      on_openmp->points.size() / 3, same ? "the same" : "NOT the same");
  return same && !on_openmp->lines.empty() ? 0 : 1;
}
