// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/BoxChecks.h"

#include "AmrMesh/BoxTree.h"
#include "AmrMesh/RefineBox.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rivulet
{

namespace
{

constexpr double kMostCells = 1e12;                                                // cells of one patch
constexpr double kLongestSide = std::numeric_limits<std::int32_t>::max() - 4096.0; // leaves room for ghost layers

bool fits_int32(double value)
{
  return value >= std::numeric_limits<std::int32_t>::min() + 1024.0 &&
         value <= std::numeric_limits<std::int32_t>::max() - 1024.0;
}

std::vector<Box> boxes_of(const AmrDump& dump, const AmrLevel& level)
{
  std::vector<Box> boxes;
  boxes.reserve(static_cast<std::size_t>(level.patches));
  for (std::int32_t i = 0; i < level.patches; ++i)
  {
    boxes.push_back(dump.patches[static_cast<std::size_t>(level.first_patch + i)].cells);
  }
  return boxes;
}

/// Indices of two boxes that share cells.
std::optional<std::pair<std::int32_t, std::int32_t>> overlap_of(const std::vector<Box>& boxes)
{
  const BoxTree tree(boxes);
  std::optional<std::pair<std::int32_t, std::int32_t>> pair;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(boxes.size()) && !pair; ++i)
  {
    tree.visit(boxes[static_cast<std::size_t>(i)],
        [&](std::int32_t other)
        {
          pair = other != i ? std::optional(std::pair(i, other)) : std::nullopt;
          return !pair;
        });
  }
  return pair;
}

} // namespace

std::optional<Box> box_of(const Vec3& first, const Vec3& last)
{
  Box box;
  double cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double low = first[axis];
    const double high = last[axis];
    if (!fits_int32(low) || !fits_int32(high) || high < low || high - low >= kLongestSide)
    {
      return std::nullopt;
    }
    box.begin[axis] = static_cast<std::int32_t>(low);
    box.end[axis] = static_cast<std::int32_t>(high) + 1;
    cells *= high - low + 1;
  }
  return cells <= kMostCells ? std::optional(box) : std::nullopt;
}

std::optional<std::string> patch_beyond_coarser(const AmrDump& dump)
{
  std::vector<std::int64_t> covered(dump.patches.size(), 0);
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    for (const std::int32_t number : dump.children[i])
    {
      const auto child = static_cast<std::size_t>(number);
      const Int3& ratio = dump.levels[static_cast<std::size_t>(dump.patches[child].level)].ratio;
      covered[child] += intersect(coarsen(dump.patches[child].cells, ratio), dump.patches[i].cells).count();
    }
  }
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    const AmrPatch& patch = dump.patches[i];
    const Int3& ratio = dump.levels[static_cast<std::size_t>(patch.level)].ratio;
    if (patch.level > 0 && covered[i] != coarsen(patch.cells, ratio).count())
    {
      return "patch " + std::to_string(patch.number) + " of level " + std::to_string(patch.level) +
             " does not lie over patches of the level below";
    }
  }
  return std::nullopt;
}

std::optional<std::string> overlap_within_levels(const AmrDump& dump)
{
  for (const AmrLevel& level : dump.levels)
  {
    if (const auto pair = overlap_of(boxes_of(dump, level)))
    {
      return "patches " + std::to_string(level.first_patch + pair->first) + " and " +
             std::to_string(level.first_patch + pair->second) + " of level " +
             std::to_string(&level - dump.levels.data()) + " overlap";
    }
  }
  return std::nullopt;
}

std::vector<std::vector<std::int32_t>> find_children(const AmrDump& dump)
{
  std::vector<std::vector<std::int32_t>> children(dump.patches.size());
  for (std::size_t i = 0; i + 1 < dump.levels.size(); ++i)
  {
    const AmrLevel& level = dump.levels[i];
    const AmrLevel& finer = dump.levels[i + 1];
    const BoxTree tree(boxes_of(dump, finer));
    for (std::int32_t p = 0; p < level.patches; ++p)
    {
      const auto patch = static_cast<std::size_t>(level.first_patch + p);
      tree.visit(refine(dump.patches[patch].cells, finer.ratio),
          [&](std::int32_t box)
          {
            children[patch].push_back(finer.first_patch + box);
            return true;
          });
      std::sort(children[patch].begin(), children[patch].end());
    }
  }
  return children;
}

} // namespace rivulet
