// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One thread's share of a run; see Scheduler.h. Everything here is private to its thread but the mailbox.
#pragma once

#include "Trace/Advect/Scheduler.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

/// One task before it starts.
struct Task
{
  std::int64_t number = 0;
  std::int64_t item = 0;       ///< that the seed is of; see AdvectionContext::item_of()
  std::int64_t order = 0;      ///< of that brick on the storage
  std::int64_t cell_order = 0; ///< of the seed within the brick
  CellPosition seed;
  double time = 0.0; ///< unsteady
};

/// What the workers of a run share.
struct SharedRun
{
  explicit SharedRun(const AdvectionContext& the_context)
    : context(the_context)
  {
  }

  const AdvectionContext& context;
  std::vector<Task> tasks; ///< by order, then cell_order
  std::int64_t chunk = 1;
  std::int64_t in_flight = 1; ///< particles a worker keeps going
  std::vector<TaskResult> results;
  std::atomic<std::int64_t> next_task{ 0 };
  std::atomic<std::int64_t> finished{ 0 };
  std::atomic<bool> stop{ false };
  std::atomic<Termination> cut{ Termination::Cancelled }; ///< why lines end where the run stops
  std::atomic<bool> out_of_memory{ false };
  std::mutex error_mutex;
  std::shared_ptr<const Error> error; ///< the first brick that could not be read
};

class ParticleWorker final : public BrickWaiter
{
public:
  ParticleWorker(SharedRun& shared, LineStore& lines)
    : shared_(shared)
    , lines_(lines)
  {
  }

  /// Traces until no task is left or the run is stopped. Call once. Where the system has no memory left this stops the
  /// run, for all workers; every particle keeps the points it has.
  void run();

  [[nodiscard]] std::int64_t steps_taken() const { return steps_; }
  [[nodiscard]] std::int64_t times_parked() const { return parked_times_; }
  [[nodiscard]] double stall_seconds() const { return stall_seconds_; }

  void brick_arrived(const BrickKey& key) override;

private:
  /// Particles that want the same item (see AdvectionContext::item_of()).
  struct Bucket
  {
    std::vector<Particle*> particles;
    bool queued = false;          ///< in ready_, or parked
    bool parked = false;          ///< waits for a brick
    bool waits_for_upper = false; ///< for that of its upper time level
    int times_parked = 0;
  };
  /// The bricks of a item: one, or one for each of two time levels.
  struct Pins
  {
    std::array<Lookup, 2> found;
  };

  void work();
  void claim();
  void start(const Task& task);
  void put(Particle& particle, std::int64_t item);
  bool wait_for_brick();
  void open_mail();
  bool wake(std::int64_t item, bool upper);
  void visit(std::int64_t item);
  [[nodiscard]] Lookup look_up(std::int64_t item, bool upper);
  bool pin(std::int64_t item, Pins& pins);
  void park(std::int64_t item, bool upper);
  void advance(std::int64_t item, const Pins& pins, std::vector<Particle*>& waiting);
  void route(Particle& particle, std::int64_t item);
  void move(Particle& particle);
  void judge_not_finite(Particle& particle, std::int64_t item);
  void fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error);
  void retire(Particle& particle);
  void run_out_of_memory();
  void withdraw_requests();
  void abandon();

  SharedRun& shared_;
  LineStore& lines_;
  std::deque<Particle> particles_;
  std::vector<Particle*> spare_; ///< with capacity for all
  std::unordered_map<std::int64_t, Bucket> buckets_;
  std::deque<std::int64_t> ready_;
  std::vector<Particle*> done_;
  std::int64_t kept_item_ = -1; ///< whose lower brick `kept_` is
  Lookup kept_;
  std::int64_t active_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t parked_times_ = 0;
  double stall_seconds_ = 0.0;

  std::mutex mail_mutex_;
  std::condition_variable mail_;
  std::vector<BrickKey> arrived_; ///< with capacity for all that are on their way
  std::int64_t requested_ = 0;    ///< requests made and not yet opened from the mailbox
};

} // namespace rivulet
