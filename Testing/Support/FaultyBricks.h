// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Stands between a reader of bricks and a good source, and behaves like a slow or a broken one.
///
///     FaultyBricks source(inner, { .answer = FaultyBricks::Answer::LaterInRandomOrder, .seed = 7 });
///     source.fail({ 0, 0, 12 });
///
/// A brick misses until it was requested and has arrived; then it is handed out `hits` times and misses again, as if it
/// had been evicted. Arrivals are announced by a thread of the source's own (Later...), inside request() (AtOnce), or
/// when the test says so (OnCommand: waiting(), deliver()). A brick that fails arrives too, and then answers Failed.
#pragma once

#include "Store/Source/ForwardingSource.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

namespace rivulet::test
{

struct KeyOrder
{
  bool operator()(const BrickKey& a, const BrickKey& b) const
  {
    return std::tie(a.variable, a.step, a.index) < std::tie(b.variable, b.step, b.index);
  }
};

class FaultyBricks final : public ForwardingSource
{
public:
  enum class Answer
  {
    Ready,              ///< never misses
    AtOnce,             ///< misses; arrives before request() returns
    Later,              ///< misses; arrives from another thread, first come first served
    LaterNewestFirst,   ///< the same, last come first served
    LaterInRandomOrder, ///< the same, in an order drawn from the seed
    OnCommand,          ///< misses; arrives when deliver() is called
  };
  struct Options
  {
    Answer answer = Answer::Ready;
    std::uint64_t seed = 1;
    int hits = 1 << 30;      ///< answers Ready that a brick is good for, once it has arrived
    int gather = 1;          ///< Later...: wait for so many requests, or about 1 ms, before one arrives
    bool hands_over = false; ///< waiters get the brick (one of its hits), not a Miss
  };

  /// `inner` must outlive this.
  FaultyBricks(BrickSource& inner, const Options& options);
  ~FaultyBricks() override; ///< announces what is still waiting first

  void fail(const BrickKey& key); ///< from now on this brick cannot be read
  void set_health(Result<void> health);

  [[nodiscard]] std::vector<BrickKey> waiting() const; ///< requests not yet announced, oldest first
  void deliver(std::size_t which);                     ///< announces request number `which` of waiting()
  [[nodiscard]] std::int64_t requests() const;
  [[nodiscard]] std::int64_t misses() const;

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] Result<void> health() override;

private:
  struct Request
  {
    BrickKey key;
    BrickWaiter* waiter;
  };

  [[nodiscard]] Lookup failed() const;
  [[nodiscard]] std::size_t choose();
  [[nodiscard]] Request take(std::size_t which);
  void announce_all();

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::uint64_t drawn_ = 0;
  std::int64_t requests_ = 0;
  std::int64_t misses_ = 0;
  std::deque<Request> waiting_;
  std::map<BrickKey, int, KeyOrder> hits_left_; ///< of the bricks that have arrived
  std::set<BrickKey, KeyOrder> failing_;
  Result<void> health_;
  std::thread announcer_;
};

} // namespace rivulet::test
