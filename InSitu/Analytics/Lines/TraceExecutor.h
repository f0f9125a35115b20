// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The executor of traces within analytics: the one place to exchange it.
#pragma once

#include "Parallel/ThreadExecutor.h"

namespace rivulet
{

/// As many threads of its own as the arena of analytics has slots.
using TraceExecutor = ThreadExecutor;

} // namespace rivulet
