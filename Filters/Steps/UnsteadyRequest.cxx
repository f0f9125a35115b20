// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/UnsteadyRequest.h"

#include "Filters/Steps/StepRequests.h"

#include <algorithm>

namespace rivulet
{

Result<std::vector<double>> UnsteadyRequest::times(vtkInformation& field) const
{
  if (simulation.any())
  {
    return grows() ? simulation.with_next() : std::vector<double>{ simulation.now() };
  }
  return times_of(field, traits.least_steps);
}

double UnsteadyRequest::choose_step(const std::vector<double>& times, double frame)
{
  if (simulation.any())
  {
    asked = grows() ? simulation.step() : 0; // no other one can be had
    return simulation.now();
  }
  if (!under_way && !seeds_wanted)
  {
    // Between two requests the last step stays, so that the input is not executed for a time that is not needed.
    if (const std::optional<NextIntervals> next = work->expected(times, frame))
    {
      const bool none = steps == nullptr || !steps->opened();
      asked = none ? next->first() + (next->backward ? 1 : 0) : steps->missing_for(*next).value_or(asked);
    }
  }
  asked = std::clamp<std::int32_t>(asked, 0, static_cast<std::int32_t>(times.size()) - 1);
  return times[static_cast<std::size_t>(asked)];
}

double UnsteadyRequest::choose_time(
    vtkAlgorithm& filter, const std::vector<double>& times, double of_step, bool has_steps)
{
  if (!under_way)
  {
    shared = OtherInputs::shares_source(filter) && has_steps;
    TimedInputs* const inputs = work->other_inputs();
    others_time = inputs != nullptr ? inputs->time(times) : times.front();
    others_wanted = !shared || !others.are_of(filter, others_time);
  }
  // A pipeline that feeds several ports has one time at a time.
  const bool for_others = shared && others_wanted && !under_way;
  const double time = for_others ? others_time : of_step;
  at_asked = time == of_step;
  return time;
}

} // namespace rivulet
