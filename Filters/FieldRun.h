// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The time during which a filter reads from a flow: its own memory budget and access strategy replace the reader's
/// and are put back at the end, and what was read is counted. The filter's budget is the total of the run: lazily paged
/// fields, patches of AMR that are read on demand, the bricks that are made of them, joined bricks and tiles share it.
/// Without one, each reader's budget holds for what comes from it.
///
///     FieldRun run(flow, { .memory_budget = 128 * kMiB });
///     Result<int> threads = run.begin();               // refuses a budget that is too small
///     ... trace ...
///     SourceStatistics read = run.statistics();
///
/// Threads: one. Lifetime: within that of the flow.
#pragma once

#include "Filters/FlowInput.h"
#include "Pipeline/LazyField.h"
#include "Store/Memory/SharedBudget.h"

#include <memory>

namespace rivulet
{

class FieldMemory;

/// What a user may set about a run. Nothing here changes a result.
struct RunSettings
{
  std::int64_t memory_budget = 0; ///< bytes; 0 = the reader's, or the default where no reader has one
  AccessStrategy strategy = AccessStrategy::Automatic; ///< Automatic = the reader's
  int threads = 0;                                     ///< 0 = all cores, or as many as the budget allows
};

/// How values got into memory during a run, in words.
struct FieldAccess
{
  std::string strategy; ///< of all fields, with commas between them
  std::string reason;   ///< why
};

class FieldRun
{
public:
  FieldRun(FlowInput& flow, const RunSettings& settings);
  FieldRun(const FieldRun&) = delete;
  FieldRun& operator=(const FieldRun&) = delete;
  ~FieldRun() = default;

  /// Puts the settings in force; gives the number of threads to use. BudgetTooSmall if that many (or, with 0 threads
  /// set, even one) cannot work within the budget.
  [[nodiscard]] Result<int> begin();

  /// Particles to keep going at a time, once begun; 0: any number.
  [[nodiscard]] std::int64_t most_particles() const;

  /// What this run read so far, over all fields. peak_bytes is the largest amount held at once, or an upper bound of it
  /// (the budget) after an earlier run that held more.
  [[nodiscard]] SourceStatistics statistics() const;

  /// What was settled on so far: an automatic choice is made when the trace begins.
  [[nodiscard]] FieldAccess access() const;

private:
  [[nodiscard]] SharedBudget& budget_of(std::int64_t bytes);
  [[nodiscard]] SharedBudget& first_budget();
  [[nodiscard]] std::int64_t other_levels() const;
  [[nodiscard]] Result<void> add_field(const std::shared_ptr<LazyField>& field);
  void add_levels();
  void add_joined();
  void add_tiles();

  FlowInput& flow_;
  RunSettings settings_;
  std::vector<std::shared_ptr<FieldMemory>> memories_; ///< of lazily paged fields
  std::vector<std::unique_ptr<SharedBudget>> budgets_; ///< one if the run has a budget
};

} // namespace rivulet
