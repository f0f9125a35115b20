// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache that threads of its own fill, with a loader of which every load can be held, and waiters that can be waited
/// for.
///
///     FetchedUnderTest source(slots);
///     source.start(2);                        // two at a time
///     Gate& gate = source.hold(7);            // brick 7 will take until the gate opens
///     source.request(brick(7), waiter);
#pragma once

#include "Core/Store/CacheUnderTest.h"
#include "Core/Store/Gate.h"
#include "Store/Cache/FetchedCache.h"

#include <deque>
#include <map>
#include <new>
#include <thread>

namespace rivulet::test
{

/// Keeps what it is handed, in the order in which it comes.
class PatientWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    keys_.push_back(key.index);
    found_.push_back(std::move(found));
    arrived_.notify_all();
  }
  /// Waits until it has been told so often; returns the last answer of these.
  Lookup& wait_for(std::size_t count)
  {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return found_.size() >= count; });
    return found_[count - 1];
  }
  [[nodiscard]] std::size_t calls()
  {
    const std::lock_guard lock(mutex_);
    return found_.size();
  }
  [[nodiscard]] std::vector<std::int64_t> keys()
  {
    const std::lock_guard lock(mutex_);
    return keys_;
  }
  void let_go()
  {
    std::deque<Lookup> gone;
    const std::lock_guard lock(mutex_);
    gone.swap(found_);
  }

private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::int64_t> keys_;
  std::deque<Lookup> found_;
};

/// Makes bricks that hold their number, and notes who was made when.
class GatedLoader final : public BrickLoader
{
public:
  /// Every load of this brick waits for the gate; to be said before it is asked for.
  Gate& hold(std::int64_t index) { return gates_[index]; }

  Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override
  {
    {
      const std::lock_guard lock(mutex_);
      order_.push_back(key.index);
      most_ = std::max(most_, ++now_);
    }
    if (const auto gate = gates_.find(key.index); gate != gates_.end())
    {
      gate->second.pass();
    }
    std::this_thread::yield();
    {
      const std::lock_guard lock(mutex_);
      --now_;
    }
    if (huge == key.index)
    {
      throw std::bad_alloc();
    }
    return fill(key.index, slot, !bad.contains(key.index));
  }
  [[nodiscard]] std::vector<std::int64_t> order()
  {
    const std::lock_guard lock(mutex_);
    return order_;
  }
  /// Loads that went on at once.
  [[nodiscard]] int most()
  {
    const std::lock_guard lock(mutex_);
    return most_;
  }

  // Before they are asked for.
  std::set<std::int64_t> bad;
  std::int64_t huge = -1; ///< has no memory to be made in

private:
  std::map<std::int64_t, Gate> gates_;
  std::mutex mutex_;
  std::vector<std::int64_t> order_;
  int now_ = 0;
  int most_ = 0;
};

class FetchedUnderTest final : public BrickSource
{
public:
  explicit FetchedUnderTest(std::int64_t slots)
    : cache(*this, { .slot_bytes = kSlot, .memory_budget = slots * kSlot, .banks = 1 })
  {
    grid_.count = { 1 << 20, 1, 1 };
  }
  void start(int at_once)
  {
    cache.start(loader, [at_once] { return at_once; });
  }
  Gate& hold(std::int64_t index) { return loader.hold(index); }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return cache.find({ key, key.index }); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    cache.request({ key, key.index }, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override { cache.withdraw(waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * kSlot; }
  [[nodiscard]] SourceStatistics statistics() const override { return cache.statistics(); }

  GatedLoader loader;
  FetchedCache cache;

private:
  void unpin(void* token) override { cache.unpin(token); }

  FieldInfo info_;
  BrickGrid grid_;
};

} // namespace rivulet::test
