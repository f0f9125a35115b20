// SPDX-License-Identifier: BSD-3-Clause
#include "Store/MappingWatch.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <unistd.h>

namespace rivulet
{

namespace
{

using std::chrono::milliseconds;

constexpr milliseconds kBusyTick{ 2 };
constexpr milliseconds kIdleTick{ 50 };
constexpr std::int64_t kStretches = 64; // that a file is dropped in
constexpr std::int64_t kLeastStretch = kMiB;
constexpr std::int64_t kMostByPage = kGiB; ///< 2 MiB of page entries, faster than a look at all mappings

struct CloseFile
{
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// By looking at each page: takes time with the length of the range. -1 where the system does not say.
std::int64_t resident_by_page(std::uintptr_t first, std::uintptr_t last)
{
  constexpr std::uint64_t present = std::uint64_t{ 1 } << 63;
  const OpenFile file(std::fopen("/proc/self/pagemap", "re"));
  if (!file || ::fseeko(file.get(), static_cast<off_t>(first / kPage * sizeof(present)), SEEK_SET) != 0)
  {
    return -1;
  }
  std::array<std::uint64_t, 4096> pages;
  std::int64_t count = 0;
  for (std::size_t left = (last - first) / kPage; left > 0;)
  {
    const std::size_t got = std::fread(pages.data(), sizeof(present), std::min(left, pages.size()), file.get());
    if (got == 0)
    {
      return -1;
    }
    count += std::count_if(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(got),
        [](std::uint64_t page) { return (page & present) != 0; });
    left -= got;
  }
  return count * kPage;
}

/// By mapping: takes time with the mappings of the process, of which ParaView has thousands.
std::int64_t resident_by_mapping(std::uintptr_t first, std::uintptr_t last)
{
  const OpenFile file(std::fopen("/proc/self/smaps", "re"));
  char line[4096];
  bool inside = false;
  std::int64_t held = 0;
  while (file && std::fgets(line, sizeof(line), file.get()) != nullptr)
  {
    unsigned long from = 0;
    unsigned long to = 0;
    long long kilobytes = 0;
    if (std::sscanf(line, "%lx-%lx ", &from, &to) == 2)
    {
      inside = from >= first && to <= last; // a page that was replaced splits the mapping
    }
    else if (inside && std::sscanf(line, "Rss: %lld kB", &kilobytes) == 1)
    {
      held += kilobytes * kKiB;
    }
  }
  return held;
}

} // namespace

std::int64_t file_backed_memory()
{
  const OpenFile file(std::fopen("/proc/self/statm", "re"));
  long long pages = 0;
  const bool found = file && std::fscanf(file.get(), "%*d %*d %lld", &pages) == 1;
  return found ? pages * ::sysconf(_SC_PAGESIZE) : 0;
}

std::int64_t resident_memory(const void* begin, std::int64_t bytes)
{
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t last = first + static_cast<std::uintptr_t>(round_up(bytes, kPage));
  const std::int64_t held = bytes <= kMostByPage ? resident_by_page(first, last) : -1;
  return held >= 0 ? held : resident_by_mapping(first, last);
}

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
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable())
  {
    thread_.join();
  }
}

void MappingWatch::add(const MappedFile& file)
{
  const std::lock_guard lock(mutex_);
  files_.push_back(&file);
  if (!thread_.joinable())
  {
    if (files_.size() == 1)
    {
      process_ = seen_ = file_backed_memory();
    }
    try
    {
      thread_ = std::thread([this] { run(); });
    }
    catch (const std::exception&) // std::system_error or std::bad_alloc: only look() sees to the budget then
    {
    }
  }
}

void MappingWatch::remove(const MappedFile& file)
{
  const std::lock_guard lock(mutex_);
  files_.erase(std::remove(files_.begin(), files_.end(), &file), files_.end());
  hand_ = 0;
}

void MappingWatch::run()
{
  std::unique_lock lock(mutex_);
  milliseconds tick = kBusyTick;
  while (!stop_)
  {
    wake_.wait_for(lock, tick);
    tick = grown() ? kBusyTick : std::min(kIdleTick, 2 * tick);
    if (held_ + seen_ - process_ > budget())
    {
      count();
      drop();
    }
  }
}

bool MappingWatch::grown()
{
  const std::int64_t before = std::exchange(seen_, file_backed_memory());
  return seen_ > before;
}

void MappingWatch::look(bool always)
{
  const std::lock_guard lock(mutex_);
  if (files_.empty())
  {
    return;
  }
  static_cast<void>(grown());
  if (always || held_ + seen_ - process_ > budget())
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
  }
  lease_.give_back(std::max<std::int64_t>(0, held_ - held));
  held_ = held;
  peak_.store(std::max(peak(), held), std::memory_order_relaxed);
}

void MappingWatch::drop()
{
  const MemoryAccount& account = MemoryAccount::process();
  lease_.take(0); // past the process's limit, others give back first
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

/// The mutex may be held by a thread that waits for its turn to ask others.
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
