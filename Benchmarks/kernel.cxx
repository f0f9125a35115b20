// SPDX-License-Identifier: BSD-3-Clause
// How many integration steps a second does the tracer take, without a filter around it? ABC flow, 256^3 vectors in
// memory, 12 288 random seeds, forward, at most 1000 steps of 0.2 cell lengths: the workload of in_memory.py. Every run
// is checked first: the lines must be those that one thread traces.
//
//     bench_kernel --benchmark_filter='threads:2' --benchmark_repetitions=5 --benchmark_out=rows.csv
//     --benchmark_out_format=csv
#include "Store/ArrayBricks.h"
#include "Trace/Streamlines.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <random>

namespace
{

using namespace rivulet;

constexpr int kNodes = 256;
constexpr int kSeeds = 12288;

template <class Scalar>
std::vector<Scalar> abc_flow()
{
  std::vector<double> sine(kNodes);
  std::vector<double> cosine(kNodes);
  for (int i = 0; i < kNodes; ++i)
  {
    const double x = 2 * std::numbers::pi * i / (kNodes - 1);
    sine[static_cast<std::size_t>(i)] = std::sin(x);
    cosine[static_cast<std::size_t>(i)] = std::cos(x);
  }
  const double a = std::sqrt(3.0);
  const double b = std::sqrt(2.0);
  std::vector<Scalar> values;
  values.reserve(std::size_t{ 3 } * kNodes * kNodes * kNodes);
  for (std::size_t k = 0; k < kNodes; ++k)
  {
    for (std::size_t j = 0; j < kNodes; ++j)
    {
      for (std::size_t i = 0; i < kNodes; ++i)
      {
        values.push_back(static_cast<Scalar>(a * sine[k] + cosine[j]));
        values.push_back(static_cast<Scalar>(b * sine[i] + a * cosine[k]));
        values.push_back(static_cast<Scalar>(sine[j] + b * cosine[i]));
      }
    }
  }
  return values;
}

std::vector<Vec3> random_seeds()
{
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> anywhere(0.0, kNodes - 1.0);
  std::vector<Vec3> seeds(kSeeds);
  for (Vec3& seed : seeds)
  {
    seed = { anywhere(random), anywhere(random), anywhere(random) };
  }
  return seeds;
}

template <class Scalar>
TracedLines trace(const StreamlineOptions& options, int threads)
{
  static const std::vector<Scalar> values = abc_flow<Scalar>();
  Grid grid;
  grid.nodes = { kNodes, kNodes, kNodes };
  const ScalarType type = std::is_same_v<Scalar, float> ? ScalarType::Float32 : ScalarType::Float64;
  ArrayBricks bricks(grid, { { { "velocity", type, 3, Centering::Node }, values.data() } });
  TraceField field;
  field.velocity = { &bricks, 0, 0 };
  field.grid = grid;
  Result<TracedLines> lines = trace_streamlines(field, random_seeds(), options, { threads, {} });
  return std::move(*lines);
}

template <class Scalar>
void trace_steps(benchmark::State& state)
{
  StreamlineOptions options;
  options.integrator = static_cast<Integrator>(state.range(0));
  options.compute_vorticity = state.range(1) != 0;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 1e6;
  options.maximum_steps = 1000;
  const int threads = static_cast<int>(state.range(2));

  static std::map<std::pair<std::int64_t, std::int64_t>, std::vector<float>> expected;
  const auto key = std::make_pair(state.range(0), state.range(1));
  const auto points_of = [](const TracedLines& lines)
  {
    return std::vector<float>(lines.points.begin(), lines.points.end());
  };
  if (!expected.contains(key))
  {
    expected[key] = points_of(trace<Scalar>(options, 1));
  }
  if (points_of(trace<Scalar>(options, threads)) != expected[key])
  {
    state.SkipWithError("not the lines of one thread");
    return;
  }
  std::int64_t steps = 0;
  for (auto _ : state)
  {
    const TracedLines lines = trace<Scalar>(options, threads);
    steps += lines.statistics.integration_steps;
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

void workloads(benchmark::internal::Benchmark* bench)
{
  bench->ArgNames({ "integrator", "vorticity", "threads" })
      ->ArgsProduct({ { 0, 1, 2 }, { 0, 1 }, { 1, 2 } })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

BENCHMARK(trace_steps<float>)->Apply(workloads);
BENCHMARK(trace_steps<double>)->Apply(workloads);

} // namespace

BENCHMARK_MAIN();
