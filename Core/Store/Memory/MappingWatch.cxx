// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/MappingWatch.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cstdint>

namespace rivulet
{

namespace
{

constexpr std::int64_t kStretches = 64; // parts of a file that are dropped one at a time
constexpr std::int64_t kLeastStretch = kMiB;

} // namespace

MappingWatch::MappingWatch(std::int64_t budget)
  : budget_(budget)
  , lease_({ .use = MemoryUse::MappedPages,
        .reclaim = [this](std::int64_t bytes)
        {
          return reclaim(bytes);
        } })
{
}

MappingWatch::~MappingWatch()
{
  lease_.end_reclaim();
  if (watching_)
  {
    MappedPages::process().unwatch(*this);
  }
}

void MappingWatch::add(const MappedFile& file)
{
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    files_.push_back(&file);
    first = !std::exchange(watching_, true);
    if (first)
    {
      process_ = seen_ = file_backed_memory();
    }
  }
  if (first)
  {
    MappedPages::process().watch(*this);
  }
}

void MappingWatch::remove(const MappedFile& file)
{
  const std::lock_guard lock(mutex_);
  files_.erase(std::remove(files_.begin(), files_.end(), &file), files_.end());
  hand_ = 0;
}

void MappingWatch::look_at(std::int64_t file_backed)
{
  const std::lock_guard lock(mutex_);
  look_locked(file_backed, false);
}

void MappingWatch::look(bool always)
{
  const std::lock_guard lock(mutex_);
  look_locked(file_backed_memory(), always);
}

void MappingWatch::look_locked(std::int64_t file_backed, bool always)
{
  seen_ = file_backed;
  const MemoryAccount& account = MemoryAccount::process();
  const std::int64_t room = std::min(budget() - held_, account.cap() - account.used());
  if (!files_.empty() && (always || seen_ - process_ > room))
  {
    count();
    drop();
  }
}

void MappingWatch::set_budget(std::int64_t bytes)
{
  budget_.store(bytes, std::memory_order_relaxed);
  look(true);
}

void MappingWatch::count()
{
  std::int64_t held = 0;
  for (const MappedFile* file : files_)
  {
    held += resident_memory(file->data(), file->size());
  }
  process_ = seen_;
  if (held > held_)
  {
    lease_.note(held - held_);
    arrived_.fetch_add(held - held_, std::memory_order_relaxed);
    MappedPages::process().note_arrived(held - held_);
  }
  else
  {
    lease_.give_back(held_ - held);
    MappedPages::process().note_freed(held_ - held);
  }
  held_ = held;
  peak_.store(std::max(peak(), held), std::memory_order_relaxed);
}

void MappingWatch::drop()
{
  const MemoryAccount& account = MemoryAccount::process();
  lease_.take(0); // at the process's limit, other leases give back first
  if (held_ > budget() || account.used() > account.cap())
  {
    drop_until(std::min(held_, budget()) / 2);
  }
}

void MappingWatch::drop_until(std::int64_t most)
{
  const std::int64_t stretches = kStretches * static_cast<std::int64_t>(files_.size());
  const std::int64_t before = file_backed_memory();
  for (std::int64_t i = 0; i < stretches && held_ - (before - file_backed_memory()) > most; ++i)
  {
    drop_stretch();
  }
  seen_ = file_backed_memory();
  count();
}

/// Another thread may hold the mutex while it waits for its turn to reclaim.
std::int64_t MappingWatch::reclaim(std::int64_t bytes)
{
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock)
  {
    return 0;
  }
  const std::int64_t before = held_;
  drop_until(before - bytes);
  return before - held_;
}

void MappingWatch::drop_stretch()
{
  hand_file_ %= files_.size();
  const MappedFile& file = *files_[hand_file_];
  const std::int64_t stretch = std::max(kLeastStretch, round_up(file.size() / kStretches, kPage));
  const std::int64_t bytes = std::min(stretch, file.size() - hand_);
  file.drop(hand_, bytes);
  hand_ += bytes;
  if (hand_ >= file.size())
  {
    hand_ = 0;
    ++hand_file_;
  }
}

} // namespace rivulet
