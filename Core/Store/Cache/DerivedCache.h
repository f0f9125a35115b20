// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache of bricks that are made from other values. If making may wait for storage, threads of the cache make the
/// bricks while the callers do other work. Else the calling thread makes them.
///
///     DerivedCache cache_{ *this, *this, count, { .slot_bytes = largest }, [this] { return at_once(); } };
///
/// Threads: any. It must be the owner's last member: its threads use the loader until it is destroyed. Bytes.
#pragma once

#include "Store/Cache/FetchedCache.h"

#include <functional>
#include <memory>

namespace rivulet
{

/// For BrickCacheOptions: the bytes of a variable in the bricks of a cut, which must outlive the cache.
[[nodiscard]] std::function<std::int64_t(const BrickKey&)> bytes_in(const BrickCut& cut, const Variable& variable);

class DerivedCache
{
public:
  /// `owner`: the source that pins are returned to; it has `bricks` bricks of variable 0 at each of `steps`. `at_once`:
  /// number of bricks that threads of the cache may make at a time; empty: no such threads. A budget of 0 is
  /// default_memory_budget().
  DerivedCache(BrickSource& owner, BrickLoader& loader, std::int64_t bricks, const BrickCacheOptions& options,
      const std::function<int()>& at_once, std::int32_t steps = 1);

  [[nodiscard]] Lookup try_get(const BrickKey& key);
  void request(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles);
  void withdraw(const BrickWaiter& waiter);
  void unpin(void* token);

  [[nodiscard]] std::int64_t slot_bytes() const;
  [[nodiscard]] std::int64_t memory_budget() const;
  void set_memory_budget(std::int64_t bytes);
  /// Hits, misses and memory.
  [[nodiscard]] SourceStatistics statistics() const;

private:
  [[nodiscard]] bool exists(const BrickKey& key) const;
  [[nodiscard]] std::int64_t order(const BrickKey& key) const { return key.step * bricks_ + key.index; }

  std::int64_t bricks_;
  std::int32_t steps_;
  // One of the two is set.
  std::unique_ptr<BrickCache> at_once_;
  std::unique_ptr<FetchedCache> later_;
};

} // namespace rivulet
