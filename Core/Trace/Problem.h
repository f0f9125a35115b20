// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Everything about one run that does not change while it runs, and what particles ask of it. Shared by all workers.
#pragma once

#include "Trace/LineStore.h"
#include "Trace/Streamlines.h"
#include "Trace/Tableau.h"

namespace rivulet
{

class Problem
{
public:
  /// Checks field and options (BadArgument).
  [[nodiscard]] static Result<Problem> create(const TraceField& field, const StreamlineOptions& options);

  [[nodiscard]] const TraceField& field() const { return *field_; }
  [[nodiscard]] const StreamlineOptions& options() const { return options_; }
  [[nodiscard]] const Space& space() const { return space_; }
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

  /// A step length in the options' unit, as length in the cell given.
  [[nodiscard]] double to_length(double step, const std::array<std::int32_t, 4>& cell) const
  {
    return options_.step_unit == StepUnit::CellLength ? step * space_.cell_length(cell) : step;
  }

  /// The brick that owns a cell of the dataset, and the dataset's cells that a brick owns.
  [[nodiscard]] std::int64_t brick_of(const std::array<std::int32_t, 4>& cell) const;
  [[nodiscard]] Box cells_of(std::int64_t brick) const;
  [[nodiscard]] BrickKey key_of(std::int64_t brick) const
  {
    return { field_->velocity.variable, field_->velocity.step, brick };
  }

private:
  Problem(const TraceField& field, const StreamlineOptions& options, Space space);

  const TraceField* field_;
  StreamlineOptions options_;
  Space space_;
  const Tableau* tableau_;
  RecordLayout layout_;
  Variable velocity_;
  const BrickGrid* bricks_;
  int velocity_attribute_ = -1;
};

} // namespace rivulet
