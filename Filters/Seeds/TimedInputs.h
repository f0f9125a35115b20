// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Inputs of an unsteady filter beside the field, seeds or surfaces, that may have time steps of their own: their
/// pipelines are executed once for each time at which they are needed.
///
///     while (more) { execute the pipelines at inputs.time(times); more = *inputs.take(ports, frame, times, anew); }
///
/// Ranks: each function has the same answer on all ranks. Threads: the one that runs the pipeline.
#pragma once

#include "Base/Result.h"

#include <vector>

class vtkInformationVector;

namespace rivulet
{

class TimedInputs
{
public:
  TimedInputs() = default;
  TimedInputs(const TimedInputs&) = delete;
  TimedInputs& operator=(const TimedInputs&) = delete;
  virtual ~TimedInputs() = default;

  /// Time at which they are executed. `times`: of the field's steps.
  [[nodiscard]] virtual double time(const std::vector<double>& times) const = 0;
  /// Keeps the data needed of the inputs as they are now. `ports`: of the filter. `frame`: time at which the output is
  /// requested; NaN if the request has none. `anew`: data kept before may have changed. Returns whether the inputs are
  /// needed at another time().
  [[nodiscard]] virtual Result<bool> take(
      vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew) = 0;
};

} // namespace rivulet
