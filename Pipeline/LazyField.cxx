// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/LazyField.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Parallel/Team.h"
#include "Pipeline/FieldRanges.h"
#include "Pipeline/LazyValues.h"
#include "Pipeline/Rows.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/WaitForBrick.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

namespace rivulet
{

namespace
{

Error too_large(const FileBricks& source, const ValueBlock& block, std::int64_t bytes, std::int64_t free_bytes)
{
  const Variable& variable = source.info().variables[static_cast<std::size_t>(block.variable)];
  const std::string instead = variable.whole == WholeType::None ? "NaN" : "0";
  const std::int64_t needed = round_up(bytes + source.working_minimum(resolve_threads(0)), kMiB);
  return Error{ .code = ErrorCode::BudgetTooSmall,
    .what = "the filter at hand wants the whole array \"" + variable.name + "\" in memory, which takes " +
            format_bytes(bytes) + ", but of the memory budget of " + format_bytes(source.memory_budget()) + " only " +
            format_bytes(std::max<std::int64_t>(free_bytes, 0)) + " are free; it gets " + instead +
            " instead of values",
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
  constexpr unsigned kPinsPerLook = 64; // the clock alone would cost as much as a short row of values
  static thread_local unsigned pins = 0;
  std::shared_ptr<const Error> error;
  BrickPin held = wait_for_brick(*source_, key, error);
  used_.store(true, std::memory_order_relaxed);
  if (error)
  {
    look_now(); // a change of the file explains more than the error of one brick
    note_error(error);
  }
  else if (++pins % kPinsPerLook == 0)
  {
    look_at_files();
  }
  return held;
}

namespace
{

std::int64_t steady_nanoseconds()
{
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

void LazyField::look_at_files()
{
  constexpr std::int64_t kPause = 10'000'000;
  constexpr std::int64_t kMostOfTheTime = 50; // looking at many files on a slow system takes 2 % of the time at most
  const std::int64_t begin = steady_nanoseconds();
  std::int64_t next = next_look_.load(std::memory_order_relaxed);
  if (!used_.load(std::memory_order_relaxed) || begin < next ||
      !next_look_.compare_exchange_strong(next, begin + kPause))
  {
    return;
  }
  look_now();
  const std::int64_t end = steady_nanoseconds();
  next_look_.store(end + kPause + kMostOfTheTime * (end - begin));
}

void LazyField::look_now()
{
  if (Result<void> same = source_->health(); !same)
  {
    note_change(same.error());
  }
}

void LazyField::note_change(const Error& error)
{
  auto changed = std::make_shared<Error>(error);
  changed->remedy = "what was computed from it since may be wrong: use Reload Files when it is complete";
  const std::lock_guard lock(error_mutex_);
  // A failure that was not taken yet may be of the same change. The next look comes after it was taken.
  const bool waits =
      has_error_ && (first_error_->code == ErrorCode::Truncated || first_error_->code == ErrorCode::CannotRead);
  if (!waits && !change_noted_)
  {
    change_noted_ = true;
    first_error_ = std::move(changed);
    has_error_ = true;
  }
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
  if (bytes > free_bytes || !MemoryAccount::process().try_take(MemoryUse::Copies, bytes))
  {
    return tl::unexpected(too_large(*source_, block, bytes, free_bytes));
  }
  std::unique_ptr<CopiedArray> memory = CopiedArray::of_bytes(bytes);
  if (!memory)
  {
    MemoryAccount::process().give_back(MemoryUse::Copies, bytes);
    return tl::unexpected(too_large(*source_, block, bytes, 0));
  }
  copied_ += bytes;
  share_budget();
  return std::make_shared<MemoryCopy>(shared_from_this(), std::move(memory));
}

void LazyField::forget_copy(std::int64_t bytes)
{
  MemoryAccount::process().give_back(MemoryUse::Copies, bytes);
  const std::lock_guard lock(budget_mutex_);
  copied_ -= bytes;
  share_budget();
}

MemoryCopy::~MemoryCopy()
{
  const std::int64_t bytes = memory_->bytes();
  memory_.reset();
  field_->forget_copy(bytes);
}

Result<std::shared_ptr<const MemoryCopy>> LazyField::copy(const ValueBlock& block)
{
  const std::lock_guard lock(copies_mutex_);
  std::erase_if(copies_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = copies_.find(block); found != copies_.end())
  {
    if (auto there = found->second.lock(); there && !there->written())
    {
      return there;
    }
  }
  const Variable& variable = info().variables[static_cast<std::size_t>(block.variable)];
  const std::int64_t bytes = block.box.count() * user_tuple_bytes(variable);
  auto made = reserve_copy(bytes, block);
  if (!made)
  {
    return forward_error(made);
  }
  fill(block, (*made)->memory().room());
  (*made)->memory().seal();
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
          copy_rows_for_users(held, variable, part, block.box, out);
        }
      });
}

std::optional<ScannedRanges> LazyField::exact_ranges(const ValueBlock& block)
{
  // About one second of reading from a disk, a tenth of that from memory.
  constexpr std::int64_t kMostBytes = 256 * kMiB;
  constexpr std::chrono::seconds kLongest{ 2 };
  const auto bytes = block.box.count() * static_cast<std::int64_t>(
                                             info().variables[static_cast<std::size_t>(block.variable)].tuple_bytes());
  if (exact_wanted_)
  {
    return scan_ranges(*this, block, std::chrono::nanoseconds::max());
  }
  return bytes <= kMostBytes ? scan_ranges(*this, block, kLongest) : std::nullopt;
}

ScannedRanges LazyField::ranges(const ValueBlock& block)
{
  const ValueRanges& stored = info().ranges[static_cast<std::size_t>(block.variable)];
  if (!stored.components.empty())
  {
    return { stored, stored, false };
  }
  const std::lock_guard lock(ranges_mutex_);
  ScannedRanges& known = ranges_[block];
  if (known.all.components.empty() || (exact_wanted_ && !known.exact))
  {
    if (std::optional<ScannedRanges> exact = exact_ranges(block))
    {
      known = std::move(*exact);
    }
    else if (known.all.components.empty())
    {
      const ValueRanges some = estimate_ranges(*this, block.variable, block.step);
      known = { some, some, false };
    }
  }
  return known;
}

std::string LazyField::estimated_ranges()
{
  const std::lock_guard lock(ranges_mutex_);
  std::set<std::string> names;
  for (const auto& [block, known] : ranges_)
  {
    if (!known.exact)
    {
      names.insert(info().variables[static_cast<std::size_t>(block.variable)].name);
    }
  }
  std::string text;
  for (const std::string& name : names)
  {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

} // namespace rivulet
