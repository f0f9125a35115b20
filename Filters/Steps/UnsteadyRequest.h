// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// State that an unsteady filter keeps from request to request, and progress of the present request.
///
/// Threads: the one that runs the pipeline.
#pragma once

#include "Filters/Run/RunReport.h"
#include "Filters/Steps/FlowSteps.h"
#include "Filters/Steps/OtherInputs.h"
#include "Filters/Steps/SimulationTimes.h"
#include "Filters/Steps/UnsteadyWork.h"

#include <chrono>
#include <memory>
#include <vector>

class vtkAlgorithm;
class vtkInformation;

namespace rivulet
{

/// Work and steps that are kept between requests, and the state of the present request, which may take several
/// executions of the input's pipeline.
struct UnsteadyRequest
{
  vtkMTimeType settings = 0; ///< MTime of the filter
  vtkMTimeType input = 0;    ///< MTime of the pipeline of port 0
  vtkMTimeType seeds = 0;    ///< MTime of the pipeline of port 1
  std::unique_ptr<FlowSteps> steps;
  std::unique_ptr<UnsteadyWork> work; ///< refers to the steps
  WorkTraits traits;                  ///< of the work, since the beginning of the request
  OtherInputs others;

  bool under_way = false;
  bool seeds_wanted = false; ///< whether seeds at other times are collected, before the request is under way
  bool serves = false;       ///< whether results of earlier requests serve this one
  bool begun = false;        ///< whether the work has begun
  bool shared = false;       ///< whether other inputs are made of the same pipeline as the field
  bool at_asked = true;      ///< whether the input was asked for the step `asked`, and not for the sake of others
  bool others_wanted = true; ///< whether this execution is at the time of the other inputs
  double others_time = 0.0;
  std::int32_t asked = 0;      ///< step that the input was asked for
  std::int64_t most_bytes = 0; ///< for the steps of a pipeline; kept, since the system takes half a millisecond to tell
  std::int64_t taken_before = 0;
  std::int64_t intervals_done = 0;
  RunReport report;
  SimulationTimes simulation; ///< none if the input is not that of one
  bool ran = false;           ///< whether particles were advanced; else all is kept from requests before
  bool stopped = false;
  std::chrono::steady_clock::time_point start{};

  /// Whether the work goes on with the steps of a simulation that runs. Work on one step does with the present one.
  [[nodiscard]] bool grows() const { return simulation.any() && traits.least_steps > 1; }
  /// The times of the field.
  [[nodiscard]] Result<std::vector<double>> times(vtkInformation& field) const;
  /// Sets the step to ask the input for, and returns its time.
  double choose_step(const std::vector<double>& times, double frame);
  /// Sets whether this execution is for the inputs beside the field, and returns the time for the field.
  double choose_time(vtkAlgorithm& filter, const std::vector<double>& times, double of_step, bool has_steps);
};

} // namespace rivulet
