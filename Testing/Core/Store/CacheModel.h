// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a BrickCache should do, said a second time and as simply as can be: sets, a list by age, sums. Used by one
/// thread. The cache is asked first; of the bricks that it may evict the model is told which are gone.
///
///     CacheModel model(pages, true, Sizes::Mixed);
///     model.try_get(7, good, gone);      // as the cache answered?
#pragma once

#include "Core/Store/CacheUnderTest.h"

#include <algorithm>
#include <list>
#include <map>
#include <numeric>
#include <set>

namespace rivulet::test
{

class CacheModel
{
public:
  using Bricks = std::set<std::int64_t>;

  /// With one bank the oldest must go, with several any that nobody uses; these need bricks of one size.
  CacheModel(std::int64_t pages, bool oldest_goes, Sizes sizes)
    : sizes_(sizes)
    , oldest_goes_(oldest_goes)
  {
    set_capacity(pages);
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
    if (!take(brick, gone))
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
    const bool taken = take(brick, gone);
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
      give_back(brick);
      return;
    }
    ages_.push_back(brick);
    tell();
  }
  void set_budget(std::int64_t pages, const Bricks& gone)
  {
    set_capacity(pages);
    while (held_ > capacity_ && drop_spare())
    {
    }
    while (held_ > capacity_ && !ages_.empty())
    {
      held_ -= evict(gone);
    }
    tell();
  }
  void request(std::int64_t brick)
  {
    ++asked_;
    const bool known = ready(brick) || loading_.contains(brick) || failed_.contains(brick);
    if (known || size(brick) <= capacity_ - held_ + sum(spare_) + pages_in(ages_))
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
  /// Pages of bricks that are in use or being loaded.
  [[nodiscard]] std::int64_t in_use() const
  {
    std::int64_t pages = pages_in(loading_);
    for (const auto& [brick, count] : users_)
    {
      pages += size(brick);
    }
    return pages;
  }
  /// Every slot that holds memory is in exactly one place.
  [[nodiscard]] bool adds_up() const { return held_ == pages_in(ages_) + in_use() + sum(spare_); }

private:
  [[nodiscard]] std::int64_t size(std::int64_t brick) const { return sizes_ == Sizes::One ? 1 : pages_of(brick); }
  template <class Some>
  [[nodiscard]] std::int64_t pages_in(const Some& bricks) const
  {
    std::int64_t pages = 0;
    for (const std::int64_t brick : bricks)
    {
      pages += size(brick);
    }
    return pages;
  }
  [[nodiscard]] static std::int64_t sum(const std::multiset<std::int64_t>& sizes)
  {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{ 0 });
  }
  void set_capacity(std::int64_t pages) { capacity_ = std::max(sizes_ == Sizes::One ? 1 : kMostPages, pages); }

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
      give_back(brick);
      return Lookup::State::Failed;
    }
    ++reads_;
    users_[brick] = 1;
    return Lookup::State::Ready;
  }
  bool take(std::int64_t brick, const Bricks& gone)
  {
    const std::int64_t pages = size(brick);
    if (const auto same = spare_.find(pages); same != spare_.end())
    {
      spare_.erase(same);
      return true;
    }
    while (held_ + pages > capacity_)
    {
      if (drop_spare())
      {
        continue;
      }
      if (ages_.empty())
      {
        return false;
      }
      const std::int64_t evicted = evict(gone);
      if (evicted == pages)
      {
        return true;
      }
      held_ -= evicted;
    }
    held_ += pages;
    peak_ = std::max(peak_, held_);
    return true;
  }
  /// The smallest first.
  bool drop_spare()
  {
    if (spare_.empty())
    {
      return false;
    }
    held_ -= *spare_.begin();
    spare_.erase(spare_.begin());
    return true;
  }
  /// Pages of the brick that was evicted.
  std::int64_t evict(const Bricks& gone)
  {
    const auto which = oldest_goes_
                           ? ages_.begin()
                           : std::find_if(ages_.begin(), ages_.end(), [&](auto each) { return gone.contains(each); });
    const auto victim = which == ages_.end() ? ages_.begin() : which;
    const std::int64_t pages = size(*victim);
    fresh_.erase(*victim);
    ages_.erase(victim);
    return pages;
  }
  void give_back(std::int64_t brick)
  {
    if (held_ > capacity_)
    {
      held_ -= size(brick);
    }
    else
    {
      spare_.insert(size(brick));
    }
    tell();
  }
  void tell() { told_ = asked_; }

  const Sizes sizes_;
  const bool oldest_goes_;
  std::int64_t capacity_ = 0; ///< this and the next are pages
  std::int64_t held_ = 0;
  std::multiset<std::int64_t> spare_;
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
