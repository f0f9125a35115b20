// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Input of a flow filter over time. There are two ways to its time steps:
///
///   as bricks     the input is a reader's whose files have all steps and hide nothing at any of them, and all arrays
///                 are paged from these: bricks of any step are read where they are wanted, and one execution of the
///                 pipeline is enough
///   step by step  any other pipeline: it is executed once for each step. The steps that an interval needs are held,
///                 two or up to four (Trace/Contract/TimeInterpolation.h), and more within a limit of memory, so that
///                 particles released later need not ask for them again. Arrays that are paged are not read for that
///
/// Steps may differ in some ways (AlikeSteps.h). A step that is lost (lose()) ends the particles that come to it.
///
///     FlowSteps steps(filter, choose);
///     steps.set_times(times);
///     if (steps.missing_for(next)) ... execute the pipeline for that step, then steps.take(input, step)
///     Result<int> threads = steps.begin(settings);
///     AdvectionContext::unsteady(steps.field(), times, ...)
///     steps.end();
///
/// Steps of AMR may have other boxes on their levels: the steps of an interval are cut into the same bricks
/// (AmrMesh/MovingLevels.h). Other steps may come in other bricks, some paged and some in memory: then all are joined
/// into bricks of one cut (FlowInput::joined()).
///
/// Memory: a shallow copy of the input at each step held, which keeps its arrays alive, and a bit for each cell if some
/// are hidden. Of levels, the steps of one interval are held at a time.
/// Threads: the one that called RequestData.
#pragma once

