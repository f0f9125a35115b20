// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Everything about one run that does not change while it runs, and what particles ask of it. Shared by all workers.
#pragma once

#include "Levels/RefinedGrid.h"
#include "Trace/Kernel/Tableau.h"
#include "Trace/Lines.h"
#include "Trace/Lines/LineStore.h"
#include "Trace/Mesh/StructuredMesh.h"

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
  [[nodiscard]] const StructuredMesh& mesh() const { return mesh_; }
  [[nodiscard]] const Tableau& tableau() const { return *tableau_; }
  [[nodiscard]] const RecordLayout& layout() const { return layout_; }
  [[nodiscard]] const Variable& velocity() const { return velocity_; }
  [[nodiscard]] const BrickGrid& bricks() const { return *bricks_; }

  /// The attribute that is the velocity array itself and is sampled with it, or -1.
  [[nodiscard]] int velocity_attribute() const { return velocity_attribute_; }

  [[nodiscard]] bool has_hidden_cells() const
  {
    return field_->point_ghosts != nullptr || field_->cell_ghosts != nullptr;
  }
  [[nodiscard]] bool hidden(const std::array<std::int32_t, 4>& cell) const;

  /// A step in the options' unit (length or cells), as length in the cell given.
  [[nodiscard]] double to_length(double step, const std::array<std::int32_t, 4>& cell) const
  {
    return options_.step_unit == StepUnit::CellLength ? step * mesh_.cell_length(cell) : step;
  }
  /// A step in the options' unit, as time at the speed given; as long as anything at rest.
  [[nodiscard]] double to_time(double step, const std::array<std::int32_t, 4>& cell, double speed) const
  {
    // The bound keeps 0 / 0 out.
    return options_.step_unit == StepUnit::Time ? step : to_length(step, cell) / std::max(speed, kLeastSpeed);
  }
  static constexpr double kLeastSpeed = 1e-200;

  /// The times between which particles are told apart. Empty in steady flow.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] bool is_unsteady() const { return !times_.empty(); }
  /// The first and the last time that lines may reach; unsteady only.
  [[nodiscard]] const std::array<double, 2>& limits() const { return limits_; }
  /// When a line that begins at `time` ends at the latest; unsteady only.
  [[nodiscard]] double stop_time(double time, double sign) const;
  /// The time level below a particle that begins at `time` and goes forward (sign 1) or backward (-1).
  [[nodiscard]] std::int32_t level_of(double time, double sign) const;

  /// The levels of a refined grid; nullptr where there is one only.
  [[nodiscard]] const RefinedGrid* refinement() const { return refinement_; }
  /// The context as particles on a level of a refined grid see it: mesh() is that level's.
  [[nodiscard]] const AdvectionContext& on_level(std::int32_t level) const
  {
    return level == 0 ? *this : finer_[static_cast<std::size_t>(level) - 1];
  }
  [[nodiscard]] std::int32_t level() const { return level_; }

  /// The brick that owns a cell of the dataset, and the dataset's cells that a brick owns. On refined grids cells count
  /// on this level, and cells that are no leaves have brick -1.
  [[nodiscard]] std::int64_t brick_of(const std::array<std::int32_t, 4>& cell) const;
  [[nodiscard]] Box cells_of(std::int64_t brick) const;

  /// Where a particle is worked on, as one number: its brick, and in unsteady flow the time levels it is between.
  [[nodiscard]] std::int64_t place_of(const std::array<std::int32_t, 4>& cell, std::int32_t level) const
  {
    return level * bricks_->size() + brick_of(cell);
  }
  [[nodiscard]] std::int64_t brick_at(std::int64_t place) const { return place % bricks_->size(); }
  [[nodiscard]] std::int32_t level_at(std::int64_t place) const
  {
    return static_cast<std::int32_t>(place / bricks_->size());
  }
  /// The brick of a place; in unsteady flow that of its lower or its upper time level.
  [[nodiscard]] BrickKey key_of(std::int64_t place, bool upper = false) const
  {
    const std::int32_t step = is_unsteady() ? level_at(place) + (upper ? 1 : 0) : field_->velocity.step;
    return { field_->velocity.variable, step, brick_at(place) };
  }

private:
  AdvectionContext(
      const TraceField& field, const TraceOptions& options, std::vector<double> times, StructuredMesh mesh);
  static Result<AdvectionContext> create(
      const TraceField& field, const TraceOptions& options, std::vector<double> times);
  Result<void> add_levels();

  const TraceField* field_;
  TraceOptions options_;
  std::vector<double> times_;
  std::array<double, 2> limits_{ 0, 0 };
  StructuredMesh mesh_;
  const Tableau* tableau_;
  RecordLayout layout_;
  Variable velocity_;
  const BrickGrid* bricks_;
  int velocity_attribute_ = -1;
  const RefinedGrid* refinement_ = nullptr;
  std::int32_t level_ = 0;
  std::vector<AdvectionContext> finer_; ///< levels 1 and up
};

} // namespace rivulet
