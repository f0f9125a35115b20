// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/MappedPages.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

using std::chrono::milliseconds;

constexpr milliseconds kBusyTick{ 2 };
constexpr milliseconds kIdleTick{ 50 };
constexpr std::int64_t kMostByPage = kGiB; ///< 2 MiB of page entries, faster to read than all mappings

struct CloseFile
{
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// Counts page by page: time grows with the range. -1 if the system does not tell.
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

/// Counts by mapping: time grows with the number of mappings of the process, which are thousands in ParaView.
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
      inside = from >= first && to <= last; // a replaced page splits the mapping
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

MappedPages& MappedPages::process()
{
  static auto* const pages = new MappedPages; // never freed: watchers of static objects may be destroyed last
  return *pages;
}

void MappedPages::watch(PageWatcher& watcher)
{
  const std::lock_guard lock(mutex_);
  watchers_.push_back(&watcher);
  try
  {
    if (!thread_.joinable())
    {
      thread_ = std::thread([this, number = stopped_] { run(number); });
    }
  }
  catch (const std::exception&) // std::system_error or std::bad_alloc: no thread, and watchers check by themselves
  {
  }
}

void MappedPages::unwatch(PageWatcher& watcher)
{
  std::thread last;
  {
    const std::lock_guard lock(mutex_);
    std::erase(watchers_, &watcher);
    if (watchers_.empty())
    {
      last = std::exchange(thread_, {});
      ++stopped_;
    }
  }
  changed_.notify_all();
  if (last.joinable())
  {
    last.join();
  }
}

void MappedPages::run(std::int64_t number)
{
  std::unique_lock lock(mutex_);
  std::int64_t before = 0;
  for (milliseconds tick = kBusyTick; stopped_ == number;)
  {
    changed_.wait_for(lock, tick);
    const std::int64_t now = file_backed_memory();
    tick = now > std::exchange(before, now) ? kBusyTick : std::min(kIdleTick, 2 * tick);
    for (PageWatcher* watcher : watchers_)
    {
      watcher->look_at(now);
    }
  }
}

} // namespace rivulet
