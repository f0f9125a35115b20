// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory budget, access strategy and number of threads of one flow, or of several that are used together, while a
/// filter reads from it. begin() replaces the reader's settings, the destructor restores them, and statistics() counts
/// the values read in between.
///
/// The filter's budget is the total for the flows. Lazily paged fields, AMR patches that are read on demand, the bricks
/// assembled from them, joined bricks and tiles share it. If the filter has no budget, the budget of each reader bounds
/// the values from that reader.
///
///     FieldRun run(flow, { .memory_budget = 128 * kMiB });
///     Result<int> threads = run.begin();               // refuses a budget that is too small
///     ... trace ...
///     SourceStatistics read = run.statistics();
///
/// Ranks may read bricks of one lazily paged field for each other (Store/Derived/DistributedBricks.h). The field is
/// then read asynchronously, and a part of the budget is for bricks of other ranks.
///
/// Threads: one. Lifetime: the flows must outlive it.
#pragma once

#include "Filters/Input/FlowInput.h"
#include "Pipeline/LazyField.h"
#include "Pipeline/Ranks.h"
#include "Store/Derived/DistributedBricks.h"
#include "Store/Memory/SharedBudget.h"

#include <memory>
#include <vector>

namespace rivulet
{

class FieldMemory;

/// The user's settings of a run of a filter. They change no result.
struct RunSettings
{
  std::int64_t memory_budget = 0; ///< bytes; 0 = the reader's budget, or the default if no reader has one
  AccessStrategy strategy = AccessStrategy::Automatic; ///< Automatic = the reader's strategy
  int threads = 0;                                     ///< 0 = all cores, or as many as the budget allows
  int bricks_per_thread = 1;                           ///< of one array; pathlines: the time steps of an interval
  int budget_parts = 1;       ///< equal parts of the user's memory budget, of which memory_budget is one
  double times_as_much = 1.0; ///< memory that later runs with the same settings need, as a multiple of this one's
  RankSession bricks{};       ///< ranks that read bricks for each other; no link: each reads its own
};

/// Text for users: access strategies in use.
struct FieldAccess
{
  std::string strategy; ///< strategies of all fields, separated by commas
  std::string reason;   ///< reasons for them, one sentence each
};

class FieldRun
{
public:
  FieldRun(FlowInput& flow, const RunSettings& settings)
    : FieldRun(std::vector<FlowInput*>{ &flow }, settings)
  {
  }
  FieldRun(std::vector<FlowInput*> flows, const RunSettings& settings);
  FieldRun(const FieldRun&) = delete;
  FieldRun& operator=(const FieldRun&) = delete;
  ~FieldRun();

  /// Applies the settings and returns the number of threads to use. Fails with BudgetTooSmall if the threads set, or
  /// one thread if none are set, need more memory than the budget.
  [[nodiscard]] Result<int> begin();

  /// Largest number of particles to advance at a time, for RunOptions; 0 = no limit. Call after begin().
  [[nodiscard]] std::int64_t most_particles() const;

  /// Values read so far, summed over all fields. peak_bytes is the largest amount held at once; after an earlier run
  /// that held more, it is the budget, an upper bound.
  [[nodiscard]] SourceStatistics statistics() const;

  /// Bricks that ranks read for each other, which must be polled while particles are advanced; nullptr if each rank
  /// reads its own: not wanted, or the velocity is not that of one lazily paged field.
  [[nodiscard]] DistributedBricks* ranked() const { return ranked_.get(); }

  /// Access strategies in use. Automatic is decided only when the trace begins.
  [[nodiscard]] FieldAccess access() const;

private:
  [[nodiscard]] SharedBudget& budget_of(std::int64_t bytes);
  [[nodiscard]] SharedBudget& first_budget();
  [[nodiscard]] Result<void> add_fields();
  [[nodiscard]] Result<void> add_field(const std::shared_ptr<LazyField>& field, const FlowInput& flow);
  [[nodiscard]] Result<void> add_ranked();
  void add_levels();
  void add_joined();
  void add_tiles();
  [[nodiscard]] int bricks_of(int threads) const { return threads * settings_.bricks_per_thread; }

  std::vector<FlowInput*> flows_;
  RunSettings settings_;
  std::vector<std::shared_ptr<FieldMemory>> memories_; ///< one per lazily paged field
  std::shared_ptr<DistributedBricks> ranked_;
  std::vector<std::unique_ptr<SharedBudget>> budgets_; ///< one if the settings have a budget, else one per reader
};

} // namespace rivulet
