// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchStore.h"

#include "Base/Bytes.h"
#include "Store/MemoryAccount.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <new>

namespace rivulet
{

namespace
{

std::int64_t size_in_memory(const StoredPatch& patch)
{
  return static_cast<std::int64_t>(patch.values.size());
}

/// Adds a third component of 0 to vectors with two.
SlabBuffer with_a_third(const SlabBuffer& plane, std::size_t scalar_bytes)
{
  const std::size_t tuples = plane.size() / (2 * scalar_bytes);
  Slabs slabs;
  slabs.expect(tuples * 3 * scalar_bytes);
  SlabBuffer space(slabs, tuples * 3 * scalar_bytes);
  std::memset(space.data(), 0, space.size());
  for (std::size_t i = 0; i < tuples; ++i)
  {
    std::memcpy(space.data() + i * 3 * scalar_bytes, plane.data() + i * 2 * scalar_bytes, 2 * scalar_bytes);
  }
  return space;
}

/// Throws std::bad_alloc.
std::shared_ptr<const StoredPatch> stored_patch(PatchVariable&& values, std::int32_t components)
{
  auto made = std::make_shared<StoredPatch>();
  made->type = values.type;
  made->components = components;
  made->values = components == values.components
                     ? std::move(values.values)
                     : with_a_third(values.values, static_cast<std::size_t>(size_of(values.type)));
  return made;
}

} // namespace

PatchStore::PatchStore(AmrDump&& dump, std::int64_t budget)
  : dump_(std::move(dump))
  , types_(dump_.variables.size(), StoredType::Float64)
  , budget_(budget > 0 ? budget : default_memory_budget())
{
  for (std::size_t variable = 0; variable < dump_.variables.size(); ++variable)
  {
    for (std::size_t patch = 0; patch < dump_.patches.size(); ++patch)
    {
      const std::int64_t bytes =
          bytes_of(static_cast<std::int32_t>(patch), static_cast<std::int32_t>(variable), StoredType::Float64);
      largest_ = std::max(largest_, bytes);
    }
  }
}

PatchStore::~PatchStore()
{
  MemoryAccount::process().give_back(MemoryUse::Patches, held_);
}

std::int32_t PatchStore::components_of(std::int32_t variable) const
{
  const auto stored = static_cast<std::int32_t>(dump_.variables[static_cast<std::size_t>(variable)].components.size());
  return dump_.dimensions == 2 && stored == 2 ? 3 : stored;
}

std::int64_t PatchStore::bytes_of(std::int32_t patch, std::int32_t variable, StoredType type) const
{
  const AmrVariable& of = dump_.variables[static_cast<std::size_t>(variable)];
  const Int3 size = of.own_size(dump_.patches[static_cast<std::size_t>(patch)], dump_.dimensions);
  return volume(size) * components_of(variable) * static_cast<std::int64_t>(size_of(type));
}

Result<PatchStore::Patch> PatchStore::hold(std::int32_t patch, std::int32_t variable)
{
  const Key key{ patch, variable };
  std::unique_lock lock(mutex_);
  for (auto found = entries_.find(key); found != entries_.end(); found = entries_.find(key))
  {
    if (found->second.patch)
    {
      ages_.splice(ages_.end(), ages_, found->second.age);
      ++counts_.cache_hits;
      return found->second.patch;
    }
    read_.wait(lock);
  }
  return bring_in(lock, key);
}

Result<PatchStore::Patch> PatchStore::bring_in(std::unique_lock<std::mutex>& lock, const Key& key)
{
  std::vector<std::int32_t> patches{ key.first };
  std::int64_t room = begin_reading(key);
  lock.unlock();
  const auto [first, end] = in_same_chunks(key);
  lock.lock();
  const auto take_along = [&](std::int32_t patch)
  {
    const Key other{ patch, key.second };
    if (!entries_.contains(other) && reading_ + expected(other) <= budget_ / 4)
    {
      patches.push_back(patch);
      room += begin_reading(other);
    }
  };
  try
  {
    for (std::int32_t above = key.first + 1; above < end; ++above)
    {
      take_along(above);
    }
    for (std::int32_t below = key.first; below-- > first;)
    {
      take_along(below);
    }
  }
  catch (const std::bad_alloc&) // the single patch may still fit
  {
  }
  lock.unlock();
  const auto start = std::chrono::steady_clock::now();
  std::vector<Result<Patch>> made = read(patches, key.second);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  lock.lock();
  end_reading(room);
  counts_.stall_seconds += seconds;
  ++counts_.cache_misses;
  for (std::size_t i = patches.size(); i-- > 0;)
  {
    settle({ patches[i], key.second }, made[i]);
  }
  Result<Patch> wanted = std::move(made.front());
  made.clear(); // patches that nobody holds may be dropped
  drop_what_is_too_much();
  lock.unlock();
  read_.notify_all();
  return wanted;
}

void PatchStore::settle(const Key& key, const Result<Patch>& made)
{
  if (!made)
  {
    entries_.erase(key);
    return;
  }
  ages_.push_back(key);
  entries_[key] = { *made, std::prev(ages_.end()) };
  types_[static_cast<std::size_t>(key.second)] = (*made)->type;
  held_ += size_in_memory(**made);
  MemoryAccount::process().take(MemoryUse::Patches, size_in_memory(**made));
  ++counts_.bricks_read;
  // The reservation ends; the patch counts with its real size from now on.
  counts_.peak_bytes = std::max(counts_.peak_bytes, held_ + reading_);
}

std::int64_t PatchStore::chunk_of(const Key& key)
{
  const Key dataset{ dump_.patches[static_cast<std::size_t>(key.first)].level, key.second };
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = chunks_.find(dataset); known != chunks_.end())
    {
      return known->second;
    }
  }
  const Spares<PatchReader>::Lent reader(readers_);
  const std::int64_t values = reader->chunk_of(dump_, key.first, key.second);
  const std::lock_guard lock(mutex_);
  return chunks_.emplace(dataset, values).first->second;
}

