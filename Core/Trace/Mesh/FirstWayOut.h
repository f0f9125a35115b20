// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where a straight way first leaves the domain, found by a search along it.
///
///     way = first_way_out(way, cells_along, [&](double share, const auto& so_far, auto& place) { ... });
///
/// Any thread, if `at` may be called there.
#pragma once

#include <algorithm>
#include <cmath>

namespace rivulet
{

/// `way`: the part of the way that is looked at (`share`), and its begin (`end`). `cells`: the length of the whole way
/// in cells. `at(share, so_far, place)`: sets the place at a share of the whole way, and says whether it is inside;
/// `so_far`: the last way that was inside. Places that are tried are less than a cell apart.
template <class Way, class At>
[[nodiscard]] Way first_way_out(const Way& way, double cells, const At& at)
{
  static constexpr double kPerCell = 8.0;
  static constexpr double kMost = 4096.0;
  static constexpr int kHalvings = 60;
  const double pieces = std::clamp(std::ceil(kPerCell * cells), 1.0, kMost);
  Way so_far{ 0.0, way.end };
  for (double piece = 1.0; piece <= pieces; ++piece)
  {
    auto place = way.end;
    const double next = way.share * (piece / pieces);
    if (at(next, so_far, place))
    {
      so_far = { next, place };
      continue;
    }
    double outside = next;
    for (int i = 0; i < kHalvings; ++i)
    {
      const double middle = 0.5 * (so_far.share + outside);
      if (at(middle, so_far, place))
      {
        so_far = { middle, place };
      }
      else
      {
        outside = middle;
      }
    }
    return so_far;
  }
  return { way.share, so_far.end };
}

} // namespace rivulet
