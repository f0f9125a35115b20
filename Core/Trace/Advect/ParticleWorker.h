// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One worker's share of a run; see Advect.h. Everything here is private to the thread that runs it but the mailbox.
#pragma once

#include "Trace/Advect/Advect.h"
#include "Trace/Advect/WorkQueue.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

/// What the workers of a run share.
struct SharedRun
{
  const AdvectionContext& context;
  ParticleSource& source;
  Recorder& recorder;
  std::int64_t chunk = 1;               ///< releases taken at a time
  std::int64_t in_flight = 1;           ///< particles a worker keeps going
  std::atomic<std::int64_t> going{ 0 }; ///< released and not ended
  std::atomic<std::int64_t> finished{ 0 };
  std::atomic<bool> stop{ false };
  std::atomic<Termination> cut{ Termination::Cancelled }; ///< why lines end where the run stops
  std::atomic<bool> out_of_memory{ false };
  std::mutex error_mutex{};
  std::shared_ptr<const Error> error{}; ///< the first brick that could not be read
};

class ParticleWorker final : public BrickWaiter
{
public:
  ParticleWorker(SharedRun& shared, int number)
    : shared_(shared)
    , number_(number)
    , lines_(shared.recorder.store_of(number))
    , crossings_(shared.recorder.crossings_of(number))
    , ready_(shared.context)
  {
  }

  enum class Slice : std::uint8_t
  {
    Worked, ///< call again
    Waits,  ///< all its particles wait for bricks, or the source for other workers': wait() before the next slice
    Done    ///< no particle is left, or the run is stopped: finish() comes next
  };

  /// A part of the work, about the particles of one brick. Never waits. Where the system has no memory left this stops
  /// the run, for all workers; every particle keeps the points it has.
  [[nodiscard]] Slice slice();
  /// Waits until a slice can do something again, 50 ms at most.
  void wait();
  /// Ends what is not at its end, when no more slices follow. Waits for the answers of requests.
  void finish();

  [[nodiscard]] std::int64_t steps_taken() const { return steps_; }
  [[nodiscard]] std::int64_t releases_outside() const { return outside_; }
  [[nodiscard]] std::int64_t times_parked() const { return parked_times_; }
  [[nodiscard]] double stall_seconds() const { return stall_seconds_; }

  void brick_arrived(const BrickKey& key) override;

private:
  /// Particles of the same work item (see AdvectionContext::item_of()).
  struct Bucket
  {
    std::vector<Particle*> particles;
    bool queued = false;        ///< in ready_, or parked
    bool parked = false;        ///< waits for a brick
    bool waits_for_end = false; ///< for that of the interval's end
    int times_parked = 0;
  };
  /// The bricks of an item: one, or one for each end of an interval.
  struct Pins
  {
    std::array<Lookup, 2> found;
  };

  Slice work();
  void take_releases();
  void start(const Release& release);
  void put(Particle& particle, std::int64_t item);
  void open_mail();
  bool wake(std::int64_t item, bool end);
  void visit(std::int64_t item);
  [[nodiscard]] Lookup look_up(std::int64_t item, bool end);
  bool pin(std::int64_t item, Pins& pins);
  [[nodiscard]] std::int64_t most_requests() const;
  void park(std::int64_t item, bool end);
  void advance(std::int64_t item, const Pins& pins, std::vector<Particle*>& waiting);
  void route(Particle& particle, std::int64_t item);
  void move(Particle& particle);
  void judge_not_finite(Particle& particle, std::int64_t item);
  void note_error(const std::shared_ptr<const Error>& error);
  void fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error);
  void retire(Particle& particle);
  void run_out_of_memory();
  void withdraw_requests();

  SharedRun& shared_;
  int number_;
  LineStore* lines_;       ///< nullptr: no points are kept
  CrossingLog* crossings_; ///< nullptr: there are no surfaces
  ParticleSource::Supply supply_ = ParticleSource::Supply::More;
  std::vector<Release> releases_; ///< the last ones taken
  std::deque<Particle> particles_;
  std::vector<Particle*> spare_; ///< with capacity for all
  std::unordered_map<std::int64_t, Bucket> buckets_;
  WorkQueue ready_;
  std::vector<Particle*> done_;
  std::int64_t kept_item_ = -1; ///< whose first brick `kept_` is
  Lookup kept_;
  std::int64_t active_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t outside_ = 0;
  std::int64_t parked_times_ = 0;
  double stall_seconds_ = 0.0;

  std::mutex mail_mutex_;
  std::condition_variable mail_;
  std::vector<BrickKey> arrived_; ///< with capacity for all that are on their way
  bool next_misses_ = false;      ///< the next item's brick is not there, and too many are asked for already
  std::int64_t requested_ = 0;    ///< requests made and not yet opened from the mailbox
};

} // namespace rivulet
