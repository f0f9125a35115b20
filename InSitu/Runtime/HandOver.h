// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Copies of steps, handed over to analytics that run beside the simulation.
///
///     HandOver hand_over(configuration, plan, arenas, group, comm, shared);
///     hand_over.start();
///     hand_over.create();
///     int code = hand_over.give(published, true);        // each step
///     if (!hand_over.finish()) ...                       // then this object must not be destroyed
///
/// Ranks and steps. All ranks give the same steps, so that sequence numbers mean the same everywhere. A rank without a
/// copy (no memory, bad data, no analytics there needs it) gives an empty ticket. Where analytics use MPI, all ranks
/// must leave out the same steps. With `"when_full": "wait"` no step is left out by choice, and ranks exchange nothing.
/// Else the simulation's threads agree, by a reduction of two numbers for each step, on whether some rank is
/// full, and, only then, by another one on the step to drop.
///
/// All functions are called by the simulation's thread.
#pragma once

#include "AnalyticsGroup.h"
#include "AnalyticsMaster.h"
#include "Arenas.h"
#include "SnapshotBuffer.h"

#include <memory>

namespace rivulet::insitu
{

/// Parts of a session that everything in it uses.
struct Shared
{
  Shared(int rank, bool with_trace)
    : messages(rank)
    , trace(with_trace)
  {
  }

  Messages messages;
  Trace trace;
  std::atomic<bool> stopped{ false }; ///< the session's limit of time has passed
};

class HandOver
{
public:
  struct Use
  {
    std::int64_t handed = 0;   ///< steps with a copy
    std::int64_t skipped = 0;  ///< new steps left out, because all buffers were full
    std::int64_t dropped = 0;  ///< waiting steps left out for newer ones
    std::int64_t left_out = 0; ///< steps without a copy, because of memory or data
    std::int64_t copied_bytes = 0;
    double copy_seconds = 0;
    double wait_seconds = 0;
  };

  /// `comm`: for agreements between the simulation's threads. All must live longer than this object.
  HandOver(const Configuration& configuration, const Plan& plan, Arenas& arenas, AnalyticsGroup& group, MPI_Comm comm,
      Shared& shared);
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  /// Throws std::system_error where the system refuses a thread.
  void start() { master_->start(); }
  /// Creates the analytics, and the buffers that the configuration asks for.
  void create();
  /// Hands over a wanted step. `good`: all published data are valid and kept. Returns a code of rivulet_insitu.h.
  int give(const rivulet_snapshot& published, bool good);
  /// Waits for analytics, within the limits of the configuration. False: they are still at work.
  /// `look`: called every 20 ms meanwhile.
  [[nodiscard]] bool finish(const std::function<void()>& look);

  /// Steps that analytics have finished, or that were left out; the same on all ranks, and so a lower bound.
  [[nodiscard]] std::int64_t known_done() const;
  /// Analytics seem to hang: no step is handed over any more.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  [[nodiscard]] const Use& use() const { return use_; }
  [[nodiscard]] double idle_seconds() const { return ring_.idle_seconds(); }

private:
  [[nodiscard]] std::int64_t progress() const;
  [[nodiscard]] bool has_ended(const std::function<void()>& look);
  [[nodiscard]] bool agree_on_room();
  [[nodiscard]] bool drop_one(std::int64_t sequence);
  [[nodiscard]] std::optional<int> wait_for_buffer();
  [[nodiscard]] std::optional<int> find_buffer();
  [[nodiscard]] Result<void> make_room(std::int64_t bytes, int buffer);
  [[nodiscard]] int copy(const rivulet_snapshot& published, int buffer);
  void touch(SnapshotBuffer& buffer);

  const Configuration& configuration_;
  Arenas& arenas_;
  AnalyticsGroup& group_;
  MPI_Comm comm_;
  int ranks_ = 1;
  Shared& shared_;
  Ring ring_;
  std::vector<std::unique_ptr<SnapshotBuffer>> buffers_;
  std::unique_ptr<AnalyticsMaster> master_;
  std::int64_t known_done_ = 0;
  bool gave_up_ = false;
  Use use_;
};

} // namespace rivulet::insitu