std::array<std::int32_t, 2> PatchStore::in_same_chunks(const Key& key)
{
  const std::int64_t chunk = dump_.shared ? chunk_of(key) : 0;
  if (chunk <= 0)
  {
    return { key.first, key.first + 1 };
  }
  const AmrVariable& variable = dump_.variables[static_cast<std::size_t>(key.second)];
  const auto [least, most] = std::minmax_element(variable.components.begin(), variable.components.end(),
      [](const AmrComponent& a, const AmrComponent& b) { return a.run < b.run; });
  // First and last chunk with values of a patch.
  const auto chunks_of = [&, first = std::int64_t{ least->run }, end = std::int64_t{ most->run } + 1](
                             std::int32_t number)
  {
    const AmrPatch& patch = dump_.patches[static_cast<std::size_t>(number)];
    const std::int64_t count = volume(variable.stored_size(patch, dump_.dimensions));
    return std::pair((patch.first + first * count) / chunk, (patch.first + end * count - 1) / chunk);
  };
  const AmrLevel& level =
      dump_.levels[static_cast<std::size_t>(dump_.patches[static_cast<std::size_t>(key.first)].level)];
  const auto own = chunks_of(key.first);
  const auto is_near = [&](std::int32_t number)
  {
    const bool there = number >= level.first_patch && number < level.first_patch + level.patches;
    return there && chunks_of(number).first >= own.first && chunks_of(number).second <= own.second;
  };
  std::int32_t end = key.first + 1;
  for (; is_near(end); ++end)
  {
  }
  std::int32_t begin = key.first;
  for (; is_near(begin - 1); --begin)
  {
  }
  return { begin, end };
}

std::int64_t PatchStore::expected(const Key& key) const
{
  // Boxes of a damaged file may need more than an integer holds; reading reports it.
  return std::min(budget_, bytes_of(key.first, key.second, types_[static_cast<std::size_t>(key.second)]));
}

std::int64_t PatchStore::begin_reading(const Key& key)
{
  entries_[key] = {};
  const std::int64_t room = expected(key);
  reading_ += room;
  MemoryAccount::process().take(MemoryUse::Patches, room);
  drop_what_is_too_much();
  return room;
}

void PatchStore::end_reading(std::int64_t room)
{
  reading_ -= room;
  MemoryAccount::process().give_back(MemoryUse::Patches, room);
}

Result<void> PatchStore::check_room(std::int32_t variable, std::int64_t bytes) const
{
  if (kept_ + bytes <= budget_)
  {
    return {};
  }
  const std::string& name = dump_.variables[static_cast<std::size_t>(variable)].name;
  return fail(ErrorCode::BudgetTooSmall,
      "the filters at hand want more patches of \"" + name + "\" in memory at once than the memory budget of " +
          format_bytes(budget_) + " has room for; they get NaN instead of values",
      "raise the reader's Memory Budget, take fewer levels, or use a Rivulet filter, which needs no copies",
      dump_.path);
}

