// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/RefinedBricks.h"

namespace rivulet
{

namespace
{

FieldInfo describe(const RefinedGrid& grid, const Variable& variable)
{
  FieldInfo info;
  info.grid = grid.level(0).grid;
  info.variables.push_back(variable);
  info.variables.front().centering = Centering::Node;
  info.times = { 0.0 };
  info.ranges.resize(1);
  return info;
}

template <class Scalar>
void store(const std::vector<double>& values, std::byte* slot)
{
  auto* to = reinterpret_cast<Scalar*>(slot);
  for (const double value : values)
  {
    *to++ = static_cast<Scalar>(value);
  }
}

} // namespace

RefinedBricks::RefinedBricks(
    std::shared_ptr<const RefinedGrid> grid, std::shared_ptr<PatchValues> patches, std::int64_t memory_budget)
  : grid_(std::move(grid))
  , patches_(std::move(patches))
  , info_(describe(*grid_, patches_->variable()))
  , bricks_{ { 1, 1, 1 }, { static_cast<std::int32_t>(grid_->bricks()), 1, 1 }, info_.grid.nodes }
  , cache_(*this, *this, grid_->bricks(),
        { .slot_bytes = grid_->most_nodes() * static_cast<std::int64_t>(patches_->variable().tuple_bytes()),
            .memory_budget = memory_budget },
        patches_->at_once() > 0 ? std::function<int()>([this] { return patches_->at_once(); }) : nullptr)
{
}

Result<LoadedBrick> RefinedBricks::load(const BrickKey& key, std::byte* slot)
{
  try
  {
    Result<LoadedBrick> made = put_together(grid_->brick(key.index), slot);
    if (!made)
    {
      failed_ = true;
    }
    return made;
  }
  catch (...) // std::bad_alloc, which the caller makes a failure of
  {
    failed_ = true;
    throw;
  }
}

Result<LoadedBrick> RefinedBricks::put_together(const LeafBrick& brick, std::byte* slot) const
{
  NodeValues values(*grid_, *patches_);
  const Box nodes = values.nodes_of(brick.cells);
  Result<LevelValues> made = values.nodes(brick.level, nodes);
  if (!made)
  {
    return forward_error(made);
  }
  const Variable& variable = info_.variables.front();
  variable.type == ScalarType::Float32 ? store<float>(made->values, slot) : store<double>(made->values, slot);
  const Int3 size = nodes.size();
  const std::int64_t along_x = variable.components;
  BrickView view;
  view.data = slot;
  view.type = variable.type;
  view.components = variable.components;
  view.lattice = nodes;
  view.stride = { along_x, along_x * size[0], along_x * size[0] * size[1] };
  return LoadedBrick{ view, 0 };
}

} // namespace rivulet
