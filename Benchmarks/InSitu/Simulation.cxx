// SPDX-License-Identifier: BSD-3-Clause
#include "Simulation.h"

#include "Need.h"
#include "VirtualCores.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace rivulet::bench
{

namespace
{

constexpr std::size_t kValuesOfMib = (std::size_t{ 1 } << 20U) / sizeof(double);
constexpr std::size_t kSlices = 64;

/// In [0, 1), by a multiplicative hash: the same tasks in every run.
double fraction(std::int64_t step, int region, std::int64_t task)
{
  const auto key = static_cast<std::uint64_t>((step * 64 + region) * 1'000'000 + task);
  return static_cast<double>((key * 0x9E3779B97F4A7C15U) >> 40U) / static_cast<double>(1U << 24U);
}

} // namespace

Simulation::Simulation(const Shape& shape)
  : shape_(shape)
  , data_(shape.particles)
  , memory_(static_cast<std::size_t>(shape.memory_mib) * kValuesOfMib)
{
}

void Simulation::virtual_step(std::int64_t step, Coupling& coupling) const
{
  const double alone = shape_.sequential * shape_.step_seconds / (shape_.regions + 1);
  const double region_seconds = (1 - shape_.sequential) * shape_.step_seconds / shape_.regions;
  const auto tasks = std::llround(shape_.cores * region_seconds / shape_.task_seconds);
  for (int region = 0; region < shape_.regions; ++region)
  {
    work(alone);
    coupling.region(
        [&]
        {
          const auto task = [&](long long number)
          {
            work(shape_.task_seconds * (1 + shape_.uneven * (2 * fraction(step, region, number) - 1)));
          };
          tbb::parallel_for(0LL, tasks, task, tbb::simple_partitioner());
        });
  }
  work(alone);
}

void Simulation::real_step(Coupling& coupling)
{
  const std::size_t slice = memory_.size() / kSlices;
  for (int region = 0; region < shape_.regions; ++region)
  {
    coupling.region(
        [&]
        {
          const auto halve = [&](std::size_t number)
          {
            const auto first = memory_.begin() + static_cast<std::ptrdiff_t>(number * slice);
            std::transform(
                first, first + static_cast<std::ptrdiff_t>(slice), first, [](double value) { return 0.5 * value + 1; });
          };
          tbb::parallel_for(std::size_t{ 0 }, kSlices, halve);
        });
  }
}

/// a -> a / 2 + 1 leads from 0 to 2 - 2^(1 - n) in n regions.
void Simulation::check_memory()
{
  const double expected = 2 - std::ldexp(1.0, 1 - shape_.steps * shape_.regions);
  need(std::all_of(memory_.begin(), memory_.end(), [expected](double value) { return value == expected; }),
      "the simulation's own work went wrong");
}

RunTimes Simulation::run(Coupling& coupling, const std::string& configuration, const std::string& seen)
{
  set_virtual_cores(shape_.cores);
  std::fill(memory_.begin(), memory_.end(), 0.0);
  digests_.clear();
  coupling.begin(configuration, seen);
  RunTimes times;
  const double begin = now();
  for (std::int64_t step = 0; step < shape_.steps; ++step)
  {
    if (memory_.empty())
    {
      virtual_step(step, coupling);
    }
    else
    {
      real_step(coupling);
    }
    data_.advance(step);
    digests_.push_back(digest_of(data_.particles()));
    const double ready = now();
    coupling.hand_over(step, data_.particles());
    const double took = now() - ready;
    times.hand_over_seconds += took;
    times.longest_hand_over_seconds = std::max(times.longest_hand_over_seconds, took);
  }
  times.simulation_seconds = now() - begin;
  coupling.finish();
  times.seconds = now() - begin;
  check_memory();
  return times;
}

} // namespace rivulet::bench
