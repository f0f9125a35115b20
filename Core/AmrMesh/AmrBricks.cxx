// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/AmrBricks.h"

namespace rivulet
{

namespace
{

FieldInfo describe(const AmrMesh& mesh, const Variable& variable)
{
  FieldInfo info;
  info.grid = mesh.level(0).grid;
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

AmrBricks::AmrBricks(std::shared_ptr<const AmrMesh> mesh, std::shared_ptr<const AmrMesh> of_patches,
    std::shared_ptr<PatchValues> patches, std::int64_t memory_budget)
  : mesh_(std::move(mesh))
  , of_patches_(std::move(of_patches))
  , patches_(std::move(patches))
  , info_(describe(*mesh_, patches_->variable()))
  , bricks_{ { 1, 1, 1 }, { static_cast<std::int32_t>(mesh_->bricks()), 1, 1 }, info_.grid.nodes }
  , cache_(*this, *this, mesh_->bricks(),
        { .slot_bytes = mesh_->most_nodes() * static_cast<std::int64_t>(patches_->variable().tuple_bytes()),
            .bytes_of = bytes_in(*mesh_, patches_->variable()),
            .memory_budget = memory_budget },
        patches_->at_once() > 0 ? std::function<int()>([this] { return patches_->at_once(); }) : nullptr)
{
}

Result<LoadedBrick> AmrBricks::load(const BrickKey& key, std::byte* slot)
{
  try
  {
    Result<LoadedBrick> made = assemble(mesh_->brick(key.index), slot);
    if (!made)
    {
      failed_ = true;
    }
    return made;
  }
  catch (...) // std::bad_alloc, which the caller turns into a failure
  {
    failed_ = true;
    throw;
  }
}

Result<LoadedBrick> AmrBricks::assemble(const LeafBrick& brick, std::byte* slot) const
{
  NodeValues values(*of_patches_, *patches_);
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
