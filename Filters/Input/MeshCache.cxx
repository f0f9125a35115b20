// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/MeshCache.h"

#include "Pipeline/LazyField.h"
#include "Trace/Mesh/CurvilinearGrid.h"

#include <algorithm>

namespace rivulet
{

void MeshCache::begin()
{
  mesh_used_ = false;
  cells_used_ = false;
  nodes_used_ = false;
  for (Kept& kept : arrays_)
  {
    kept.used = false;
  }
}

Result<std::shared_ptr<const AmrMesh>> MeshCache::mesh(std::vector<AmrMeshLevel> levels)
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

MeshCache::Array MeshCache::array(const AmrBlocks& levels, vtkDataArray& like, Centering centering)
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

Result<std::shared_ptr<const InputCells>> MeshCache::cells(const std::vector<InputBlock>& blocks)
{
  cells_used_ = true;
  if (cells_ == nullptr || !cells_->are_of(blocks))
  {
    Result<std::shared_ptr<const InputCells>> made =
        cells_ != nullptr ? cells_->moved(blocks) : Result<std::shared_ptr<const InputCells>>();
    cells_ = nullptr;
    if (made && *made == nullptr)
    {
      made = InputCells::of(blocks);
    }
    if (!made)
    {
      return made;
    }
    cells_ = std::move(*made);
  }
  return cells_;
}

Result<std::shared_ptr<const CurvilinearGrid>> MeshCache::nodes(
    const std::shared_ptr<LazyField>& field, std::int32_t step)
{
  nodes_used_ = true;
  if (nodes_ != nullptr && field_ == field && nodes_->points().step == step)
  {
    return nodes_;
  }
  nodes_ = nullptr;
  field_ = field;
  const Result<std::vector<PlacesMeasure>> places = field->source()->brick_places(step);
  if (!places)
  {
    return tl::unexpected(places.error());
  }
  auto made = CurvilinearGrid::create({ field->source().get(), field->info().points, step }, *places);
  if (made)
  {
    nodes_ = *made;
  }
  return made;
}

void MeshCache::end()
{
  nodes_ = nodes_used_ ? nodes_ : nullptr;
  field_ = nodes_used_ ? field_ : nullptr;
  cells_ = cells_used_ ? cells_ : nullptr;
  mesh_ = mesh_used_ ? mesh_ : nullptr;
  arrays_.erase(
      std::remove_if(arrays_.begin(), arrays_.end(), [](const Kept& kept) { return !kept.used; }), arrays_.end());
}

} // namespace rivulet
