// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One execution of a filter that reads a flow, on all ranks together: the steps around the work of each filter.
///
///     FilterRun run(filter, settings, report);
///     run.make_whole(input, connection);                       // the pieces of the ranks
///     run.together([&] { return open(); });                    // all ranks go on, or none
///     run.show_progress("tracing lines");
///     run.advance({ .progress = run.progress() }, bricks, [&](const RunOptions& options) { return trace(options); });
///     run.combine_report();
///     error = run.fill(outputs, [&] { ... });
///
/// Ranks: every rank calls the same functions in the same order; all but stopped() are collective.
/// Threads: the one that called RequestData. Lifetime: filter, settings and report must outlive it.
#pragma once

#include "Filters/Input/OpenInput.h"
#include "Filters/Run/RunReport.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/RunProgress.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace rivulet
{

/// A filter's settings, as far as all filters have them.
struct FilterSettings
{
  ChooseArray choose;                     ///< the user's choice of vectors
  RunSettings run;                        ///< memory, strategy, threads
  std::function<RunSettings()> begin_run; ///< the same for a run that may read bricks for other ranks; collective
  double maximum_seconds = 0.0;           ///< wall time of a run; 0: no limit
  vtkMTimeType changed = 0;               ///< MTime of the filter
};

/// Facts about an execution that the filter shows in its panel.
struct FilterFacts
{
  std::optional<RunReport> report; ///< over all ranks; none: the results of the run before are kept
  std::string layout;              ///< interpretation of the input
  bool unfinished = false;         ///< the run was refused or ended early
};

class FilterRun
{
public:
  /// `report`: counts of this rank; of all ranks after combine_report().
  FilterRun(vtkAlgorithm& filter, const FilterSettings& settings, RunReport& report);
  FilterRun(const FilterRun&) = delete;
  FilterRun& operator=(const FilterRun&) = delete;
  ~FilterRun() = default;

  [[nodiscard]] const Ranks& ranks() const { return ranks_; }

  /// Replaces this rank's piece of the input by the whole. Fails as rivulet::make_whole().
  [[nodiscard]] Result<void> make_whole(vtkSmartPointer<vtkDataObject>& input, vtkInformation& connection) const;
  /// Does work of each rank. Fails on all ranks if it fails on one, also for want of memory.
  [[nodiscard]] Result<void> together(const std::function<Result<void>()>& work) const;
  [[nodiscard]] bool on_all_ranks(bool here) const;
  [[nodiscard]] bool on_any_rank(bool here) const;

  /// Shows progress from now on, and lets the user stop. `doing`: words such as "tracing lines". `alone`: each rank for
  /// itself, because the work makes collective calls.
  void show_progress(const std::string& doing, bool alone = false);
  /// Function for RunOptions::progress, after show_progress().
  [[nodiscard]] std::function<bool(double)> progress() { return progress_->callback(); }
  /// Ends show_progress().
  void finish_progress() { progress_->finish(); }

  /// Work that advances particles, between show_progress() and its end here: ranks without work serve the others.
  /// `options` has progress. `bricks`: bricks that ranks read for each other, or nullptr. Adds both services to the
  /// report. Fails on this rank alone.
  [[nodiscard]] Result<void> advance(
      RunOptions options, DistributedBricks* bricks, const std::function<Result<void>(const RunOptions&)>& work);
  /// Whether the user stopped the work on some rank.
  [[nodiscard]] bool stopped() const { return progress_ && progress_->stopped(); }

  void combine_report() { combine(ranks_, report_); }

  /// Fills the outputs. Empties them and returns an error if the system has no memory for them.
  [[nodiscard]] std::shared_ptr<const Error> fill(
      vtkInformationVector& outputs, const std::function<void()>& fill) const;
  /// After a stop: keeps the outputs, and warns once that they are `left`.
  void keep_what_is_there(const std::string& left) { progress_->keep_what_is_there(left, kRunAgain); }

private:
  vtkAlgorithm& filter_;
  const FilterSettings& settings_;
  Ranks ranks_;
  std::optional<RunProgress> progress_;
  RunReport& report_;
};

} // namespace rivulet
