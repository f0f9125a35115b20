// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that the ranks of a job read for each other: each brick has one rank that owns it, which reads it from the
/// file and keeps it for all; the others ask that rank before they ask the file.
///
///     const RankSession session{ &link, link.begin_session() };       // on all ranks
///     DistributedBricks shared(field, session, { .budget = 512 * kMiB });
///     ... requests from any thread; poll() often from the thread that may call MPI ...
///     shared.close(idle);                                             // on all ranks: returns when all have come here
///
///     asking rank                owner
///       Ask            ------->    takes the brick from its source: from its cache, or the file
///                      <-------    Brick, with its values; or Refuse, because the source has none, or too
///                                much waits to be sent
///
/// An owner that does not answer in time costs time, never an answer: the rank then reads the file itself. The values
/// are the same. A rank that enters later, has nothing to trace, fails, or never polls is no hindrance therefore. One
/// that is done answers the others until all are.
///
/// Owners change every kRun bricks along the storage, so that an owner can read neighbours together. Either all ranks
/// own bricks, or the last ones own all, which then have their memory and processors for that alone.
///
/// Worth it where ranks on several machines read the same bricks from a storage that is slow for all of them together.
/// On one machine the page cache shares bricks already (Documentation/design/appendix/0023-bricks-between-ranks.md).
///
/// A rank that destroys the object without close() leaves at once. Then all ranks must do so, or the others wait for it
/// in close().
///
/// Memory: bricks of other ranks lie in a cache of `budget` bytes; own ones in the source's. A rank that has no memory
/// for a message does without, and nothing fails for that.
///
/// Threads: any; poll() and close() the one that may call MPI. The link must have no other user at the same time.
/// Bytes.
#pragma once

#include "Parallel/RankLink.h"
#include "Store/Cache/FetchedCache.h"
#include "Store/Source/BudgetedStore.h"
#include "Store/Source/ForwardingSource.h"

#include <array>
#include <chrono>
#include <functional>

namespace rivulet
{

struct RankedOptions
{
  std::int64_t budget = 1; ///< bytes for bricks of other ranks; at least one brick is kept
  int most_asked = 128;    ///< bricks that are asked for at a time; half of them may be prefetched
  /// While messages of more bytes wait to be sent, an owner refuses: ranks that do not look take no more of its memory.
  std::int64_t most_unsent = std::int64_t{ 64 } << 20;
  /// An owner that has not answered after this time is not waited for: with the first answers, and later, when it is
  /// four times their median but not less than the second.
  std::chrono::milliseconds first_patience{ 200 };
  std::chrono::milliseconds least_patience{ 20 };
};

/// Counters of one rank.
struct DistributedStatistics
{
  std::int64_t asked = 0;    ///< bricks that were asked of other ranks
  std::int64_t received = 0; ///< of these, bricks that came from the owner
  std::int64_t late = 0;     ///< bricks that were read here, because the owner did not answer in time
  std::int64_t refused = 0;  ///< bricks that were read here, because the owner had none, or no room for answers
  std::int64_t served = 0;   ///< bricks that were sent to other ranks
  std::int64_t messages = 0; ///< that were sent
  std::int64_t bytes = 0;    ///< that were sent
  std::array<std::int64_t, 24>
      latency{}; ///< of received bricks: [i] took less than 2^i microseconds, and not less than 2^(i-1)

  DistributedStatistics& operator+=(const DistributedStatistics& more);
};

class DistributedBricks final : public ForwardingSource, public BudgetedStore
{
public:
  static constexpr std::int64_t kRun = 16;

  /// `own` must serve all bricks of the field, and not read within try_get(). Throws std::bad_alloc.
  DistributedBricks(std::shared_ptr<BrickSource> own, const RankSession& session, const RankedOptions& options);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  void withdraw(BrickWaiter& waiter) override;
  void prefetch(std::span<const BrickKey> keys, std::int64_t priority) override;
  [[nodiscard]] std::int64_t bricks_at_once() const override;

  // The cache of bricks of other ranks.
  [[nodiscard]] std::string path() const override { return {}; }
  [[nodiscard]] std::int64_t memory_budget() const override { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override { cache_.set_memory_budget(bytes); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * cache_.slot_bytes(); }
  [[nodiscard]] SourceStatistics statistics() const override; ///< without reads

  /// Rank that owns a brick.
  [[nodiscard]] int owner_of(const BrickKey& key) const;

  /// Takes all bricks from `own` from now on: for a run in which another rank cannot share. Nothing is polled then.
  /// Call before the first brick is asked for.
  void read_alone() { alone_ = true; }
  [[nodiscard]] bool reads_alone() const { return alone_; }

  /// Asks other ranks, answers them, and takes their answers.
  void poll();
  /// Ends the session. Meanwhile answers other ranks, and calls `idle` about every 100 ms.
  void close(const std::function<void()>& idle = {});
  /// Call from the thread that polls.
  [[nodiscard]] const DistributedStatistics& ranked() const;

private:
  class Exchange;

  void unpin(void* token) override { cache_.unpin(token); }
  [[nodiscard]] bool exists(const BrickKey& key) const;
  [[nodiscard]] bool is_own(const BrickKey& key) const;
  [[nodiscard]] WantedBrick wanted(const BrickKey& key) const;

  std::shared_ptr<BrickSource> own_;
  const int rank_;
  const int owners_;
  std::int64_t most_bricks_ = 1; ///< of a variable and step
  FetchedCache cache_;
  Exchange* exchange_ = nullptr; ///< owned by cache_
  bool alone_ = false;
};

} // namespace rivulet
