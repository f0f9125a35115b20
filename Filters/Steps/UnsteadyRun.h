// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One execution of an unsteady filter. A request of its outputs may take several: each brings the input at a step.
///
///     UnsteadyRun run(filter, settings, request, pass);
///     Result<bool> more = run.pass(facts);      // true: the input is needed at another step
///
/// Ranks: every rank takes the same path through pass(), because the steps are collective. Threads: the one that called
/// RequestData.
#pragma once

#include "Filters/Run/FilterRun.h"
#include "Filters/Steps/UnsteadyRequest.h"
#include "Filters/Steps/UnsteadyWork.h"

#include <string>
#include <vector>

namespace rivulet
{

struct UnsteadySettings
{
  FilterSettings of_all;
  TimeInterpolation interpolation = TimeInterpolation::Linear;
};

struct UnsteadyFacts : FilterFacts
{
  std::string time_access; ///< the way to the steps, and why
  int steps_requested = 0; ///< number of steps that the request asked the input for
};

class UnsteadyRun
{
public:
  UnsteadyRun(
      vtkAlgorithm& filter, const UnsteadySettings& settings, UnsteadyRequest& request, const UnsteadyPass& pass);

  /// Goes on with the request as far as the input at hand allows. Fills the outputs, and sets the facts, when all is
  /// done. Returns whether the input is needed at another step.
  [[nodiscard]] Result<bool> pass(UnsteadyFacts& facts);

private:
  [[nodiscard]] bool has_same_times(const std::vector<double>& times) const;
  [[nodiscard]] Result<bool> take_seeds();
  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<bool> prepare(std::vector<double>& times);
  void make_steps(std::vector<double> times, bool anew);
  void start_report();
  [[nodiscard]] RunSettings share_of(RunSettings settings) const;
  [[nodiscard]] std::int64_t find_most_bytes() const;
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<void> advance();
  [[nodiscard]] bool input_is_empty() const;
  [[nodiscard]] Result<void> take(bool empty);
  void show_nothing();
  [[nodiscard]] Result<bool> produce(UnsteadyFacts& facts);
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] double seconds() const;
  [[nodiscard]] bool out_of_seconds() const;
  [[nodiscard]] Result<bool> work();
  [[nodiscard]] Result<void> go_through(const NextIntervals& next);
  [[nodiscard]] std::function<bool(double)> progress_of(const NextIntervals& next);
  void count(const SourceStatistics& read, const NextIntervals& gone, double seconds);
  [[nodiscard]] Result<void> give(UnsteadyFacts& facts);
  void warn(const WorkEnd& end, bool late);
  void fill(int steps_requested);

  vtkAlgorithm& filter_;
  const UnsteadySettings& settings_;
  UnsteadyRequest& request_;
  UnsteadyWork& work_;
  const UnsteadyPass& pass_;
  FilterRun run_;
  vtkSmartPointer<vtkDataObject> input_;
  bool goes_on_;      ///< the request is under way, and the input is there for the step that was asked for
  bool same_ = false; ///< filter, input and times are as in the request before
};

} // namespace rivulet
