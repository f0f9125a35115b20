// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One call of advect() whose particles are shared out among ranks; see ParticleSharing.h. Stands between the workers
/// and the source and the recorder of the call: the source hands out borrowed releases when the own ones are used up,
/// and the recorder packs the results of borrowed particles for their lender.
///
/// Threads: that of advect(); the source and the recorder as theirs.
#pragma once

#include "Trace/Advect/ParticleSharing.h"
#include "Trace/Advect/ParticleSource.h"
#include "Trace/Advect/Recorder.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace rivulet
{

struct AdvectionSummary;

class SharedAdvection final : private ParticleSource, private Recorder
{
public:
  /// Begins the call. All arguments must outlive this object. `most_together`: particles of others that a worker takes
  /// at once, if there are as many, so that they pass the bricks together. Throws std::bad_alloc.
  SharedAdvection(ParticleSharing& sharing, const AdvectionContext& context, ParticleSource& source, Recorder& recorder,
      std::int64_t most_together);
  /// Ends the call.
  ~SharedAdvection() override;

  [[nodiscard]] ParticleSource& source() { return *this; }
  [[nodiscard]] Recorder& recorder() { return *this; }

  /// After the workers have ended: returns the results of borrowed particles, and waits for the results of lent ones.
  /// If the run was stopped or lacks memory, waits for one second at most. The other particles then end with the
  /// reason of the stop.
  void finish(const RunOptions& run, AdvectionSummary& summary);

  /// Whether workers would take more releases than there are.
  [[nodiscard]] bool is_hungry() const { return hungry_.load(); }
  /// Whether the system has no memory for the results of lent particles.
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

  /// The same number for records that other ranks understand.
  [[nodiscard]] std::int64_t kind_of_records() const;

  /// Takes particles for another rank: the content of a message, and their number, which is 0 if none are left. Throws
  /// std::bad_alloc; then the taken particles count as returned.
  [[nodiscard]] std::pair<std::vector<std::byte>, std::int64_t> lend();
  /// Takes the particles that another rank has given. Throws std::bad_alloc; then none are taken.
  void borrow(int lender, std::span<const std::byte> content, std::int64_t count);
  /// Sends the results that are there.
  void send_results();
  /// Results of lent particles.
  void take_results(std::span<const std::byte> content, std::int64_t count);
  /// Lent particles that come back without results. `stopped`: because the borrower was.
  void take_back(std::int64_t count, bool stopped)
  {
    came_back_ += count;
    borrower_stopped_ = borrower_stopped_ || stopped;
  }

private:
  /// A particle of another rank.
  struct Borrowed
  {
    int lender = 0;
    std::int64_t batch = 0; ///< number given by the lender
    std::int64_t place = 0; ///< within the batch
    Release release;
    std::unique_ptr<ParticleState> state; ///< where the release is paused
    std::int64_t steps_before = 0;
  };
  /// Particles that another rank has borrowed.
  struct Batch
  {
    std::vector<Release> releases;
    std::vector<std::uint8_t> back; ///< whether the result is there
  };
  /// Results of a worker's borrowed particles, by lender.
  struct Packed
  {
    std::vector<std::byte> bytes;
    std::int64_t count = 0;
    std::int64_t lost = 0;
    std::int64_t unbegun = 0;
    [[nodiscard]] bool empty() const { return count + lost + unbegun == 0; }
  };
  /// Of one worker, on cache lines of its own.
  struct alignas(64) Outbox
  {
    std::mutex mutex;
    std::map<int, Packed> packed;
    std::int64_t steps = 0;
    std::size_t entries_seen = 0; ///< of the worker's crossing log
    std::unordered_map<std::int64_t, std::vector<Crossing>> entries;
  };
  struct Result;

  // As a source.
  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override;
  [[nodiscard]] std::int64_t expected() const override
  {
    return own_.expected() - lent_.load() + borrowed_count_.load();
  }
  [[nodiscard]] std::vector<Release> some(std::size_t most) const override { return own_.some(most); }
  [[nodiscard]] bool take_borrowed(std::int64_t most, std::vector<Release>& to);

  // As a recorder.
  void prepare(const AdvectionContext& context, int workers) override;
  [[nodiscard]] LineStore* store_of(int worker) override { return told_.store_of(worker); }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return told_.crossings_of(worker); }
  void ended(int worker, const Particle& particle) override;
  void paused(int worker, const Particle& particle) override;
  [[nodiscard]] std::vector<std::byte> pack(const Batch& batch) const;
  void pack(int worker, const Particle& particle, bool paused);
  [[nodiscard]] std::size_t record_bytes() const;
  [[nodiscard]] std::vector<Crossing> entries_of(Outbox& outbox, int worker, std::int64_t task);
  void return_unbegun();

  void wait_for_lent(const RunOptions& run, AdvectionSummary& summary);
  void end_rest(Termination reason);
  void tell(const Result& result, std::span<const std::byte> records, std::span<const std::byte> entries);
  [[nodiscard]] bool keep_points(std::span<const std::byte> records, std::int64_t points, PointChain& chain);

  ParticleSharing& sharing_;
  const AdvectionContext& context_;
  ParticleSource& own_;
  Recorder& told_;
  std::int64_t most_together_;
  int workers_ = 0; ///< the number of the recorder's share for results of lent particles

  std::atomic<std::int64_t> taken_{ 0 }; ///< own releases
  std::atomic<bool> own_done_{ false };
  std::atomic<bool> hungry_{ false };

  std::mutex borrowed_mutex_;
  std::deque<Borrowed> borrowed_;
  std::size_t borrowed_taken_ = 0;
  std::atomic<std::int64_t> borrowed_left_{ 0 };
  std::atomic<std::int64_t> borrowed_count_{ 0 };
  std::vector<std::unique_ptr<Outbox>> outboxes_;

  std::deque<Batch> batches_;
  std::atomic<std::int64_t> lent_{ 0 };
  std::atomic<std::int64_t> outstanding_{ 0 }; ///< lent particles without results, returned ones included
  std::int64_t came_back_ = 0;                 ///< without results
  std::int64_t steps_of_lent_ = 0;
  bool out_of_memory_ = false;
  bool borrower_stopped_ = false;
  bool stopped_ = false; ///< lends nothing any more
};

} // namespace rivulet
