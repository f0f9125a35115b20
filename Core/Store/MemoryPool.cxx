// SPDX-License-Identifier: BSD-3-Clause
#include "Store/MemoryPool.h"

#include "Base/Bytes.h"
#include "Store/FreeMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int64_t kLargestDefault = 2 * kGiB;
constexpr std::int64_t kSmallestDefault = 16 * kMiB;

std::int64_t cap_from_environment()
{
  const char* text = std::getenv("RIVULET_MEMORY_LIMIT");
  if (text == nullptr || *text == '\0')
  {
    return std::numeric_limits<std::int64_t>::max();
  }
  const Result<std::int64_t> bytes = parse_bytes(text);
  if (!bytes)
  {
    // There is nobody to return an error to; going on in silence would be worse.
    std::fprintf(stderr, "RIVULET_MEMORY_LIMIT is ignored: %s\n", bytes.error().describe().c_str());
    return std::numeric_limits<std::int64_t>::max();
  }
  return *bytes;
}

} // namespace

MemoryPool::MemoryPool()
  : cap_(cap_from_environment())
{
}

MemoryPool& MemoryPool::process()
{
  static MemoryPool pool;
  return pool;
}

void MemoryPool::note_peak(std::int64_t used)
{
  std::int64_t seen = peak_.load(std::memory_order_relaxed);
  while (seen < used && !peak_.compare_exchange_weak(seen, used, std::memory_order_relaxed))
  {
  }
}

bool MemoryPool::try_take(std::int64_t bytes)
{
  std::int64_t used = used_.load(std::memory_order_relaxed);
  do
  {
    if (bytes > cap_ - used)
    {
      return false;
    }
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  note_peak(used + bytes);
  return true;
}

void MemoryPool::take(std::int64_t bytes)
{
  note_peak(used_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

void MemoryPool::give_back(std::int64_t bytes)
{
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

std::int64_t default_memory_budget()
{
  const std::int64_t share = std::min(kLargestDefault, free_memory() / 4) / ranks_on_node();
  return std::max(share, kSmallestDefault);
}

} // namespace rivulet
