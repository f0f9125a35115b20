// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The field of all time steps of a pipeline, of which some are held at a time: each array has a source that takes its
/// values from the steps held (Store/Derived/StepBricks.h).
///
///     StepsField all;
///     all.make(flow_of_a_step, times);
///     all.hold(steps, lost);                 // again and again, between runs
///     AdvectionContext::unsteady(all.field(), times, ...)
///
/// Threads: the one that called RequestData. Lifetime: the steps must outlive the runs on the field.
#pragma once

#include "Filters/Steps/HeldStep.h"
#include "Store/Derived/StepBricks.h"

#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rivulet
{

class StepsField
{
public:
  /// `flow`: of any step. All steps have its grid, and its arrays until leave_out_missing().
  void make(const FlowInput& flow, const std::vector<double>& times);
  /// The field of a flow whose sources have all steps.
  void take(const FlowInput& flow) { field_ = flow.field(); }
  [[nodiscard]] bool is_made() const { return field_.velocity.source != nullptr; }
  /// Times of more steps, for a simulation that runs.
  void set_times(const std::vector<double>& times);

  /// Leaves out arrays beside the vectors that a step does not have, or not of the same kind. `when`: words for the
  /// message, such as "at time 2".
  void leave_out_missing(const FlowInput& step, const std::string& when);
  /// Takes the place of the steps held before. Fails as StepBricks::hold().
  [[nodiscard]] Result<void> hold(const std::list<HeldStep>& steps, const StepBricks::Lost& lost);

  [[nodiscard]] const TraceField& field() const { return field_; }
  /// Messages, one for each array that was left out; told once.
  [[nodiscard]] std::vector<std::string> take_missing() { return std::exchange(missing_, {}); }

private:
  void hide(const std::list<HeldStep>& steps);
  [[nodiscard]] Result<void> move_nodes(const std::list<HeldStep>& steps, const StepBricks::Lost& lost);
  void change_cells(const std::list<HeldStep>& steps);
  [[nodiscard]] std::unique_ptr<StepBricks> in_time(const SourceArray& array) const;

  TraceField field_;
  std::vector<double> times_;                           ///< of all steps
  std::unique_ptr<StepBricks> velocity_;                ///< nullptr after take()
  std::unique_ptr<StepBricks> places_;                  ///< of nodes that move; nullptr as long as they stayed
  std::vector<std::unique_ptr<StepBricks>> attributes_; ///< nullptr for the velocity itself
  std::vector<std::string> missing_;
};

} // namespace rivulet
