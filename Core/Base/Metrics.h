// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Counters for many writing threads and occasional reads.
///
///     ShardedCounter hits;
///     hits.add(1);                      // any thread: touches a cache line that few others write
///     std::int64_t so_far = hits.total();
///
/// Exact when the counting threads are done. While they count, total() may miss the latest additions.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rivulet
{

class ShardedCounter
{
public:
  void add(std::int64_t amount) { shards_[shard_of_thread()].value.fetch_add(amount, std::memory_order_relaxed); }

  [[nodiscard]] std::int64_t total() const
  {
    std::int64_t sum = 0;
    for (const Shard& shard : shards_)
    {
      sum += shard.value.load(std::memory_order_relaxed);
    }
    return sum;
  }

private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kCacheLine = 64;

  struct alignas(kCacheLine) Shard
  {
    std::atomic<std::int64_t> value{ 0 };
  };

  static std::size_t shard_of_thread()
  {
    static std::atomic<std::size_t> next{ 0 };
    thread_local const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed) % kShards;
    return mine;
  }

  std::array<Shard, kShards> shards_;
};

} // namespace rivulet
