// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Morton numbers (Z order) of lattice points: sorted by them, neighbours often follow each other.
///
/// Pure functions; any thread.
#pragma once

#include "Base/Box.h"

namespace rivulet
{

/// Of the lowest 21 bits of each index.
[[nodiscard]] constexpr std::int64_t morton_number(const Int3& at)
{
  const auto spread = [](std::int32_t index)
  {
    auto x = static_cast<std::uint64_t>(index) & 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
  };
  return static_cast<std::int64_t>(spread(at[0]) | spread(at[1]) << 1 | spread(at[2]) << 2);
}

} // namespace rivulet
