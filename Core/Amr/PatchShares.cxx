// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchShares.h"

#include <algorithm>
#include <tuple>

namespace rivulet
{

std::vector<std::int32_t> share_of_patches(const AmrDump& dump, int finest, int part, int parts)
{
  std::vector<std::int32_t> order;
  std::int64_t cells = 0;
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    if (dump.patches[i].level <= finest)
    {
      order.push_back(static_cast<std::int32_t>(i));
      cells += dump.patches[i].cells.count();
    }
  }
  const auto patch = [&](std::int32_t number) -> const AmrPatch&
  {
    return dump.patches[static_cast<std::size_t>(number)];
  };
  std::sort(order.begin(), order.end(),
      [&](std::int32_t a, std::int32_t b) { return std::tuple(patch(a).file, a) < std::tuple(patch(b).file, b); });
  // A patch belongs to the process whose share of the cells contains the middle cell of the patch.
  std::vector<std::int32_t> mine;
  std::int64_t before = 0;
  for (const std::int32_t number : order)
  {
    const std::int64_t count = patch(number).cells.count();
    const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(count);
    const auto owner = static_cast<int>(middle / static_cast<double>(cells) * parts);
    if (std::min(owner, parts - 1) == part)
    {
      mine.push_back(number);
    }
    before += count;
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

} // namespace rivulet
