// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchStore.h"

#include "Base/Bytes.h"

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
  PageSlabs slabs;
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

PatchStore::PatchStore(AmrDump&& dump, std::int64_t budget, std::shared_ptr<LocalCache> local_cache)
  : dump_(std::move(dump))
  , local_cache_(std::move(local_cache))
  , types_(dump_.variables.size(), StoredType::Float64)
  , budget_(budget > 0 ? budget : default_memory_budget())
  , lease_({ .use = MemoryUse::Patches,
        .reclaim = [this](std::int64_t bytes)
        {
          return reclaim(bytes);
        } })
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
  lease_.set_minimum(largest_);
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
  return find({ patch, variable }, AtLimit::Read);
}

Result<PatchStore::Patch> PatchStore::find(const Key& key, AtLimit at_limit)
{
  std::unique_lock lock(mutex_);
  for (auto found = entries_.find(key); found != entries_.end(); found = entries_.find(key))
  {
    if (found->second.patch)
    {
      ages_.splice(ages_.end(), ages_, found->second.age);
      ++counts_.cache_hits;
      lease_.touch();
      return found->second.patch;
    }
    read_.wait(lock);
  }
  return bring_in(lock, key, at_limit);
}

Result<PatchStore::Patch> PatchStore::bring_in(std::unique_lock<std::mutex>& lock, const Key& key, AtLimit at_limit)
{
  std::vector<std::int32_t> patches{ key.first };
  entries_[key] = {};
  std::int64_t room = expected(key);
  if (!take_room(lock, room, at_limit))
  {
    entries_.erase(key);
    read_.notify_all();
    return fail(ErrorCode::BudgetTooSmall,
        "the process's memory limit leaves no room for more patches of \"" +
            dump_.variables[static_cast<std::size_t>(key.second)].name + "\"; filters get NaN instead of values",
        "raise RIVULET_MEMORY_LIMIT, take fewer levels, or use a Rivulet filter, which needs no copies", dump_.path);
  }
  begin_reading(key, room);
  lock.unlock();
  const auto [first, end] = in_same_chunks(key);
  lock.lock();
  const auto take_along = [&](std::int32_t patch)
  {
    const Key other{ patch, key.second };
    const std::int64_t more = expected(other);
    if (!entries_.contains(other) && reading_ + more <= budget_ / 4 && lease_.try_take(more))
    {
      room += more;
      begin_reading(other, more);
      patches.push_back(patch);
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
  Result<Patch> wanted = read_unlocked(lock, patches, key.second, room);
  evict_excess();
  lock.unlock();
  read_.notify_all();
  return wanted;
}

Result<PatchStore::Patch> PatchStore::read_unlocked(
    std::unique_lock<std::mutex>& lock, std::span<const std::int32_t> patches, std::int32_t variable, std::int64_t room)
{
  lock.unlock();
  const auto start = std::chrono::steady_clock::now();
  std::vector<Result<Patch>> made = read(patches, variable);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  lock.lock();
  counts_.stall_seconds += seconds;
  ++counts_.cache_misses;
  // The reservation ends; the patches count with their real sizes from now on.
  reading_ -= room;
  std::int64_t bytes = 0;
  for (std::size_t i = patches.size(); i-- > 0;)
  {
    bytes += settle({ patches[i], variable }, made[i]);
  }
  lease_.note(std::max<std::int64_t>(0, bytes - room));
  lease_.give_back(std::max<std::int64_t>(0, room - bytes));
  return std::move(made.front());
}

std::int64_t PatchStore::settle(const Key& key, const Result<Patch>& made)
{
  if (!made)
  {
    entries_.erase(key);
    return 0;
  }
  ages_.push_back(key);
  entries_[key] = { *made, std::prev(ages_.end()) };
  types_[static_cast<std::size_t>(key.second)] = (*made)->type;
  held_ += size_in_memory(**made);
  ++counts_.bricks_read;
  counts_.peak_bytes = std::max(counts_.peak_bytes, held_ + reading_);
  return size_in_memory(**made);
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
  const ObjectPool<PatchReader>::Lent reader(readers_);
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

bool PatchStore::take_room(std::unique_lock<std::mutex>& lock, std::int64_t room, AtLimit at_limit)
{
  while (!lease_.try_take(room))
  {
    const bool dropped = drop(room) > 0;
    if (!dropped && reading_ > 0)
    {
      read_.wait(lock);
    }
    else if (!dropped)
    {
      if (at_limit == AtLimit::Fail)
      {
        return false;
      }
      lease_.take(room);
      break;
    }
  }
  return true;
}

void PatchStore::begin_reading(const Key& key, std::int64_t room)
{
  entries_[key] = {};
  reading_ += room;
  evict_excess();
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
  Result<Patch> held = find({ patch, variable }, AtLimit::Fail);
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

std::int64_t PatchStore::drop(std::int64_t bytes)
{
  std::int64_t dropped = 0;
  for (auto oldest = ages_.begin(); dropped < bytes && oldest != ages_.end();)
  {
    const auto entry = entries_.find(*oldest);
    if (entry->second.patch.use_count() > 1)
    {
      ++oldest;
      continue;
    }
    dropped += size_in_memory(*entry->second.patch);
    entries_.erase(entry);
    oldest = ages_.erase(oldest);
  }
  held_ -= dropped;
  lease_.give_back(dropped);
  return dropped;
}

std::int64_t PatchStore::reclaim(std::int64_t bytes)
{
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock ? drop(bytes) : 0;
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
  const ObjectPool<PatchReader>::Lent reader(readers_);
  Result<PatchData> data =
      reader->read(dump_, patches, variables, { .threads = 1, .use_library = false, .local_cache = local_cache_ });
  if (!data)
  {
    return { patches.size(), forward_error(data) };
  }
  {
    const std::lock_guard lock(mutex_);
    counts_.bytes_read += data->statistics.bytes_read;
    counts_.bytes_from_local_cache += data->statistics.bytes_from_local_cache;
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
  evict_excess();
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
