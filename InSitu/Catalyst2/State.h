// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Step and time of catalyst/state: `timestep`, or `cycle`, and `time`.
#pragma once

#include "Place.h"

namespace rivulet::catalyst2
{

struct State
{
  std::int64_t step = 0;
  double time = 0;
};

/// `params`: the argument of catalyst_execute.
[[nodiscard]] Result<State> state_of(const Place& params);

} // namespace rivulet::catalyst2
