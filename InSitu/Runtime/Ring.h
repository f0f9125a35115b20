// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The double hand-shake between the simulation's thread and the one that runs analytics, over a ring of buffers.
///
///     simulation                                   analytics
///       acquire()   waits for analyticsDone          take()   waits for dataReady
///       copies into the buffer                       analyses
///       put()       says dataReady                   done()   says analyticsDone
///
///     handed  0 1 2 3 4 5 6        a sequence number for each step that was handed over
///                 | | | +-- waiting                  steps leave in the order in which they came
///                 | | +---- waiting, first_waiting()
///                 | +------ taken
///                 +-------- done
///
/// One thread on the left side, and one at a time on the right side. With one buffer this is the hand-shake of Dirand
/// et al. 2018, Fig. 1.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace rivulet::insitu
{

/// A step on its way to analytics.
struct Ticket
{
  std::int64_t sequence = 0;
  std::int64_t step = 0;
  int buffer = 0;
  bool whole = true; ///< false: no copy on this rank. Its analytics leave the step out; with MPI, on all ranks
};

class Ring
{
public:
  using Seconds = std::chrono::duration<double>;

  explicit Ring(int buffers);
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // ---- the simulation's thread

  /// A free buffer. Waits for at most `limit` seconds for one; 0: does not wait.
  [[nodiscard]] std::optional<int> acquire(Seconds limit);
  /// dataReady. Returns the sequence number.
  std::int64_t put(int buffer, std::int64_t step, bool whole);
  /// Has the other thread do something within take(), and waits for it. With `now` only if that thread is idle; false
  /// if it is not, and nothing was done. Errands throw nothing.
  bool ask(const std::function<void()>& errand, bool now);
  /// take() returns the waiting steps, then nothing.
  void close();

  /// No buffer is free.
  [[nodiscard]] bool full() const;
  /// Sequence number of the oldest waiting step, or the next one that put() will give.
  [[nodiscard]] std::int64_t first_waiting() const;
  /// While held, take() begins no step, so that ranks can agree on one to drop.
  void hold(bool held);
  /// Frees the buffer of a waiting step. False if it does not wait.
  bool drop(std::int64_t sequence);
  /// All steps before this sequence number are done or were dropped. Dropped ones come after the one that is executed,
  /// so their number says nothing about it.
  [[nodiscard]] std::int64_t first_unfinished() const;

  // ---- the thread that runs analytics

  /// The oldest waiting step. Waits for dataReady; nothing when the ring is closed and empty. Executes errands
  /// meanwhile.
  [[nodiscard]] std::optional<Ticket> take();
  /// The same without a wait for dataReady.
  [[nodiscard]] std::optional<Ticket> try_take();
  /// analyticsDone.
  void done(const Ticket& ticket);

  /// Seconds that take() has waited so far.
  [[nodiscard]] double idle_seconds() const;

private:
  [[nodiscard]] bool may_take() const { return !held_ && !waiting_.empty(); }
  Ticket take_front();

  mutable std::mutex mutex_; ///< guards all members below
  std::condition_variable data_ready_;
  std::condition_variable analytics_done_;
  std::vector<int> free_;
  std::deque<Ticket> waiting_;
  std::int64_t handed_ = 0;
  std::optional<std::int64_t> running_; ///< sequence number of the step that was taken
  std::function<void()> errand_;        ///< empty: none
  bool idle_ = false;                   ///< take() waits for dataReady
  bool held_ = false;
  bool closed_ = false;
  double idle_seconds_ = 0;
};

} // namespace rivulet::insitu
