// SPDX-License-Identifier: BSD-3-Clause
#include "State.h"

namespace rivulet::catalyst2
{

Result<State> state_of(const Place& params)
{
  Result<Place> state = params.need("catalyst/state");
  if (!state)
  {
    return forward_error(state);
  }
  const std::optional<Place> cycle = state->find("cycle");
  Result<Place> step_place = cycle && !state->find("timestep") ? Result<Place>(*cycle) : state->need("timestep");
  Result<Place> time_place = state->need("time");
  Result<std::int64_t> step = step_place ? step_place->integer() : forward_error(step_place);
  Result<double> time = time_place ? time_place->real() : forward_error(time_place);
  if (!step || !time)
  {
    return !step ? forward_error(step) : forward_error(time);
  }
  return State{ *step, *time };
}

} // namespace rivulet::catalyst2
