// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Everything about one run that does not change while it runs, and what particles ask of it. Shared by all workers.
#pragma once

#include "Trace/Kernel/Tableau.h"
#include "Trace/Lines.h"
#include "Trace/Lines/PointRecord.h"
#include "Trace/Mesh/FieldMesh.h"

#include <algorithm>

namespace rivulet
{

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
  [[nodiscard]] const FieldMesh& mesh() const { return mesh_; }
  [[nodiscard]] const Tableau& tableau() const { return *tableau_; }
  [[nodiscard]] const RecordLayout& layout() const { return layout_; }
  [[nodiscard]] const Variable& velocity() const { return velocity_; }
  [[nodiscard]] const BrickGrid& bricks() const { return *bricks_; }

  /// The attribute that is the velocity array itself and is sampled with it, or -1.
  [[nodiscard]] int velocity_attribute() const { return velocity_attribute_; }

  /// A step in the options' unit (length or cells), as length in the cell given.
  [[nodiscard]] double to_length(double step, const StructuredMesh& mesh, const Int3& cell) const
  {
    return options_.step_unit == StepUnit::CellLength ? step * mesh.cell_length(cell) : step;
  }
  /// A step in the options' unit, as time at the speed given; as long as anything at rest.
  [[nodiscard]] double to_time(double step, const StructuredMesh& mesh, const Int3& cell, double speed) const
  {
    // The bound keeps 0 / 0 out.
    return options_.step_unit == StepUnit::Time ? step : to_length(step, mesh, cell) / std::max(speed, kLeastSpeed);
  }
  static constexpr double kLeastSpeed = 1e-200;

  /// The times of the source's steps; empty in steady flow. Interval i lies between times i and i + 1.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] bool is_unsteady() const { return !times_.empty(); }
  /// The first and the last time that lines may reach; unsteady only.
  [[nodiscard]] const std::array<double, 2>& limits() const { return limits_; }
  /// Whether a line can begin at this time.
  [[nodiscard]] bool within_times(double time) const
  {
    return !is_unsteady() || (time >= limits_[0] && time <= limits_[1]);
  }
  /// When a line that begins at `time` ends at the latest; unsteady only.
  [[nodiscard]] double stop_time(double time, double sign) const;
  /// The interval of a particle that begins at `time` and goes forward (sign 1) or backward (-1).
  [[nodiscard]] std::int32_t interval_of(double time, double sign) const;

  /// A work item, as one number: a brick, and in unsteady flow an interval of time. All particles of an item can be
  /// advanced while its bricks are held.
  [[nodiscard]] std::int64_t item_of(std::int64_t brick, std::int32_t interval) const
  {
    return interval * bricks_->size() + brick;
  }
  [[nodiscard]] std::int64_t brick_of_item(std::int64_t item) const { return item % bricks_->size(); }
  [[nodiscard]] std::int32_t interval_of_item(std::int64_t item) const
  {
    return static_cast<std::int32_t>(item / bricks_->size());
  }
  /// The brick of a work item; in unsteady flow at the beginning of its interval, or at the end.
  [[nodiscard]] BrickKey key_of(std::int64_t item, bool end = false) const
  {
    const std::int32_t step = is_unsteady() ? interval_of_item(item) + (end ? 1 : 0) : field_->velocity.step;
    return { field_->velocity.variable, step, brick_of_item(item) };
  }

private:
  AdvectionContext(const TraceField& field, const TraceOptions& options, std::vector<double> times, FieldMesh mesh);
  static Result<AdvectionContext> create(
      const TraceField& field, const TraceOptions& options, std::vector<double> times);

  const TraceField* field_;
  TraceOptions options_;
  std::vector<double> times_;
  std::array<double, 2> limits_{ 0, 0 };
  FieldMesh mesh_;
  const Tableau* tableau_;
  RecordLayout layout_;
  Variable velocity_;
  const BrickGrid* bricks_;
  int velocity_attribute_ = -1;
};

} // namespace rivulet
