// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of an unsteady filter on a request of its outputs. UnsteadyRun drives it: it gets the time steps that the work
/// needs, in one execution of the filter or in several, and writes the report.
///
///     read_settings()      at the beginning of a request
///     prepare()            reads the request, and says whether results of earlier requests serve it
///     begin()              once the input is open
///     next(), go_on()      again and again, until next() has nothing
///     finish(), fill(), warn()
///
/// A work keeps the settings of read_settings(), and uses no others until the next request.
///
/// Ranks: every rank calls the same functions in the same order, because the steps of a pipeline are collective.
/// Therefore next() has the same answer on all ranks. Threads: the one that called RequestData. Lifetime: from request
/// to request, until the filter forgets it.
#pragma once

#include "Filters/Run/RunReport.h"
#include "Filters/Seeds/TimedInputs.h"
#include "Filters/Steps/FlowSteps.h"
#include "Filters/Steps/NextIntervals.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkFieldData;
class vtkInformationVector;

namespace rivulet
{

/// One execution of the filter.
struct UnsteadyPass
{
  vtkInformationVector** inputs = nullptr;
  vtkInformationVector* outputs = nullptr;
  double time = 0.0;  ///< time at which the output is requested; NaN if the request has none
  bool grows = false; ///< the input is that of a simulation that runs, and the last of its times is still to come
};

/// Needs of the work under the present settings of the filter.
struct WorkTraits
{
  std::string doing;         ///< words for the line of progress, such as "tracing paths"
  int least_steps = 2;       ///< number of time steps without which there is nothing to do: 1 or 2
  bool communicates = false; ///< go_on() makes collective calls. Then the progress of each rank is its own. Before each
                             ///< of them `run.sharing`, if it is set, must be told (ParticleSharing::meet())
  bool shows_first_step = false;  ///< it has an output at the first step of a simulation that runs
  int budget_parts = 1;           ///< equal parts of the memory budget, of which the values read have one
  std::string reason_for_steps{}; ///< text for users: why the input is executed for each step in any case; empty: it
                                  ///< need not be
};

/// End of a request, on this rank.
struct WorkEnd
{
  std::shared_ptr<const Error> error{}; ///< the first that ended particles early; nullptr if there is none
  std::string left{};                   ///< words for the warning after a stop: which part of the results is there;
                                        ///< empty: the number of lines
};

class UnsteadyWork
{
public:
  UnsteadyWork() = default;
  UnsteadyWork(const UnsteadyWork&) = delete;
  UnsteadyWork& operator=(const UnsteadyWork&) = delete;
  virtual ~UnsteadyWork() = default;

  /// Reads the settings of the filter for a request.
  [[nodiscard]] virtual WorkTraits read_settings() = 0;
  /// The inputs beside the field; nullptr if they have no times, or there are none.
  [[nodiscard]] virtual TimedInputs* other_inputs() { return nullptr; }
  /// The interval that a request at a time begins with, as far as is known before prepare(); none if results of earlier
  /// requests may serve it.
  [[nodiscard]] virtual std::optional<NextIntervals> expected(const std::vector<double>& times, double time) const = 0;

  /// Reads a request. `times`: of the input's steps. `same`: filter, input and times are as in the request before;
  /// a simulation that runs may have added times.
  /// Returns whether results of that request serve this one on this rank. Fails if the request makes no sense, or if
  /// the work cannot follow the steps of a simulation as they come.
  [[nodiscard]] virtual Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) = 0;
  /// Begins with the request, with the input open. `again`: earlier results serve it on all ranks. The steps live as
  /// long as this.
  [[nodiscard]] virtual Result<void> begin(FlowSteps& steps, bool again) = 0;

  /// Intervals to go through next, from their beginning in the direction of time; none: there is nothing left to do.
  [[nodiscard]] virtual std::optional<NextIntervals> next() const = 0;
  /// Goes through intervals: all of next(), or its beginning. `run` has threads and progress.
  [[nodiscard]] virtual Result<void> go_on(const IntervalRange& part, const RunOptions& run) = 0;

  /// Makes the results. Adds this rank's counts to the report. `stopped`: before all was done.
  [[nodiscard]] virtual Result<WorkEnd> finish(RunReport& report, bool stopped) = 0;
  /// Fills the outputs. Adds facts of this filter to the facts that all filters have. `report`: of all ranks.
  virtual void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) = 0;
  /// Shows warnings after a run. `report`: of all ranks. Collective.
  virtual void warn(const UnsteadyPass& pass, const RunReport& report)
  {
    (void)pass;
    (void)report;
  }
};

/// Error of work that cannot follow a simulation while it runs.
[[nodiscard]] inline auto cannot_follow_a_simulation()
{
  return fail(ErrorCode::Unsupported, "the filter cannot follow the steps of a simulation that runs",
      "let the analytics store write them, and use the filter on the store");
}

} // namespace rivulet
