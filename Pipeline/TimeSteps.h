// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The time step of a reader for a requested time, and the time of an output.
#pragma once

#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rivulet
{

/// The step whose time is the latest not after `time`; the first one before all. `times` increase; at least one.
[[nodiscard]] inline std::size_t step_at(const std::vector<double>& times, double time)
{
  // Times travel through text and animations: what differs in the last digits is the same step.
  const double slack = 1e-12 * std::max(std::abs(times.front()), std::abs(times.back()));
  const auto after = std::upper_bound(times.begin(), times.end(), time + slack);
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

/// Says that a reader's output is that of `time`, one of its steps. ParaView asks for no time in a script's first
/// update, and for that of the view when it shows the result: where both keys are there, the pipeline compares the
/// request with what there is, and runs the reader again only if they differ.
inline void set_time(vtkDataObject& output, double time)
{
  output.GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
  output.GetInformation()->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
}

} // namespace rivulet
