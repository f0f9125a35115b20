// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics that run on the same thread, one after the other, in the order of the configuration.
///
/// Analytics that use MPI run on all ranks or on none. Before a step, ranks agree that all of them have it, with one
/// time; after each execution they agree whether one has failed. Either is a reduction of a few numbers by a
/// communicator that no plugin sees: a plugin that fails between two of its own messages would otherwise mix its
/// messages with the agreement's.
#pragma once

#include "Analytics.h"

#include <atomic>
#include <optional>
#include <vector>

namespace rivulet::insitu
{

/// True if all ranks say `mine`. False, too, where MPI fails. Collective.
[[nodiscard]] bool all_agree(MPI_Comm comm, bool mine);

class AnalyticsGroup
{
public:
  /// `comm`: for agreements only, without other use on this thread; needed only if members use MPI.
  AnalyticsGroup(std::vector<Analytics*> members, MPI_Comm comm, const std::atomic<bool>& stopped);

  [[nodiscard]] const std::vector<Analytics*>& members() const { return members_; }
  [[nodiscard]] bool uses_mpi() const;
  /// Some of them need this step on this rank.
  [[nodiscard]] bool needs(std::int64_t step) const;

  /// Some of them want a variable at this step on this rank. `variable`: null for a mesh itself.
  [[nodiscard]] bool wants(std::int64_t step, const char* name, const char* variable) const;

  /// Failures switch the analytics off.
  void create();
  /// `snapshot`: null where this rank does not have the step. A failure costs the step, or switches off at `sequence`.
  void execute(std::int64_t step, const rivulet_snapshot* snapshot, std::int64_t sequence);
  void destroy();

  /// Analytics that a thread is in; null: none. For any thread.
  [[nodiscard]] const Analytics* running() const { return running_; }
  [[nodiscard]] double active_seconds() const { return active_seconds_; }
  /// Steps that came after the session's limit of time, so that some analytics left them out.
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }

private:
  [[nodiscard]] bool agree(const Analytics& analytics, bool mine) const;
  [[nodiscard]] std::optional<rivulet_snapshot> agree_on_step(
      Analytics& analytics, const rivulet_snapshot* mine, std::int64_t step) const;
  [[nodiscard]] bool execute_all(Analytics& analytics, const rivulet_snapshot& snapshot) const;

  std::vector<Analytics*> members_;
  MPI_Comm comm_;
  const std::atomic<bool>& stopped_;
  std::atomic<const Analytics*> running_{ nullptr };
  std::atomic<double> active_seconds_{ 0 };
  std::atomic<std::int64_t> left_out_{ 0 };
};

} // namespace rivulet::insitu