Result<PatchStore::Patch> PatchStore::keep(std::int32_t patch, std::int32_t variable, StoredType type)
{
  {
    // Filters visit all patches in turn. Reading patches that do not fit would take most of the time.
    const std::lock_guard lock(mutex_);
    if (Result<void> room = check_room(variable, bytes_of(patch, variable, type)); !room)
    {
      return forward_error(room);
    }
  }
  Result<Patch> held = hold(patch, variable);
  if (!held)
  {
    return held;
  }
  const std::int64_t bytes = size_in_memory(**held);
  const std::lock_guard lock(mutex_);
  if (Result<void> room = check_room(variable, bytes); !room)
  {
    return forward_error(room);
  }
  kept_ += bytes;
  return held;
}

void PatchStore::let_go(const Patch& patch)
{
  const std::lock_guard lock(mutex_);
  kept_ -= size_in_memory(*patch);
}

void PatchStore::drop_what_is_too_much()
{
  for (auto oldest = ages_.begin(); held_ + reading_ > budget_ && oldest != ages_.end();)
  {
    const auto entry = entries_.find(*oldest);
    if (entry->second.patch.use_count() > 1)
    {
      ++oldest;
      continue;
    }
    const std::int64_t bytes = size_in_memory(*entry->second.patch);
    held_ -= bytes;
    MemoryAccount::process().give_back(MemoryUse::Patches, bytes);
    entries_.erase(entry);
    oldest = ages_.erase(oldest);
  }
}

std::vector<Result<PatchStore::Patch>> PatchStore::read(std::span<const std::int32_t> patches, std::int32_t variable)
{
  try
  {
    return read_sound(patches, variable);
  }
  catch (const std::bad_alloc&)
  {
    return { patches.size(), fail(ErrorCode::BudgetTooSmall, "the system refused memory for a patch",
                                 "lower the reader's Memory Budget", dump_.path) };
  }
}

std::vector<Result<PatchStore::Patch>> PatchStore::read_sound(
    std::span<const std::int32_t> patches, std::int32_t variable)
{
  const std::array<std::int32_t, 1> variables{ variable };
  const Spares<PatchReader>::Lent reader(readers_);
  Result<PatchData> data = reader->read(dump_, patches, variables, { .threads = 1, .use_library = false });
  if (!data)
  {
    return { patches.size(), forward_error(data) };
  }
  {
    const std::lock_guard lock(mutex_);
    counts_.bytes_read += data->statistics.bytes_read;
  }
  std::vector<Result<Patch>> made;
  for (std::size_t i = 0; i < patches.size(); ++i)
  {
    made.push_back(made_of(data->at(i, 0), { patches[i], variable }));
  }
  return made;
}

Result<PatchStore::Patch> PatchStore::made_of(PatchVariable& values, const Key& key) const
{
  if (values.state == PatchVariable::State::Failed)
  {
    return tl::unexpected(*values.error);
  }
  if (values.state != PatchVariable::State::Read)
  {
    const AmrPatch& at = dump_.patches[static_cast<std::size_t>(key.first)];
    return fail(ErrorCode::NotFound,
        "\"" + at.group + "\" has no values of \"" + dump_.variables[static_cast<std::size_t>(key.second)].name + "\"",
        "check that the dump is complete", dump_.files[static_cast<std::size_t>(at.file)]);
  }
  return stored_patch(std::move(values), components_of(key.second));
}

std::int64_t PatchStore::memory_budget() const
{
  const std::lock_guard lock(mutex_);
  return budget_;
}

void PatchStore::set_memory_budget(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  budget_ = bytes > 0 ? bytes : default_memory_budget();
  drop_what_is_too_much();
}

SourceStatistics PatchStore::statistics() const
{
  const std::lock_guard lock(mutex_);
  return counts_;
}

void PatchStore::note_error(std::shared_ptr<const Error> error)
{
  const std::lock_guard lock(mutex_);
  if (!error_)
  {
    error_ = std::move(error);
    has_error_ = true;
  }
}

std::shared_ptr<const Error> PatchStore::take_error()
{
  const std::lock_guard lock(mutex_);
  return has_error_.exchange(false) ? error_ : nullptr;
}

} // namespace rivulet
