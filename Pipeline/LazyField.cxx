// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/LazyField.h"

#include "Base/Bytes.h"
#include "Parallel/Team.h"
#include "Pipeline/LazyValues.h"
#include "Pipeline/Rows.h"
#include "Store/MemoryPool.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace rivulet
{

namespace
{

/// The bricks that hold values of `box`, in the order they lie on the storage.
std::vector<std::int64_t> bricks_of(const FileBricks& source, const ValueBlock& block)
{
  const BrickGrid& grid = source.bricks(block.variable);
  const Int3 low = brick_holding(grid, block.box.begin);
  const Box& box = block.box;
  const Int3 high = brick_holding(grid, { box.end[0] - 1, box.end[1] - 1, box.end[2] - 1 });
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (Int3 at = low; at[2] <= high[2]; ++at[2])
  {
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
    {
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
      {
        const std::int64_t index = row_major(at, grid.count);
        order.emplace_back(source.storage_order({ block.variable, block.step, index }), index);
      }
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> indices(order.size());
  std::transform(order.begin(), order.end(), indices.begin(), [](const auto& entry) { return entry.second; });
  return indices;
}

Error too_large(const FileBricks& source, const ValueBlock& block, std::int64_t bytes, std::int64_t free_bytes)
{
  const std::string& name = source.info().variables[static_cast<std::size_t>(block.variable)].name;
  const std::int64_t needed = round_up(bytes + source.working_minimum(resolve_threads(0)), kMiB);
  return Error{ .code = ErrorCode::BudgetTooSmall,
    .what = "the filter at hand wants the whole array \"" + name + "\" in memory, which takes " + format_bytes(bytes) +
            ", but of the memory budget of " + format_bytes(source.memory_budget()) + " only " +
            format_bytes(std::max<std::int64_t>(free_bytes, 0)) + " are free; it gets NaN instead of values",
    .remedy = "raise the reader's Memory Budget to " + std::to_string(needed / kMiB) +
              " or more, take a part with Extract Subset, or use a Rivulet filter, which needs no copy",
    .path = source.path() };
}

} // namespace

LazyField::LazyField(std::shared_ptr<FileBricks> source)
  : source_(std::move(source))
  , budget_(source_->memory_budget())
{
}

BrickPin LazyField::pin(const BrickKey& key)
{
  std::shared_ptr<const Error> error;
  BrickPin held = wait_for_brick(*source_, key, error);
  if (error)
  {
    note_error(error);
  }
  return held;
}

void LazyField::note_error(const std::shared_ptr<const Error>& error)
{
  const std::lock_guard lock(error_mutex_);
  if (!first_error_)
  {
    first_error_ = error;
    has_error_ = true;
  }
}

std::shared_ptr<const Error> LazyField::take_error()
{
  const std::lock_guard lock(error_mutex_);
  return has_error_.exchange(false) ? first_error_ : nullptr;
}

void LazyField::share_budget()
{
  // 0 would mean "the default" to the source.
  source_->set_memory_budget(std::max<std::int64_t>(budget_ - copied_, 1));
}

void LazyField::set_memory_budget(std::int64_t bytes)
{
  const std::lock_guard lock(budget_mutex_);
  budget_ = bytes > 0 ? bytes : default_memory_budget();
  share_budget();
}

std::int64_t LazyField::memory_budget() const
{
  const std::lock_guard lock(budget_mutex_);
  return budget_;
}

Result<std::shared_ptr<MemoryCopy>> LazyField::reserve_copy(std::int64_t bytes, const ValueBlock& block)
{
  const std::lock_guard lock(budget_mutex_);
  const std::int64_t free_bytes = budget_ - copied_ - source_->working_minimum(resolve_threads(0));
  if (bytes > free_bytes || !MemoryPool::process().try_take(bytes))
  {
    return tl::unexpected(too_large(*source_, block, bytes, free_bytes));
  }
  std::unique_ptr<std::byte[]> values(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
  if (!values)
  {
    MemoryPool::process().give_back(bytes);
    return tl::unexpected(too_large(*source_, block, bytes, 0));
  }
  copied_ += bytes;
  share_budget();
  return std::make_shared<MemoryCopy>(shared_from_this(), std::move(values), bytes);
}

void LazyField::forget_copy(std::int64_t bytes)
{
  MemoryPool::process().give_back(bytes);
  const std::lock_guard lock(budget_mutex_);
  copied_ -= bytes;
  share_budget();
}

MemoryCopy::~MemoryCopy()
{
  values_.reset();
  field_->forget_copy(bytes_);
}

Result<std::shared_ptr<const MemoryCopy>> LazyField::copy(const ValueBlock& block)
{
  const std::lock_guard lock(copies_mutex_);
  std::erase_if(copies_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = copies_.find(block); found != copies_.end())
  {
    if (auto there = found->second.lock())
    {
      return there;
    }
  }
  const Variable& variable = info().variables[static_cast<std::size_t>(block.variable)];
  const std::int64_t bytes = block.box.count() * static_cast<std::int64_t>(variable.tuple_bytes());
  auto made = reserve_copy(bytes, block);
  if (!made)
  {
    return forward_error(made);
  }
  fill(block, (*made)->values());
  copies_[block] = *made;
  return std::shared_ptr<const MemoryCopy>(*made);
}

void LazyField::fill(const ValueBlock& block, std::byte* out)
{
  const std::vector<std::int64_t> bricks = bricks_of(*source_, block);
  std::atomic<std::size_t> next{ 0 };
  const Variable& variable = info().variables[static_cast<std::size_t>(block.variable)];
  run_team(resolve_threads(0),
      [&](int)
      {
        for (std::size_t at = next++; at < bricks.size(); at = next++)
        {
          const BrickPin held = pin({ block.variable, block.step, bricks[at] });
          const Box part = intersect(owned_values(source_->bricks(block.variable), bricks[at]), block.box);
          copy_rows(held, variable, part, block.box, out);
        }
      });
}

ValueRanges LazyField::ranges(int variable)
{
  const auto number = static_cast<std::size_t>(variable);
  const ValueRanges& stored = info().ranges[number];
  if (!stored.components.empty())
  {
    return stored;
  }
  const std::lock_guard lock(ranges_mutex_);
  ranges_.resize(info().variables.size());
  if (ranges_[number].components.empty())
  {
    ranges_[number] = estimate_ranges(*this, variable);
  }
  return ranges_[number];
}

} // namespace rivulet
