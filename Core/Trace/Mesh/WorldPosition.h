// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Position on a mesh without arithmetic: the place in the world, which is the truth, and the cell in which it was
/// found.
///
/// Plain values.
#pragma once

#include "Base/Box.h"

namespace rivulet
{

struct WorldPosition
{
  Vec3 point{ 0, 0, 0 };
  std::int64_t cell = -1; ///< -1: not found yet
  std::int32_t block = 0;
  std::int32_t walk = 0; ///< state of a walk through cells; 0: none is under way
};

} // namespace rivulet
