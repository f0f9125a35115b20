// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reasons for the end of a line.
#pragma once

#include <cstdint>

namespace rivulet
{

/// Reason for the end of a line. 1 to 6 are vtkStreamTracer's; the others are ours. Saved in files: never renumber.
enum class Termination : std::int32_t
{
  None = 0,        ///< direction not traced
  OutOfDomain = 1, ///< left the grid, or entered a hidden cell
  NotInitialized = 2,
  UnexpectedValue = 3, ///< met a velocity that is not finite
  OutOfLength = 4,
  OutOfSteps = 5,
  Stagnation = 6,    ///< too slow (terminal_speed; pathlines: slower), or a step led back to its start
  OutOfTime = 7,     ///< reached maximum_time, or the last time there is
  DataMissing = 8,   ///< met a brick that could not be read
  Cancelled = 9,     ///< the run was stopped: on request, or because the system had no more memory
  SeedOutside = 10,  ///< the seed lies outside the grid or in a hidden cell (seeds only; such a seed has no line)
  OutOfSeconds = 11, ///< the run took RunOptions::maximum_seconds
  Crossed = 12       ///< reached a surface that ends particles (Kernel/Crossing.h)
};

} // namespace rivulet
