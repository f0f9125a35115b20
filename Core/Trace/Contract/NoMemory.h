// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The error of a run that the system had no memory for.
#pragma once

#include "Base/Result.h"

#include <memory>

namespace rivulet
{

/// Error for a run with fewer lines than requested: there was no memory for `task`.
[[nodiscard]] std::shared_ptr<const Error> no_memory_for(const char* task);

} // namespace rivulet
