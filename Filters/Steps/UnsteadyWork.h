// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of an unsteady filter on a request of its outputs. vtkRivuletUnsteadyFilter drives it: it gets the time steps
/// that the work needs, in one execution of the filter or in several, and writes the report.
///
///     take_seeds()         again and again, until it needs the seeds at no other time
///     prepare()            reads the request, and says whether results of earlier requests serve it
///     begin()
///     next(), go_on()      again and again, until next() has nothing
///     finish(), fill()     results and outputs
///
/// Ranks: every rank calls the same functions in the same order, because the steps of a pipeline are collective.
/// Therefore next() has the same answer on all ranks. Threads: the one that called RequestData. Lifetime: from request
/// to request, until the filter forgets it.
#pragma once

#include "Filters/Run/RunReport.h"
#include "Filters/Steps/FlowSteps.h"
#include "Pipeline/Ranks.h"

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

class UnsteadyWork
{
public:
  UnsteadyWork() = default;
  UnsteadyWork(const UnsteadyWork&) = delete;
  UnsteadyWork& operator=(const UnsteadyWork&) = delete;
  virtual ~UnsteadyWork() = default;

  /// Whether particles go back in time: at present, if they do both.
  [[nodiscard]] virtual bool backward() const = 0;
  /// Number of time steps without which there is nothing to do: 1 or 2.
  [[nodiscard]] virtual int least_steps() const { return 2; }
  /// Whether go_on() makes collective calls. Then the progress of each rank is its own. Before each of them
  /// `run.sharing`, if it is set, must be told (ParticleSharing::meet()).
  [[nodiscard]] virtual bool communicates() const { return false; }
  /// The first interval that a request at a time will need, as far as is known before it is prepared; none if results
  /// of earlier requests may serve it.
  [[nodiscard]] virtual std::optional<std::int32_t> first_interval(
      const std::vector<double>& times, double time) const = 0;

  /// Time at which the inputs after the first one are executed.
  [[nodiscard]] virtual double seeds_time(const std::vector<double>& times) const
  {
    return backward() ? times.back() : times.front();
  }
  /// Keeps the seeds as they are now, if they move. `anew`: those kept before may have changed. Returns whether they
  /// are needed at another seeds_time(), the same on all ranks.
  [[nodiscard]] virtual Result<bool> take_seeds(const UnsteadyPass& pass, const std::vector<double>& times, bool anew)
  {
    (void)pass;
    (void)times;
    (void)anew;
    return false;
  }

  /// Fails if it cannot go on with the steps of a simulation that runs, as they come, by its present settings.
  [[nodiscard]] virtual Result<void> check_growth() const
  {
    return fail(ErrorCode::Unsupported, "the filter cannot follow the steps of a simulation that runs",
        "let the analytics store write them, and use the filter on the store");
  }
  /// Whether it has an output at the first step of a simulation that runs.
  [[nodiscard]] virtual bool shows_first_step() const { return false; }

  /// Reads a request. `times`: of the input's steps. `same`: filter, input and times are those of the request before;
  /// of a simulation that runs, there may be later times.
  /// Returns whether results of that serve this one on this rank. Fails if the request makes no sense.
  [[nodiscard]] virtual Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) = 0;
  /// Begins with the request. `again`: earlier results serve it on all ranks. The steps live as long as this.
  virtual void begin(FlowSteps& steps, bool again) = 0;
  /// Text for users: why the input has to be executed for each step in any case; empty if it has not.
  [[nodiscard]] virtual std::string reason_for_steps() const { return {}; }
  /// Called for each step that is taken, with the input as it is then. Fails if the work cannot do with it.
  [[nodiscard]] virtual Result<void> check_step(vtkDataObject& input, double time)
  {
    (void)input;
    (void)time;
    return {};
  }
  /// Called when the input is open, once for a request, before next().
  [[nodiscard]] virtual Result<void> opened() { return {}; }

  /// Intervals to go through next, from their beginning in the direction of time; none: there is nothing left to do.
  [[nodiscard]] virtual std::optional<IntervalRange> next() const = 0;
  /// Number of intervals that the request takes in all, an estimate for the progress shown.
  [[nodiscard]] virtual std::int64_t intervals() const = 0;
  /// The share of the request that is done, if go_on() reports the share of something else than its intervals.
  [[nodiscard]] virtual std::optional<double> share_of_all(double share) const
  {
    (void)share;
    return {};
  }
  /// Goes through intervals: all of next(), or its beginning. `run` has threads and progress.
  [[nodiscard]] virtual Result<void> go_on(const IntervalRange& part, const RunOptions& run) = 0;

  /// Makes the results. Adds what this rank counted to the report. `stopped`: before all was done.
  [[nodiscard]] virtual Result<void> finish(RunReport& report, bool stopped) = 0;
  /// Fills the outputs, and adds further facts to those of all filters. `report`: of all ranks.
  virtual void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) = 0;
  /// Shows warnings after a run. `report`: of all ranks. Collective.
  virtual void warn(const UnsteadyPass& pass, const RunReport& report)
  {
    (void)pass;
    (void)report;
  }
  /// The first error that ended particles early; nullptr if there is none.
  [[nodiscard]] virtual std::shared_ptr<const Error> data_error() const = 0;

  /// Words for the line of progress, such as "tracing paths".
  [[nodiscard]] virtual std::string doing() const = 0;
  /// Words for the warning after a stop: which part of the results is there.
  [[nodiscard]] virtual std::string left_after_stop(const RunReport& report) const = 0;
  /// Interpolation in time, from that of the filter.
  [[nodiscard]] virtual TimeInterpolation interpolation(TimeInterpolation of_filter) const { return of_filter; }
  /// Settings of a run, from those of the filter.
  [[nodiscard]] virtual RunSettings settings(const RunSettings& of_filter) const { return of_filter; }
};

} // namespace rivulet
