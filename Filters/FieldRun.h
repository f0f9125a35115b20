// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The time during which a filter reads from a flow: its own memory budget and access strategy replace the reader's
/// and are put back at the end, and what was read is counted.
///
///     FieldRun run(flow, { .memory_budget = 128 * kMiB });
///     Result<int> threads = run.begin();               // refuses a budget that is too small
///     ... trace ...
///     SourceStatistics read = run.statistics();
///
/// Threads: one. Lifetime: within that of the flow.
#pragma once

#include "Filters/Flow.h"
#include "Pipeline/LazyField.h"

namespace rivulet
{

/// What a user may set about a run. Nothing here changes a result.
struct RunSettings
{
  std::int64_t memory_budget = 0;                      ///< bytes; 0 = the reader's
  AccessStrategy strategy = AccessStrategy::Automatic; ///< Automatic = the reader's
  int threads = 0;                                     ///< 0 = all cores, or as many as the budget allows
};

class FieldRun
{
public:
  FieldRun(Flow& flow, const RunSettings& settings);
  FieldRun(const FieldRun&) = delete;
  FieldRun& operator=(const FieldRun&) = delete;
  ~FieldRun();

  /// Puts the settings in force; gives the number of threads to use. BudgetTooSmall if that many (or, with 0 threads
  /// set, even one) cannot work within the budget.
  [[nodiscard]] Result<int> begin();

  /// What this run read so far, over all fields. peak_bytes is the largest amount held at once, or an upper bound of it
  /// (the budget) after an earlier run that held more.
  [[nodiscard]] SourceStatistics statistics() const;

private:
  struct Entry
  {
    std::shared_ptr<LazyField> field;
    std::shared_ptr<FileBricks> source; ///< in use: the field's own, or the same file opened with another strategy
    std::int64_t budget_before = 0;
    SourceStatistics before;
  };

  struct StoreEntry
  {
    std::shared_ptr<BudgetedStore> store;
    std::int64_t budget_before = 0;
    SourceStatistics before;
  };

  [[nodiscard]] Result<void> change_strategy(Entry& entry);
  [[nodiscard]] bool fits(int threads) const;
  [[nodiscard]] Error too_small(int threads) const;

  Flow& flow_;
  RunSettings settings_;
  std::vector<Entry> entries_;
  std::vector<StoreEntry> stores_;
};

} // namespace rivulet
