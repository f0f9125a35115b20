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
  Result<std::int64_t> step =
      state->need_integer(state->find("timestep") || !state->find("cycle") ? "timestep" : "cycle");
  Result<Place> time_place = state->need("time");
  Result<double> time = time_place ? time_place->real() : forward_error(time_place);
  if (!step || !time)
  {
    return !step ? forward_error(step) : forward_error(time);
  }
  return State{ *step, *time };
}

} // namespace rivulet::catalyst2
