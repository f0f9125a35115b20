// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Position on a mesh without arithmetic: the place in the world, which is the truth, and the cell in which it was
/// found.
///
/// Plain values.
#pragma once

#include "Base/Box.h"

#include <limits>

namespace rivulet
{

struct WorldPosition
{
  Vec3 point{ 0, 0, 0 };
  std::int64_t cell = -1; ///< -1: not found yet
  std::int32_t block = 0;
  std::int32_t walk = 0; ///< state of a walk through cells; 0: none is under way
};

/// A cell's number in WorldPosition::block; -1 if it is too large for it.
[[nodiscard]] inline std::int32_t block_of(std::int64_t cell)
{
  return cell <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(cell) : -1;
}

} // namespace rivulet
