// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/StepRequests.h"

#include "Base/Times.h"
#include "vtkAlgorithm.h"
#include "vtkDataObject.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkExecutive.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace rivulet
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

Result<std::vector<double>> times_of(vtkInformation& input, int least)
{
  std::vector<double> times;
  if (input.Has(Pipeline::TIME_STEPS()))
  {
    const double* const all = input.Get(Pipeline::TIME_STEPS());
    times.assign(all, all + input.Length(Pipeline::TIME_STEPS()));
  }
  if (times.empty() && least == 1)
  {
    times = { 0.0 };
  }
  if (times.size() < static_cast<std::size_t>(least))
  {
    return fail(ErrorCode::BadArgument,
        times.empty() ? "the input has no time steps" : "the input has one time step, and paths need two or more",
        "open all files of a series, or use Rivulet Stream Tracer for the lines of one step");
  }
  for (std::size_t i = 0; i < times.size(); ++i)
  {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
    {
      std::ostringstream text;
      text << "the times of the input do not increase: step " << i << " has " << format_time(times[i]);
      if (i > 0)
      {
        text << ", step " << i - 1 << " has " << format_time(times[i - 1]);
      }
      return fail(ErrorCode::BadArgument, text.str(), "give each step a later time than the one before");
    }
  }
  return times;
}

double requested_time(vtkInformation& request, vtkInformationVector& outputs)
{
  const int port = request.Has(vtkExecutive::FROM_OUTPUT_PORT()) ? request.Get(vtkExecutive::FROM_OUTPUT_PORT()) : 0;
  vtkInformation* const output = outputs.GetInformationObject(std::max(port, 0));
  const bool has_time = output != nullptr && output->Has(Pipeline::UPDATE_TIME_STEP());
  return has_time ? output->Get(Pipeline::UPDATE_TIME_STEP()) : std::numeric_limits<double>::quiet_NaN();
}

Result<void> check_time(vtkDataObject& input, const std::vector<double>& times, std::int32_t asked)
{
  if (!input.GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    return {};
  }
  const double has = input.GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
  const double wanted = times[static_cast<std::size_t>(asked)];
  if (std::abs(has - wanted) <= time_slack(times))
  {
    return {};
  }
  return fail(ErrorCode::BadArgument,
      "the input was asked for time " + format_time(wanted) + " and has time " + format_time(has),
      "check the filters before this one: each must pass the time on");
}

vtkMTimeType pipeline_time(vtkAlgorithm& filter, int port)
{
  if (port >= filter.GetNumberOfInputPorts() || filter.GetNumberOfInputConnections(port) == 0)
  {
    return 0;
  }
  auto* const executive = vtkDemandDrivenPipeline::SafeDownCast(filter.GetInputExecutive(port, 0));
  return executive != nullptr ? executive->GetPipelineMTime() : 0;
}

} // namespace rivulet
