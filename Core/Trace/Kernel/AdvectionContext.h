// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The constant data of one run, and calculations for its particles. Shared by all workers.
#pragma once

#include "Trace/Contract/TimeInterpolation.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Kernel/PointRecord.h"
#include "Trace/Kernel/Tableau.h"
#include "Trace/Mesh/Mesh.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace rivulet
{

/// The interval between two of at least two increasing times in which a particle at `time` goes on, forward (sign 1) or
/// backward (-1).
[[nodiscard]] std::int32_t interval_in(std::span<const double> times, double time, double sign);

/// A brick that the particles of a work item need, and whose it is.
struct ItemBrick
{
  enum class Of : std::uint8_t
  {
    Velocity,
    Places
  };
  static constexpr std::size_t kMost = 8; ///< of a work item
  static constexpr std::size_t kSources = 2;

  Of of = Of::Velocity;
  BrickKey key;

  friend bool operator==(const ItemBrick&, const ItemBrick&) = default;
};

class AdvectionContext
{
public:
  /// Checks field and options (BadArgument).
  [[nodiscard]] static Result<AdvectionContext> steady(const TraceField& field, const TraceOptions& options);
  /// `times`: one for each step of the source, strictly increasing, at least two. Lines stay between the `limits`.
  [[nodiscard]] static Result<AdvectionContext> unsteady(const TraceField& field, std::vector<double> times,
      const std::array<double, 2>& limits, const TraceOptions& options);

  [[nodiscard]] const TraceField& field() const { return *field_; }
  [[nodiscard]] const TraceOptions& options() const { return options_; }
  [[nodiscard]] const Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] const Tableau& tableau() const { return *tableau_; }
  [[nodiscard]] const RecordLayout& layout() const { return layout_; }
  [[nodiscard]] const Variable& velocity() const { return velocity_; }
  [[nodiscard]] const BrickGrid& bricks() const { return *bricks_; }

  /// The attribute that is the velocity array itself and is sampled with it, or -1.
  [[nodiscard]] int velocity_attribute() const { return velocity_attribute_; }

  /// Converts a step in the options' unit to a length. `cell_length`: a function that gives the length of the cell; a
  /// unit of crossed cells counts as if all their sides were equal.
  template <class CellLength>
  [[nodiscard]] double to_length(double step, const CellLength& cell_length) const
  {
    const bool of_cell = options_.step_unit == StepUnit::CellLength || options_.step_unit == StepUnit::CellCrossing;
    return of_cell ? step * cell_length() : step;
  }
  /// Converts a step in the options' unit to a time at the given speed. A particle at rest gets a very long time.
  template <class CellLength>
  [[nodiscard]] double to_time(double step, const CellLength& cell_length, double speed) const
  {
    // The bound avoids 0 / 0.
    return options_.step_unit == StepUnit::Time ? step : to_length(step, cell_length) / std::max(speed, kLeastSpeed);
  }
  static constexpr double kLeastSpeed = 1e-200;

  /// The times of the source's steps; empty in steady flow. Interval i lies between times i and i + 1.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] bool is_unsteady() const { return !times_.empty(); }
  /// The first and the last time that lines may reach; unsteady only.
  [[nodiscard]] const std::array<double, 2>& limits() const { return limits_; }
  /// Lines end at this time at the latest.
  void end_at(double time) { limits_[1] = std::min(limits_[1], time); }
  /// Whether a line can begin at this time.
  [[nodiscard]] bool within_times(double time) const
  {
    return !is_unsteady() || (time >= limits_[0] && time <= limits_[1]);
  }
  /// Names the intervals, from `first` to `last`, whose bricks the field has. Particles end where these end.
  /// Particles that start in other intervals are not released (Recorder::paused()). Without a call the field has all.
  void set_intervals(std::int32_t first, std::int32_t last) { intervals_ = { first, last }; }
  [[nodiscard]] const std::array<std::int32_t, 2>& intervals() const { return intervals_; }
  [[nodiscard]] bool holds(std::int32_t interval) const
  {
    return interval >= intervals_[0] && interval <= intervals_[1];
  }
  /// The last time that is held, forward (sign 1) or backward (-1).
  [[nodiscard]] double held_end(double sign) const
  {
    return times_[static_cast<std::size_t>(sign > 0.0 ? intervals_[1] + 1 : intervals_[0])];
  }
  /// The held interval with a time; at the border of two intervals the later one, if it is held.
  [[nodiscard]] std::int32_t held_interval_of(double time) const
  {
    return std::clamp(interval_of(time, 1.0), intervals_[0], intervals_[1]);
  }
  /// Time at which a particle ends that begins at `time`, if not before; unsteady only. `end`: as PathSeed::end.
  [[nodiscard]] double last_time(double time, double sign, double end) const;
  /// The same for a context with other limits. `last_time`: of an earlier context.
  [[nodiscard]] double stop_time(double last_time, double sign) const
  {
    return sign > 0.0 ? std::min(last_time, limits_[1]) : std::max(last_time, limits_[0]);
  }
  /// The same within the intervals that are held.
  [[nodiscard]] double held_stop_time(double last_time, double sign) const
  {
    const double stop = stop_time(last_time, sign);
    return sign > 0.0 ? std::min(stop, held_end(sign)) : std::max(stop, held_end(sign));
  }
  /// The interval of a particle that begins at `time` and goes forward (sign 1) or backward (-1).
  [[nodiscard]] std::int32_t interval_of(double time, double sign) const { return interval_in(times_, time, sign); }

  /// Number of a work item: a brick, and in unsteady flow an interval of time. All particles of an item can be advanced
  /// while its bricks are held.
  [[nodiscard]] std::int64_t item_of(std::int64_t brick, std::int32_t interval) const
  {
    return interval * bricks_->size() + brick;
  }
  [[nodiscard]] std::int64_t brick_of_item(std::int64_t item) const { return item % bricks_->size(); }
  [[nodiscard]] std::int32_t interval_of_item(std::int64_t item) const
  {
    return static_cast<std::int32_t>(item / bricks_->size());
  }
  /// The time steps whose bricks the particles of an interval need, kMostSteps at most. In steady flow the one step.
  [[nodiscard]] StepRange steps_of(std::int32_t interval) const
  {
    const std::int32_t steady = field_->velocity.step;
    return is_unsteady() ? steps_for(options_.time_interpolation, { interval, interval }, times_.size())
                         : StepRange{ steady, steady };
  }
  /// The time steps whose hidden cells count at a time in an interval (TraceField::hidden): at the time of a step that
  /// step alone.
  [[nodiscard]] StepRange steps_at(double time, std::int32_t interval) const
  {
    const auto begin = static_cast<std::size_t>(interval);
    const bool at_begin = is_unsteady() && time == times_[begin];
    const bool at_end = is_unsteady() && time == times_[begin + 1];
    const std::int32_t step = interval + (at_end ? 1 : 0);
    return at_begin || at_end ? StepRange{ step, step } : steps_of(interval);
  }
  /// The intervals that need a time step; in steady flow the number 0.
  [[nodiscard]] IntervalRange intervals_with(std::int32_t step) const
  {
    const std::int32_t beyond = steps_beyond(options_.time_interpolation);
    return is_unsteady() ? IntervalRange{ std::max(step - 1 - beyond, 0),
      std::min(step + beyond, static_cast<std::int32_t>(times_.size()) - 2) }
                         : IntervalRange{};
  }
  /// The moment at which a particle is that begins at `time` and goes forward (sign 1) or backward (-1). At the border
  /// of two intervals it is one of an interval that is held, if either is.
  [[nodiscard]] Moment moment_of(double time, double sign) const;
  /// The moment of a time in an interval, and its border.
  [[nodiscard]] Moment moment_in(std::int32_t interval, double time) const
  {
    const auto i = static_cast<std::size_t>(interval);
    return is_unsteady() ? Moment{ interval, (time - times_[i]) / (times_[i + 1] - times_[i]) } : Moment{};
  }
  /// The bricks of a work item: velocities at each of the steps_of() its interval, then the places of its nodes if
  /// these are in bricks, too: at the same steps if they move. ItemBrick::kMost at most.
  [[nodiscard]] int count_of_bricks(std::int64_t item) const
  {
    const std::int32_t steps = steps_of(interval_of_item(item)).count();
    return steps + (mesh_->places() == nullptr ? 0 : mesh_->moves() ? steps : 1);
  }
  [[nodiscard]] ItemBrick brick_of(std::int64_t item, int number) const
  {
    const StepRange steps = steps_of(interval_of_item(item));
    if (number < steps.count())
    {
      return { ItemBrick::Of::Velocity, key_of(item, steps.first + number) };
    }
    const std::int32_t step = mesh_->moves() ? steps.first + number - steps.count() : mesh_->places()->step;
    return { ItemBrick::Of::Places, { mesh_->places()->variable, step, brick_of_item(item) } };
  }
  [[nodiscard]] BrickSource& source_of(ItemBrick::Of of) const
  {
    return of == ItemBrick::Of::Velocity ? *field_->velocity.source : *mesh_->places()->source;
  }
  /// The intervals whose work items need a brick.
  [[nodiscard]] IntervalRange intervals_with(const ItemBrick& brick) const
  {
    const bool of_step = brick.of == ItemBrick::Of::Velocity || mesh_->moves();
    return of_step         ? intervals_with(brick.key.step)
           : is_unsteady() ? IntervalRange{ intervals_[0], intervals_[1] }
                           : IntervalRange{};
  }

  /// Key of the brick of a work item at one of the steps_of() its interval.
  [[nodiscard]] BrickKey key_of(std::int64_t item, std::int32_t step) const
  {
    return { field_->velocity.variable, step, brick_of_item(item) };
  }
  /// The same at the beginning of its interval.
  [[nodiscard]] BrickKey key_of(std::int64_t item) const
  {
    return key_of(item, is_unsteady() ? interval_of_item(item) : field_->velocity.step);
  }

private:
  AdvectionContext(const TraceField& field, const TraceOptions& options, std::vector<double> times,
      std::shared_ptr<const Mesh> mesh);
  static Result<AdvectionContext> create(
      const TraceField& field, const TraceOptions& options, std::vector<double> times);

  const TraceField* field_;
  TraceOptions options_;
  std::vector<double> times_;
  std::array<double, 2> limits_{ 0, 0 };
  std::array<std::int32_t, 2> intervals_{ 0, 0 };
  std::shared_ptr<const Mesh> mesh_;
  const Tableau* tableau_;
  RecordLayout layout_;
  Variable velocity_;
  const BrickGrid* bricks_;
  int velocity_attribute_ = -1;
};

} // namespace rivulet
