// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One worker's share of a run; see Advect.h. Threads: one at a time, except wake(): any.
#pragma once

#include "Parallel/Executor.h"
#include "Trace/Advect/Advect.h"
#include "Trace/Advect/Prefetcher.h"
#include "Trace/Advect/WorkQueue.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

struct FieldWindow;

/// State shared by the workers of a run.
struct SharedRun
{
  const AdvectionContext& context;
  ParticleSource& source;
  Recorder& recorder;
  std::int64_t chunk = 1;         ///< number of releases taken at a time
  std::int64_t in_flight = 1;     ///< number of particles that a worker has at a time
  std::int64_t with_work = 1;     ///< the same while some of them can be advanced
  std::int64_t most_requests = 1; ///< number of bricks that a worker may have requested and not used yet
  // Written while particles are advanced, and hence not on the cache line of values that are read for each step.
  alignas(64) std::atomic<std::int64_t> going{ 0 }; ///< number of particles released and not ended
  std::atomic<std::int64_t> finished{ 0 };
  alignas(64) std::atomic<bool> stop{ false };
  std::atomic<Termination> cut{ Termination::Cancelled }; ///< reason for the end of lines when the run stops
  std::atomic<bool> out_of_memory{ false };
  std::mutex error_mutex{};
  std::shared_ptr<const Error> error{}; ///< the first brick that could not be read
};

/// On cache lines of its own, because its neighbours in memory belong to other threads.
class alignas(64) ParticleWorker final
{
public:
  ParticleWorker(SharedRun& shared, int number)
    : shared_(shared)
    , number_(number)
    , lines_(shared.recorder.store_of(number))
    , crossings_(shared.recorder.crossings_of(number))
    , prefetcher_(shared.context)
    , ready_(shared.context)
  {
  }

  /// One part of the work, for the particles of one brick. Never waits. If the system has no memory left, this stops
  /// the run for all workers; every particle keeps its points. After the last particle, or a stop, slices wait for the
  /// answers of requests and end the remaining particles.
  [[nodiscard]] Slice slice();
  /// Waits until a slice can do something again, 50 ms at most.
  void wait();
  /// Ends wait() early, so that the worker notices a stop.
  void wake();

  /// Keeps the learnt hints for later runs. After the last slice.
  void keep_hints() { prefetcher_.keep_hints(); }

  [[nodiscard]] std::int64_t steps_taken() const { return steps_; }
  [[nodiscard]] std::int64_t releases_outside() const { return outside_; }
  [[nodiscard]] std::int64_t times_parked() const { return parked_times_; }
  [[nodiscard]] double stall_seconds() const { return stall_seconds_; }

private:
  using Clock = std::chrono::steady_clock;
  /// Bricks of a work item that are there, in the order of AdvectionContext::brick_of().
  using FoundBricks = std::array<Lookup, ItemBrick::kMost>;
  /// Takes the answers of one source.
  class Mailbox final : public BrickWaiter
  {
  public:
    Mailbox(ParticleWorker& worker, ItemBrick::Of of)
      : worker_(worker)
      , of_(of)
    {
    }
    void brick_arrived(const BrickKey& key, Lookup&& found) override
    {
      worker_.take_in({ of_, key }, std::move(found));
    }

  private:
    ParticleWorker& worker_;
    ItemBrick::Of of_;
  };
  /// Particles of the same work item (see AdvectionContext::item_of()).
  struct Bucket
  {
    std::vector<Particle*> particles;
    bool queued = false; ///< whether it is in ready_ or parked
    bool parked = false; ///< whether it waits for a brick
    int waits_for = 0;   ///< number of that brick
    Clock::time_point parked_at;
    FoundBricks found;
  };
  /// A brick that arrived in answer to a request.
  struct Arrival
  {
    ItemBrick brick;
    Lookup found;
  };

  Slice work();
  void count_ended();
  void begin_end();
  Slice end();
  void take_releases();
  void start(const Release& release);
  void go_on(Particle& particle, const ParticleState& from);
  void enter_time(Particle& particle, std::int64_t brick);
  [[nodiscard]] bool hidden_at_release(const Particle& particle) const;
  [[nodiscard]] Bucket& bucket_of(std::int64_t item);
  void drop_bucket(std::int64_t item);
  void put(Particle& particle, std::int64_t item);
  void take_arrivals();
  void take_in(const ItemBrick& brick, Lookup&& found);
  bool wake(std::int64_t item, const ItemBrick& brick, Lookup& found);
  void visit(std::int64_t item);
  bool pin(std::int64_t item, Bucket& bucket);
  void keep_or_unpin(std::int64_t item, Bucket& bucket);
  void park(std::int64_t item, int number);
  void look_ahead(std::int64_t item, int number);
  [[nodiscard]] Mailbox& mailbox_of(ItemBrick::Of of) { return mailboxes_[static_cast<std::size_t>(of)]; }
  [[nodiscard]] FieldWindow window_of(std::int64_t item, const FoundBricks& found) const;
  void advance(std::int64_t item, const FoundBricks& found, std::vector<Particle*>& waiting);
  void route(Particle& particle, std::int64_t item);
  void move(Particle& particle);

  void end_outside(Particle& particle);
  void judge_not_finite(Particle& particle, std::int64_t item);
  void note_error(const std::shared_ptr<const Error>& error);
  void fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error);
  void retire(Particle& particle);
  void pause(Particle& particle);
  void let_go(Particle& particle);
  void run_out_of_memory();

  SharedRun& shared_;
  int number_;
  LineStore* lines_;       ///< nullptr: points are not kept
  CrossingLog* crossings_; ///< nullptr: no surfaces
  ParticleSource::Supply supply_ = ParticleSource::Supply::More;
  std::vector<Release> releases_; ///< the last releases taken
  std::deque<Particle> particles_;
  std::vector<Particle*> spare_; ///< unused particles; has capacity for all
  std::unordered_map<std::int64_t, Bucket> buckets_;
  std::int64_t last_item_ = -1; ///< item of last_bucket_; -1: none
  Bucket* last_bucket_ = nullptr;
  Prefetcher prefetcher_;
  WorkQueue ready_;
  std::deque<std::int64_t> items_with_pins_; ///< items whose buckets got a brick: advanced first, as they hold pins
  std::vector<Particle*> done_;
  std::int64_t partially_pinned_item_ =
      -1; ///< the item that keeps some of its bricks while it waits for another one; -1: none
  std::int64_t active_ = 0;
  std::int64_t ended_ = 0; ///< particles that other workers do not know of
  std::int64_t steps_ = 0;
  std::int64_t outside_ = 0;
  std::int64_t parked_times_ = 0;
  double stall_seconds_ = 0.0;
  bool ending_ = false; ///< no more particles are advanced

  std::array<Mailbox, ItemBrick::kSources> mailboxes_{ Mailbox{ *this, ItemBrick::Of::Velocity },
    Mailbox{ *this, ItemBrick::Of::Places } };
  std::mutex mail_mutex_;
  std::condition_variable mail_;
  std::vector<Arrival> arrived_; ///< has capacity for the answers of all requests
  bool next_misses_ = false;     ///< whether the next item's brick is missing and too many are requested already
  std::int64_t requested_ = 0;   ///< number of requests without an answer taken
};

} // namespace rivulet
