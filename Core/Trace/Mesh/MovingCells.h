// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Unstructured cells whose points move from time step to time step, of which some are held.
///
///     const MovingCells cells(steps, times, TimeInterpolation::Linear);
///     if (cells.holds(moment.interval))
///       cells.during(moment.interval).find_at(moment.share, place, -1, weights);
///
/// Memory: for each interval that was asked for, as many boxes as UnstructuredCells has. Threads: any. Units: world.
#pragma once

#include "Trace/Mesh/UnstructuredCells.h"

#include <mutex>
#include <vector>

namespace rivulet
{

class MovingCells
{
public:
  /// `steps`: one for each of the times, nullptr where a step is not held; all that are have the same cells
  /// (UnstructuredCells::same_cells()), and there is one.
  MovingCells(std::vector<std::shared_ptr<const UnstructuredCells>> steps, std::vector<double> times,
      TimeInterpolation interpolation);

  /// The cells of any step that is held.
  [[nodiscard]] const std::shared_ptr<const UnstructuredCells>& any() const { return any_; }
  [[nodiscard]] bool needs_doubles() const;
  /// Whether all of an interval's steps are held.
  [[nodiscard]] bool holds(std::int32_t interval) const;
  /// The cells of an interval that is held.
  [[nodiscard]] const UnstructuredCells& during(std::int32_t interval) const { return *shared_during(interval); }
  [[nodiscard]] const std::shared_ptr<const UnstructuredCells>& shared_during(std::int32_t interval) const;

private:
  /// The cells of an interval, made when they are first asked for.
  struct During
  {
    std::once_flag made;
    std::shared_ptr<const UnstructuredCells> cells;
  };

  [[nodiscard]] const std::shared_ptr<const UnstructuredCells>& step(std::int32_t number) const
  {
    return steps_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] std::shared_ptr<const UnstructuredCells> make(std::int32_t interval) const;

  std::vector<std::shared_ptr<const UnstructuredCells>> steps_;
  std::vector<double> times_;
  TimeInterpolation interpolation_;
  std::shared_ptr<const UnstructuredCells> any_;
  std::unique_ptr<During[]> intervals_;
};

} // namespace rivulet
