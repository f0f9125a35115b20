// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The requested bricks, their waiters, and the order in which to read them.
///
///     (none) --add()--> queued --take_best()--> being read --finish()--> (none, its waiters are told)
///                          ^                                      |
///                          +------------- put_back() -------------+
///
/// The brick that most particles wait for comes first; of equals, the one that was requested first. Then come bricks
/// without waiters (prefetch), by priority. Bricks are known by their number in the field (Locate/BrickLocator.h), so
/// that near numbers are near in the file.
///
/// Threads: any, one mutex. The table calls no waiter itself: it returns the answers to give, each waiter once per
/// request.
#pragma once

#include "Store/Source/BrickSource.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace rivulet
{

struct WantedBrick
{
  BrickKey key;
  std::int64_t number = 0; ///< number of its record in the field
  bool ahead = false;      ///< whether it has no waiter (prefetch)
};

/// An answer for one waiter.
struct BrickAnswer
{
  BrickKey key;
  BrickWaiter* waiter = nullptr;
};
/// Tells the waiters that their bricks are not handed over (Miss).
void tell(const std::vector<BrickAnswer>& answers);

class RequestTable
{
public:
  /// Adds a request. Throws std::bad_alloc, without having added it. If the brick is not in the table and settled()
  /// says that it is in the cache, nothing is added and the result is false. settled() is called under the mutex, so
  /// that no request is added between the end of a read and finish().
  template <class Settled>
  [[nodiscard]] bool add(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles, Settled&& settled)
  {
    const std::lock_guard lock(mutex_);
    if (!entries_.contains(brick.number) && settled())
    {
      return false;
    }
    join(brick, waiter, particles);
    return true;
  }

  /// Queues a brick without a waiter. False, and no change, if it is in the table or settled(), or if `most`
  /// prefetches are in the table.
  template <class Settled>
  [[nodiscard]] bool prefetch(const WantedBrick& brick, std::int64_t priority, std::int64_t most, Settled&& settled)
  {
    const std::lock_guard lock(mutex_);
    if (ahead_ >= most || entries_.contains(brick.number) || settled())
    {
      return false;
    }
    queue_new(brick, { .key = brick.key, .priority = priority, .turn = turns_++, .queued = true, .ahead = true });
    ++ahead_;
    return true;
  }

  /// `also_ahead`: whether a brick without a waiter may be taken.
  [[nodiscard]] std::optional<WantedBrick> take_best(bool also_ahead = true);
  /// Takes the first queued brick of the same variable and step with a number in [first, last].
  [[nodiscard]] std::optional<WantedBrick> take_after(const WantedBrick& near, std::int64_t first, std::int64_t last);
  /// Takes the last such brick.
  [[nodiscard]] std::optional<WantedBrick> take_before(const WantedBrick& near, std::int64_t first, std::int64_t last);
  void put_back(const WantedBrick& brick);

  [[nodiscard]] std::vector<BrickAnswer> finish(std::int64_t number);
  /// Removes all requests of one waiter; bricks that no other waiter needs leave the queue.
  [[nodiscard]] std::vector<BrickAnswer> withdraw(const BrickWaiter& waiter);
  /// Removes all requests of queued bricks.
  [[nodiscard]] std::vector<BrickAnswer> withdraw_queued();

private:
  struct Entry
  {
    BrickKey key;
    std::int64_t particles = 0; ///< number of waiting particles; 0 for a prefetch
    std::int64_t priority = 0;  ///< priority of a prefetch
    std::int64_t turn = 0;
    bool queued = false;
    bool ahead = false; ///< a prefetch without a request so far
    std::vector<BrickWaiter*> waiters{};
  };
  using Entries = std::map<std::int64_t, Entry>;
  /// Minus particles, minus priority, turn, number.
  using Rank = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

  [[nodiscard]] static Rank rank(const Entries::value_type& entry)
  {
    return { -entry.second.particles, -entry.second.priority, entry.second.turn, entry.first };
  }
  void join(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles);
  void queue_new(const WantedBrick& brick, Entry&& entry);
  [[nodiscard]] Entries::iterator withdraw(
      Entries::iterator entry, const BrickWaiter& waiter, std::vector<BrickAnswer>& answers);
  [[nodiscard]] WantedBrick take(Entries::value_type& entry);
  Entries::iterator erase(Entries::iterator entry);

  std::mutex mutex_;
  Entries entries_;
  std::set<Rank> queue_;
  std::int64_t turns_ = 0;
  std::int64_t ahead_ = 0; ///< number of entries with `ahead`
};

} // namespace rivulet
