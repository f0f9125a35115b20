// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A virtual simulation, shaped as in Dirand et al. 2018, Fig. 2: each step is an alternation of sequential phases, in
/// which the master thread works alone, and parallel regions of many tasks.
///
///     | sequential | region | sequential | region | sequential | region | sequential | hand over | next step ...
///
/// A step takes Shape::step_seconds on N cores, but for tasks that end after others. With the defaults, 90 % of N cores
/// are busy, as for the code measured there.
///
/// With `memory_mib`, regions are real work instead, which reads and writes so much memory, and there are no sequential
/// phases.
///
///     Simulation simulation(shape);
///     const RunTimes times = simulation.run(coupling, "session.json", "out/seen.txt");
#pragma once

#include "Coupling.h"
#include "Particles.h"

namespace rivulet::bench
{

struct Shape
{
  int cores = 28; ///< N, which the lengths of regions are for; never how many threads there are
  int steps = 20;
  double step_seconds = 0.032;
  double sequential = 0.04;    ///< share of the step
  int regions = 3;             ///< of a step
  double task_seconds = 0.001; ///< mean
  double uneven = 0.5;         ///< tasks take between 1 - uneven and 1 + uneven of the mean
  std::int64_t particles = 20'000;
  int memory_mib = 0;
};

struct RunTimes
{
  double seconds = 0;            ///< until analytics have seen all steps
  double simulation_seconds = 0; ///< until the last step was handed over
  double hand_over_seconds = 0;  ///< waiting and copying included
  double longest_hand_over_seconds = 0;
};

class Simulation
{
public:
  explicit Simulation(const Shape& shape);

  /// Ends the program where the memory of real work is not as it must be.
  RunTimes run(Coupling& coupling, const std::string& configuration, const std::string& seen);
  /// Of the steps of the last run.
  [[nodiscard]] const std::vector<std::uint64_t>& digests() const { return digests_; }

private:
  void virtual_step(std::int64_t step, Coupling& coupling) const;
  void real_step(Coupling& coupling);
  void check_memory();

  Shape shape_;
  StepData data_;
  std::vector<std::uint64_t> digests_;
  std::vector<double> memory_;
};

} // namespace rivulet::bench
