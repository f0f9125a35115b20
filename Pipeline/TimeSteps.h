// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times of a reader: of the steps it offers, of the step for a requested time, and of an output.
#pragma once

#include "Base/Times.h"
#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace rivulet
{

/// Index of the last step not after `time`; 0 if all are after it. `times` increase; at least one.
[[nodiscard]] inline std::size_t step_at(const std::vector<double>& times, double time)
{
  const auto after = std::upper_bound(times.begin(), times.end(), time + time_slack(times));
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

/// The time that a request asks for, if any.
[[nodiscard]] inline std::optional<double> requested_time(vtkInformation& request)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  return request.Has(Pipeline::UPDATE_TIME_STEP()) != 0 ? std::optional(request.Get(Pipeline::UPDATE_TIME_STEP()))
                                                        : std::nullopt;
}

/// Offers the times of a reader's steps to the pipeline; no times: it has none.
inline void offer_times(vtkInformation& out, const std::vector<double>& times)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (times.empty())
  {
    out.Remove(Pipeline::TIME_STEPS());
    out.Remove(Pipeline::TIME_RANGE());
    return;
  }
  const std::array<double, 2> range{ times.front(), times.back() };
  out.Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
  out.Set(Pipeline::TIME_RANGE(), range.data(), 2);
}

/// Notes `time`, one of the reader's steps, as the time of its output. ParaView requests no time in a script's first
/// update, and the view's time when it shows the result. If both keys are set, the pipeline compares the request with
/// the output, and runs the reader again only if they differ.
inline void set_time(vtkDataObject& output, double time)
{
  output.GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
  output.GetInformation()->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
}

} // namespace rivulet
