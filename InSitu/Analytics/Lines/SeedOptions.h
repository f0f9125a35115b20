// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds of lines, from the options of an analytics (lengths in the simulation's unit):
///
///     "points"      [[x, y, z], ...]; or
///     "line"        [from, to], with "resolution" seeds, both ends included; or
///     "plane"       [corner, corner along one side, corner along the other], with "resolution" seeds along each side
///     "resolution"  10 by default
///
/// Ranks share them in ranges, so that lines in the order of ranks are in the order of seeds.
#pragma once

#include "Base/Box.h"
#include "Plugin/Options.h"

#include <vector>

namespace rivulet
{

/// Errors go to `read`.
[[nodiscard]] std::vector<Vec3> read_seeds(OptionReader& read);

struct SeedRange
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The range of `count` seeds that a rank traces.
[[nodiscard]] SeedRange seeds_of_rank(std::int64_t count, int rank, int ranks);

} // namespace rivulet
