// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/RefinedBricks.h"

#include "Store/MemoryPool.h"

#include <system_error>

namespace rivulet
{

namespace
{

std::int64_t largest_brick(const RefinedGrid& grid, const Variable& variable)
{
  std::int64_t nodes = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes *= grid.flat(axis) ? 1 : grid.brick_cells() + 1;
  }
  return nodes * static_cast<std::int64_t>(variable.tuple_bytes());
}

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
{
  const BrickCacheOptions options{ .slot_bytes = largest_brick(*grid_, patches_->variable()),
    .memory_budget = memory_budget > 0 ? memory_budget : default_memory_budget() };
  BrickLoader& loader = *this;
  if (patches_->at_once() > 0)
  {
    try
    {
      made_later_ = std::make_unique<FetchedCache>(*this, options);
      made_later_->start(loader, [this] { return patches_->at_once(); });
      return;
    }
    catch (const std::system_error&) // no thread
    {
      made_later_.reset();
    }
  }
  made_at_once_ = std::make_unique<BrickCache>(*this, loader, options);
}

bool RefinedBricks::exists(const BrickKey& key) const
{
  return key.index >= 0 && key.index < grid_->bricks() && key.variable == 0 && key.step == 0;
}

Lookup RefinedBricks::try_get(const BrickKey& key)
{
  if (!exists(key))
  {
    return { Lookup::State::Failed, {},
      std::make_shared<const Error>(Error{ ErrorCode::BadArgument, "there is no such brick", {}, {} }) };
  }
  return made_later_ ? made_later_->find({ key, key.index }) : made_at_once_->try_get(key);
}

void RefinedBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (!exists(key))
  {
    waiter.brick_arrived(key); // and try_get() says why
    return;
  }
  made_later_ ? made_later_->request({ key, key.index }, waiter, particles) : made_at_once_->request(key, waiter);
}

void RefinedBricks::withdraw(BrickWaiter& waiter)
{
  if (made_later_)
  {
    made_later_->withdraw(waiter);
  }
}

void RefinedBricks::unpin(void* token)
{
  made_later_ ? made_later_->unpin(token) : made_at_once_->unpin(token);
}

std::int64_t RefinedBricks::memory_budget() const
{
  return made_later_ ? made_later_->memory_budget() : made_at_once_->memory_budget();
}

void RefinedBricks::set_memory_budget(std::int64_t bytes)
{
  const std::int64_t budget = bytes > 0 ? bytes : default_memory_budget();
  made_later_ ? made_later_->set_memory_budget(budget) : made_at_once_->set_memory_budget(budget);
}

std::int64_t RefinedBricks::working_minimum(int workers) const
{
  return workers * (made_later_ ? made_later_->slot_bytes() : made_at_once_->slot_bytes());
}

SourceStatistics RefinedBricks::statistics() const
{
  const SourceStatistics cache = made_later_ ? made_later_->statistics() : made_at_once_->statistics();
  return { .cache_hits = cache.cache_hits, .cache_misses = cache.cache_misses, .peak_bytes = cache.peak_bytes };
}

Result<LoadedBrick> RefinedBricks::load(const BrickKey& key, std::byte* slot)
{
  const LeafBrick& brick = grid_->brick(key.index);
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
