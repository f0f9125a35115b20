// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/AmrCache.h"

#include <algorithm>

namespace rivulet
{

void AmrCache::begin()
{
  grid_used_ = false;
  for (Kept& kept : arrays_)
  {
    kept.used = false;
  }
}

Result<std::shared_ptr<const RefinedGrid>> AmrCache::mesh(std::vector<RefinedLevel> levels)
{
  grid_used_ = true;
  if (grid_ && grid_->has(levels))
  {
    return grid_;
  }
  grid_ = nullptr;
  Result<RefinedGrid> grid = RefinedGrid::create(std::move(levels));
  if (!grid)
  {
    return forward_error(grid);
  }
  grid_ = std::make_shared<const RefinedGrid>(std::move(*grid));
  return grid_;
}

AmrCache::Array AmrCache::array(const LevelBlocks& levels, vtkDataArray& like, Centering centering)
{
  auto values = std::make_shared<BlockValues>(levels, like, centering);
  const auto same = std::find_if(arrays_.begin(), arrays_.end(),
      [&](const Kept& kept)
      { return kept.grid == levels.grid && kept.array.values->same(*values) && !kept.array.bricks->failed(); });
  if (same != arrays_.end())
  {
    same->used = true;
    return same->array;
  }
  auto bricks = std::make_shared<RefinedBricks>(levels.grid, values, 0); // a FieldRun sets the budget
  return arrays_.emplace_back(Kept{ { std::move(values), std::move(bricks) }, levels.grid, true }).array;
}

void AmrCache::end()
{
  grid_ = grid_used_ ? grid_ : nullptr;
  arrays_.erase(
      std::remove_if(arrays_.begin(), arrays_.end(), [](const Kept& kept) { return !kept.used; }), arrays_.end());
}

} // namespace rivulet
