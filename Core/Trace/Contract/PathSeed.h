// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds with times.
#pragma once

#include "Base/Box.h"

#include <limits>

namespace rivulet
{

/// A place and a time for the beginning of a line.
struct PathSeed
{
  Vec3 point{ 0, 0, 0 }; ///< world
  double time = 0.0;
  /// Time at which the line ends, exactly, if not before; infinite: as the options say. Not for lines that go away from
  /// this time.
  double end = std::numeric_limits<double>::infinity();
};

} // namespace rivulet
