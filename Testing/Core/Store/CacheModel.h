// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a BrickCache should do, said a second time and as simply as can be: sets, a list by age, sums. Used by one
/// thread. The cache is asked first; of the bricks that it may evict the model is told which are gone.
///
///     CacheModel model(slots, banks);
///     model.try_get(7, good, gone);      // as the cache answered?
#pragma once

#include "Core/Store/CacheUnderTest.h"

#include <algorithm>
#include <list>
#include <map>

namespace rivulet::test
{

class CacheModel
{
public:
  using Bricks = std::set<std::int64_t>;

  /// With one bank the oldest must go, with several any that nobody uses.
  CacheModel(std::int64_t slots, bool oldest_goes)
    : capacity_(std::max<std::int64_t>(1, slots))
    , oldest_goes_(oldest_goes)
  {
  }

  /// A cache that loads: what it answers to try_get().
  Lookup::State try_get(std::int64_t brick, bool good, const Bricks& gone)
  {
    if (failed_.contains(brick))
    {
      return Lookup::State::Failed;
    }
    if (ready(brick))
    {
      ++hits_;
      pin(brick);
      return Lookup::State::Ready;
    }
    if (!take(gone))
    {
      return Lookup::State::Miss;
    }
    ++misses_;
    return arrive(brick, good);
  }

  /// A cache that is filled.
  Lookup::State find(std::int64_t brick)
  {
    if (failed_.contains(brick))
    {
      return Lookup::State::Failed;
    }
    if (!ready(brick))
    {
      return Lookup::State::Miss;
    }
    ++(fresh_.erase(brick) > 0 ? misses_ : hits_);
    pin(brick);
    return Lookup::State::Ready;
  }
  bool begin_load(std::int64_t brick, const Bricks& gone)
  {
    const bool taken = take(gone);
    if (taken)
    {
      loading_.insert(brick);
    }
    return taken;
  }
  Lookup::State end_load(std::int64_t brick, bool good)
  {
    loading_.erase(brick);
    misses_ += good ? 0 : 1;
    if (good)
    {
      fresh_.insert(brick);
    }
    return arrive(brick, good);
  }

  void unpin(std::int64_t brick)
  {
    if (--users_[brick] > 0)
    {
      return;
    }
    users_.erase(brick);
    if (held_ > capacity_)
    {
      fresh_.erase(brick);
      give_back();
      return;
    }
    ages_.push_back(brick);
    tell();
  }
  void set_slots(std::int64_t slots, const Bricks& gone)
  {
    capacity_ = std::max<std::int64_t>(1, slots);
    while (held_ > capacity_ && spare_ > 0)
    {
      --spare_;
      --held_;
    }
    while (held_ > capacity_ && !ages_.empty())
    {
      evict(gone);
      --held_;
    }
    tell();
  }
  void request(std::int64_t brick)
  {
    ++asked_;
    const bool known = ready(brick) || loading_.contains(brick) || failed_.contains(brick);
    if (known || spare_ > 0 || held_ < capacity_ || !ages_.empty())
    {
      tell();
    }
  }

  [[nodiscard]] bool ready(std::int64_t brick) const
  {
    return users_.contains(brick) || std::find(ages_.begin(), ages_.end(), brick) != ages_.end();
  }
  [[nodiscard]] bool settled(std::int64_t brick) const { return ready(brick) || failed_.contains(brick); }
  /// Bricks that may be evicted, the oldest first.
  [[nodiscard]] const std::list<std::int64_t>& ages() const { return ages_; }
  [[nodiscard]] const std::map<std::int64_t, int>& users() const { return users_; }
  [[nodiscard]] const Bricks& loading() const { return loading_; }
  [[nodiscard]] std::int64_t held() const { return held_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] std::int64_t told() const { return told_; } ///< waiters that were, the first ones
  [[nodiscard]] SourceStatistics statistics() const
  {
    return { .bytes_read = 100 * reads_,
      .bricks_read = reads_,
      .cache_hits = hits_,
      .cache_misses = misses_,
      .peak_bytes = peak_ * kSlot };
  }
  /// Every slot that holds memory is in exactly one place.
  [[nodiscard]] bool adds_up() const
  {
    const auto places = static_cast<std::int64_t>(ages_.size() + users_.size() + loading_.size()) + spare_;
    return held_ == places;
  }

private:
  void pin(std::int64_t brick)
  {
    ages_.remove(brick);
    ++users_[brick];
  }
  Lookup::State arrive(std::int64_t brick, bool good)
  {
    if (!good)
    {
      failed_.insert(brick);
      give_back();
      return Lookup::State::Failed;
    }
    ++reads_;
    users_[brick] = 1;
    return Lookup::State::Ready;
  }
  bool take(const Bricks& gone)
  {
    if (spare_ > 0)
    {
      --spare_;
      return true;
    }
    if (held_ < capacity_)
    {
      ++held_;
      peak_ = std::max(peak_, held_);
      return true;
    }
    if (ages_.empty())
    {
      return false;
    }
    evict(gone);
    return true;
  }
  void evict(const Bricks& gone)
  {
    const auto which = oldest_goes_
                           ? ages_.begin()
                           : std::find_if(ages_.begin(), ages_.end(), [&](auto each) { return gone.contains(each); });
    const auto victim = which == ages_.end() ? ages_.begin() : which;
    fresh_.erase(*victim);
    ages_.erase(victim);
  }
  void give_back()
  {
    held_ > capacity_ ? --held_ : ++spare_;
    tell();
  }
  void tell() { told_ = asked_; }

  std::int64_t capacity_;
  const bool oldest_goes_;
  std::int64_t held_ = 0;
  std::int64_t spare_ = 0;
  std::int64_t peak_ = 0;
  std::list<std::int64_t> ages_;
  std::map<std::int64_t, int> users_;
  Bricks loading_;
  Bricks failed_;
  Bricks fresh_; ///< loaded, and nobody has found them yet
  std::int64_t hits_ = 0;
  std::int64_t misses_ = 0;
  std::int64_t reads_ = 0;
  std::int64_t asked_ = 0;
  std::int64_t told_ = 0;
};

} // namespace rivulet::test