#include "AmrMesh/MovingLevels.h"
#include "Filters/Input/MeshCache.h"
#include "Filters/Input/OpenInput.h"
#include "Filters/Run/FieldRun.h"
#include "Filters/Steps/HeldStep.h"
#include "Filters/Steps/NextIntervals.h"
#include "Filters/Steps/StepsField.h"
#include "Trace/Contract/TimeInterpolation.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rivulet
{

class FlowSteps
{
public:
  FlowSteps(vtkAlgorithm& filter, ChooseArray choose, std::vector<double> times, TimeInterpolation interpolation);
  FlowSteps(const FlowSteps&) = delete;
  FlowSteps& operator=(const FlowSteps&) = delete;
  ~FlowSteps();

  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// Goes on with the steps of a simulation that runs: the times so far, and one that is still to come. Inputs are
  /// copied, since the simulation changes them, and steps that are not needed any more are dropped.
  void grow(std::vector<double> times);
  /// Goes step by step in any case, unless the reason for that, a text for users, is empty. Before the first take().
  void take_each(std::string reason) { reason_to_take_each_ = std::move(reason); }

  /// Check of the input at each step that is taken from now on, with its time.
  void check_each(std::function<Result<void>(vtkDataObject&, double)> check) { check_ = std::move(check); }

  /// Takes the input as it is at a step. If the steps held take more than `most_bytes`, drops steps that this interval
  /// does not need, the farthest first, until they take half of it. The first call decides on the way. Arrays beside
  /// the vectors that the step does not have are left out from then on. Fails as open_input() and the check of each
  /// step do. Fails with Unsupported, naming the time, if the grid or the grids of levels differ from the steps before.
  [[nodiscard]] Result<void> take(
      vtkDataObject& input, std::int32_t step, std::int32_t interval, std::int64_t most_bytes);

  /// Goes on without a step that cannot be had, for this reason. After the first take().
  void lose(std::int32_t step, Error reason);

  /// Whether the steps are read as bricks; only after take().
  [[nodiscard]] bool as_bricks() const { return as_bricks_; }
  /// Whether a step was taken.
  [[nodiscard]] bool opened() const { return !held_.empty(); }
  /// A step that has to be taken before particles can go through the first of the intervals; none if all that it needs
  /// are there.
  [[nodiscard]] std::optional<std::int32_t> missing_for(const NextIntervals& next) const;

  /// Whether one more step would take no more than `most_bytes` together with the steps held.
  [[nodiscard]] bool has_room(std::int64_t most_bytes) const;
  /// Whether a step was dropped to make room, so that going through its intervals again asks the pipeline for it.
  [[nodiscard]] bool dropped() const { return dropped_; }
  /// Whether a step is held, or lost.
  [[nodiscard]] bool holds(std::int32_t step) const { return held(step) != nullptr || lost_.count(step) > 0; }

  /// The part of the intervals, from their beginning, that can be gone through at once; the first of them must not miss
  /// a step.
  [[nodiscard]] NextIntervals at_once(const NextIntervals& next) const;

  /// Puts the settings into force for work on intervals, and returns the number of threads. Fails as FieldRun::begin().
  [[nodiscard]] Result<int> begin(const IntervalRange& range, const RunSettings& settings);
  /// The field of all steps, for work on the intervals of begin().
  [[nodiscard]] const TraceField& field() const { return field_.field(); }
  /// Largest number of particles to advance at a time, for RunOptions; see FieldRun.h. Only between begin() and end().
  [[nodiscard]] std::int64_t most_particles() const { return reading_->most_particles(); }
  /// See FieldRun::ranked(). Only between begin() and end().
  [[nodiscard]] DistributedBricks* ranked() const { return reading_->ranked(); }
  /// Ends the work and returns the values read in it.
  [[nodiscard]] SourceStatistics end();

  /// The flow of a step that is held; nullptr if it is not.
  [[nodiscard]] const FlowInput* flow_at(std::int32_t step) const
  {
    const HeldStep* const found = held(step);
    return found != nullptr ? &found->flow : nullptr;
  }
  /// The flow of the last step taken: array names and types, and bounds.
  [[nodiscard]] const FlowInput& flow() const { return held_.back().flow; }
  [[nodiscard]] const std::string& vectors() const { return vectors_; }
  [[nodiscard]] const std::string& layout() const { return layout_; }
  [[nodiscard]] const FieldAccess& access() const { return access_; }
  /// Arrays that are left out from now on because a step does not have them, one message for each; told once.
  [[nodiscard]] std::vector<std::string> take_missing() { return field_.take_missing(); }
  /// Warnings about values of the first step's vectors that may stand for missing ones; told once.
  [[nodiscard]] std::vector<Error> take_suspects() { return std::exchange(suspects_, {}); }
  /// Text for users: the way to the steps, and why.
  [[nodiscard]] std::string way() const;
  /// Number of executions of the pipeline so far.
  [[nodiscard]] std::int64_t taken() const { return taken_; }

private:
  [[nodiscard]] Result<HeldStep> open(vtkDataObject& input, std::int32_t step);
  void choose_way();
  [[nodiscard]] std::string reason_for_steps() const;
  [[nodiscard]] Result<void> join_cuts(HeldStep& more);
  void make_field();
  [[nodiscard]] Result<void> cut_alike(std::int32_t step);
  [[nodiscard]] std::string time_text(std::int32_t step) const;
  [[nodiscard]] Error at_step(Error error, std::int32_t step) const;
  [[nodiscard]] StepRange steps_for(const IntervalRange& intervals) const;
  void drop(std::int32_t interval, std::int64_t most_bytes);
  [[nodiscard]] Result<void> make_ready(const IntervalRange& range);
  [[nodiscard]] std::int64_t bytes() const;
  [[nodiscard]] bool levels() const { return held_.front().flow.amr_mesh() != nullptr; }
  [[nodiscard]] const HeldStep* held(std::int32_t step) const;

  vtkAlgorithm& filter_;
  ChooseArray choose_;
  std::vector<double> times_;
  TimeInterpolation interpolation_;
  MeshCache cache_;
  MovingLevels moving_;
  std::list<HeldStep> held_; ///< in the order of time; one if the steps are read as bricks
  StepBricks::Lost lost_;
  StepRange cut_{ 0, -1 }; ///< steps of levels that are cut into the bricks that they have in common
  bool as_bricks_ = false;
  bool joined_ = false; ///< whether all steps are joined into bricks of one cut
  std::string why_;     ///< reason for the way
  std::string reason_to_take_each_;
  std::function<Result<void>(vtkDataObject&, double)> check_;
  std::string vectors_;
  std::string layout_;
  StepsField field_;
  std::unique_ptr<FieldRun> reading_;
  FieldAccess access_;
  std::vector<Error> suspects_;
  std::int64_t taken_ = 0;
  bool dropped_ = false;
  bool grows_ = false;
};

} // namespace rivulet
