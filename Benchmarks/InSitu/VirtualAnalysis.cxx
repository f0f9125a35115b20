// SPDX-License-Identifier: BSD-3-Clause
#include "VirtualAnalysis.h"

#include "Need.h"
#include "VirtualCores.h"

#include <nlohmann/json.hpp>
#include <tbb/parallel_for.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace rivulet::bench
{

namespace
{

constexpr std::array kChanging{ "parallel", "histogram", "nested" };
constexpr std::int64_t kStepsOfKind = 10;

} // namespace

void Worker::work(double seconds)
{
  bench::work(seconds);
}

void Worker::pause(double seconds)
{
  bench::pause(seconds);
}

void Worker::reduce(std::int64_t /*bytes*/)
{
  stop("only a session has ranks that reduce");
}

void Worker::parallel(std::int64_t pieces, const std::function<void()>& body)
{
  tbb::parallel_for(
      std::int64_t{ 0 }, pieces, [&](std::int64_t) { body(); }, tbb::simple_partitioner());
}

void VirtualAnalysis::loop(double seconds, Worker& worker) const
{
  const auto pieces = std::max<std::int64_t>(std::llround(seconds / options_.piece_seconds), 1);
  const double each = seconds / static_cast<double>(pieces);
  worker.parallel(pieces, [&] { worker.work(each); });
}

void VirtualAnalysis::nested_loops(Worker& worker) const
{
  const double pieces = std::max(options_.seconds / options_.piece_seconds, 1.0);
  const auto inner = std::llround(std::sqrt(pieces));
  const auto outer = std::llround(pieces / static_cast<double>(inner));
  const double each = options_.seconds / static_cast<double>(inner * outer);
  tbb::parallel_for(
      0LL, outer, [&](long long) { tbb::parallel_for(0LL, inner, [&](long long) { worker.work(each); }); });
}

void VirtualAnalysis::histogram(Worker& worker) const
{
  for (int half = 0; half < 2; ++half)
  {
    loop(options_.seconds / 2, worker);
    if (options_.reduce_bytes > 0)
    {
      worker.reduce(options_.reduce_bytes);
    }
    else
    {
      worker.pause(options_.pause_seconds);
    }
  }
}

void VirtualAnalysis::run(std::int64_t step, Worker& worker) const
{
  const std::string kind = options_.kind == "changing"
                               ? kChanging[static_cast<std::size_t>(step / kStepsOfKind) % kChanging.size()]
                               : options_.kind;
  if (kind == "sequential")
  {
    worker.work(options_.seconds);
  }
  else if (kind == "parallel")
  {
    loop(options_.seconds, worker);
  }
  else if (kind == "nested")
  {
    nested_loops(worker);
  }
  else
  {
    histogram(worker);
  }
}

AnalysisOptions analysis_options(const std::string& json)
{
  const auto given = nlohmann::json::parse(json);
  AnalysisOptions options;
  options.kind = given.value("kind", options.kind);
  options.seconds = given.value("seconds", options.seconds);
  options.piece_seconds = given.value("piece_seconds", options.piece_seconds);
  options.pause_seconds = given.value("pause_seconds", options.pause_seconds);
  options.reduce_bytes = given.value("reduce_bytes", options.reduce_bytes);
  options.repeat = given.value("repeat", options.repeat);
  for (const char* const known : { "sequential", "parallel", "nested", "histogram", "changing" })
  {
    if (options.kind == known)
    {
      return options;
    }
  }
  throw std::invalid_argument("there are no analytics of the kind " + options.kind);
}

} // namespace rivulet::bench
