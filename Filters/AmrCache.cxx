// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/AmrCache.h"

#include <algorithm>

namespace rivulet
{

void AmrCache::begin()
{
  mesh_used_ = false;
  for (Kept& kept : arrays_)
  {
    kept.used = false;
  }
}

Result<std::shared_ptr<const AmrMesh>> AmrCache::mesh(std::vector<AmrMeshLevel> levels)
{
  mesh_used_ = true;
  if (mesh_ && mesh_->has(levels))
  {
    return mesh_;
  }
  mesh_ = nullptr;
  Result<AmrMesh> made = AmrMesh::create(std::move(levels));
  if (!made)
  {
    return forward_error(made);
  }
  mesh_ = std::make_shared<const AmrMesh>(std::move(*made));
  return mesh_;
}

AmrCache::Array AmrCache::array(const AmrBlocks& levels, vtkDataArray& like, Centering centering)
{
  auto values = std::make_shared<BlockValues>(levels, like, centering);
  const auto same = std::find_if(arrays_.begin(), arrays_.end(),
      [&](const Kept& kept)
      {
        return kept.mesh == levels.mesh && kept.cut == levels.cut && kept.array.values->same(*values) &&
               !kept.array.bricks->failed();
      });
  if (same != arrays_.end())
  {
    same->used = true;
    return same->array;
  }
  // A FieldRun sets the budget.
  auto bricks = std::make_shared<AmrBricks>(levels.cut, levels.mesh, values, 0);
  return arrays_.emplace_back(Kept{ { std::move(values), std::move(bricks) }, levels.mesh, levels.cut, true }).array;
}

void AmrCache::end()
{
  mesh_ = mesh_used_ ? mesh_ : nullptr;
  arrays_.erase(
      std::remove_if(arrays_.begin(), arrays_.end(), [](const Kept& kept) { return !kept.used; }), arrays_.end());
}

} // namespace rivulet
