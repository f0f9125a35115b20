// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The times of a simulation that runs, as a filter sees them: it has one step at a time, and later ones come.
///
///     times.look_at(filter, *input_information);         // at each request
///     if (times.any()) all = times.with_next();          // times so far, and one that is still to come
///
/// Threads: the one that runs the pipeline.
#pragma once

#include <cstdint>
#include <vector>

class vtkAlgorithm;
class vtkInformation;

namespace rivulet
{

class SimulationTimes
{
public:
  /// Takes up the present time. Begins anew where time goes back. None if the input is not a simulation's.
  void look_at(vtkAlgorithm& filter, vtkInformation& input);

  /// Whether the input is a simulation's.
  [[nodiscard]] bool any() const { return !seen_.empty(); }
  /// Whether there is one step so far.
  [[nodiscard]] bool is_first() const { return seen_.size() == 1; }
  [[nodiscard]] double now() const { return seen_.back(); }
  /// Number of the present step among the steps that the filter has seen.
  [[nodiscard]] std::int32_t step() const { return static_cast<std::int32_t>(seen_.size()) - 1; }
  /// The times so far, and one that is still to come, so that particles pause before it and do not end.
  [[nodiscard]] std::vector<double> with_next() const;

private:
  std::vector<double> seen_;
};

} // namespace rivulet
