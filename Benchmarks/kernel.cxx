// SPDX-License-Identifier: BSD-3-Clause
// How many integration steps a second does the tracer take, without a filter around it? Workload of in_memory.py: ABC
// flow, 256^3 vectors in memory, 12 288 random seeds, forward, at most 1000 steps of 0.2 cell lengths. The same for
// pathlines between two time levels, with two samples for each evaluation. Each run first checks that its lines are
// those of one thread.
//
//     ./run bench kernel --benchmark_filter='threads:2'
#include "Store/Source/ArrayBricks.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Pathlines.h"
#include "Trace/Streamlines.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
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

/// Field with two time levels, from two arrays in memory.
class TwoLevels final : public BrickSource
{
public:
  TwoLevels(BrickSource& first, BrickSource& second, double duration)
    : levels_{ &first, &second }
    , info_(first.info())
  {
    info_.times = { 0.0, duration };
  }
  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return levels_[0]->bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    return levels_[static_cast<std::size_t>(key.step)]->try_get({ key.variable, 0, key.index });
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  std::array<BrickSource*, 2> levels_;
  FieldInfo info_;
};

/// The flow at two times.
template <class Scalar>
TracedLines trace_paths(const PathlineOptions& options, int threads)
{
  static const std::vector<Scalar> values = abc_flow<Scalar>();
  static const std::vector<Scalar> later(values.rbegin(), values.rend());
  Grid grid;
  grid.nodes = { kNodes, kNodes, kNodes };
  const ScalarType type = std::is_same_v<Scalar, float> ? ScalarType::Float32 : ScalarType::Float64;
  ArrayBricks first(grid, { { { "velocity", type, 3, Centering::Node }, values.data() } });
  ArrayBricks second(grid, { { { "velocity", type, 3, Centering::Node }, later.data() } });
  TwoLevels bricks(first, second, 1000.0);
  TraceField field;
  field.velocity = { &bricks, 0, 0 };
  field.grid = grid;
  std::vector<PathSeed> seeds;
  for (const Vec3& point : random_seeds())
  {
    seeds.push_back({ .point = point });
  }
  Result<TracedLines> lines = trace_pathlines(field, {}, seeds, options, { threads, {} });
  return std::move(*lines);
}

template <class Options>
Options options_of(const benchmark::State& state)
{
  Options options;
  options.integrator = static_cast<Integrator>(state.range(0));
  options.compute_vorticity = state.range(1) != 0;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 1e6;
  options.maximum_steps = 1000;
  return options;
}

/// `trace`: function that takes a number of threads and returns lines.
template <class Trace>
void measure(benchmark::State& state, const Trace& trace)
{
  const int threads = static_cast<int>(state.range(2));
  {
    const TracedLines expected = trace(1);
    const TracedLines lines = trace(threads);
    if (!std::equal(lines.points.begin(), lines.points.end(), expected.points.begin(), expected.points.end()))
    {
      state.SkipWithError("not the lines of one thread");
      return;
    }
  }
  std::int64_t steps = 0;
  for (auto _ : state)
  {
    const TracedLines lines = trace(threads);
    steps += lines.statistics.integration_steps;
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

template <class Scalar>
void trace_steps(benchmark::State& state)
{
  const auto options = options_of<StreamlineOptions>(state);
  measure(state, [&](int threads) { return trace<Scalar>(options, threads); });
}

template <class Scalar>
void trace_steps_in_time(benchmark::State& state)
{
  const auto options = options_of<PathlineOptions>(state);
  measure(state, [&](int threads) { return trace_paths<Scalar>(options, threads); });
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
BENCHMARK(trace_steps_in_time<float>)->Apply(workloads);
BENCHMARK(trace_steps_in_time<double>)->Apply(workloads);

} // namespace

BENCHMARK_MAIN();
