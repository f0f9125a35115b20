// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which bricks are asked for, by whom, and which of them to read next.
///
///     (none) --add()--> queued --take_best()--> being read --finish()--> (none, its waiters are told)
///                          ^                                      |
///                          +------------- put_back() -------------+
///
/// The brick that most particles wait for comes first; of equals, the one that was asked for first. Then come bricks
/// that nobody waits for yet (prefetch), by their priority. Bricks are known by
/// their number in the field (Locate/BrickLocator.h), so that what is near in number is near in the file.
///
/// Threads: any, one mutex. Tells nobody itself: it hands out whom to tell, each waiter once per request.
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
  std::int64_t number = 0; ///< of its record
};

/// Whom to tell of what.
struct BrickAnswer
{
  BrickKey key;
  BrickWaiter* waiter = nullptr;
};
/// That the bricks are not handed over.
void tell(const std::vector<BrickAnswer>& answers);

class RequestTable
{
public:
  /// Throws std::bad_alloc; the waiter has not asked then. False, and nothing is kept, if nobody asked for the brick
  /// yet and settled() says that it is in the cache. It is asked under the mutex, so that no request is added between
  /// the end of a read and finish().
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

  /// Queues a brick that nobody waits for yet. False, and nothing is kept, if it is in the table or settled().
  template <class Settled>
  [[nodiscard]] bool prefetch(const WantedBrick& brick, std::int64_t priority, Settled&& settled)
  {
    const std::lock_guard lock(mutex_);
    if (entries_.contains(brick.number) || settled())
    {
      return false;
    }
    queue_new(brick, { .key = brick.key, .priority = priority, .turn = turns_++, .queued = true });
    return true;
  }

  [[nodiscard]] std::optional<WantedBrick> take_best();
  /// The first queued brick of the same variable and step with a number from `first` to `last`, both included.
  [[nodiscard]] std::optional<WantedBrick> take_after(const WantedBrick& near, std::int64_t first, std::int64_t last);
  /// The last such brick.
  [[nodiscard]] std::optional<WantedBrick> take_before(const WantedBrick& near, std::int64_t first, std::int64_t last);
  void put_back(const WantedBrick& brick);

  [[nodiscard]] std::vector<BrickAnswer> finish(std::int64_t number);
  /// All requests of one waiter; bricks that nobody else wants are not queued any more.
  [[nodiscard]] std::vector<BrickAnswer> withdraw(const BrickWaiter& waiter);
  /// Its requests of one brick.
  [[nodiscard]] std::vector<BrickAnswer> cancel(std::int64_t number, const BrickWaiter& waiter);
  /// All requests of bricks that are queued.
  [[nodiscard]] std::vector<BrickAnswer> withdraw_queued();

private:
  struct Entry
  {
    BrickKey key;
    std::int64_t particles = 0; ///< that wait for it; 0 of a prefetch
    std::int64_t priority = 0;  ///< of a prefetch
    std::int64_t turn = 0;
    bool queued = false;
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

  std::mutex mutex_;
  Entries entries_;
  std::set<Rank> queue_;
  std::int64_t turns_ = 0;
};

} // namespace rivulet
