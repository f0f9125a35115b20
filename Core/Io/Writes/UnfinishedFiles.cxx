// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/UnfinishedFiles.h"

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <unistd.h>

namespace rivulet
{

namespace
{

struct Entry
{
  std::atomic<bool> armed{ false }; ///< the path is complete; it changes only while this is false
  std::array<char, 4096> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler reads it");

std::array<Entry, 64> entries;
std::mutex changes; // never taken by the handler

} // namespace

bool add_unfinished_file(const std::string& path)
{
  const std::lock_guard lock(changes);
  for (Entry& entry : entries)
  {
    if (path.size() < entry.path.size() && !entry.armed.load(std::memory_order_relaxed))
    {
      std::memcpy(entry.path.data(), path.c_str(), path.size() + 1);
      entry.armed.store(true, std::memory_order_release);
      return true;
    }
  }
  return false;
}

void forget_unfinished_file(const std::string& path)
{
  const std::lock_guard lock(changes);
  for (Entry& entry : entries)
  {
    if (entry.armed.load(std::memory_order_relaxed) && path == entry.path.data())
    {
      entry.armed.store(false, std::memory_order_release);
      return;
    }
  }
}

void remove_unfinished_files() noexcept
{
  for (const auto remove : { &::unlink, &::rmdir }) // folders when they are empty
  {
    for (const Entry& entry : entries)
    {
      if (entry.armed.load(std::memory_order_acquire))
      {
        remove(entry.path.data());
      }
    }
  }
}

} // namespace rivulet
