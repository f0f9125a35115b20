// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles on refined grids: each counts in the cells of the finest level that has its next sample, and is moved to
/// the cells of another level when it crosses over. Which level that is depends on the place alone, so lines do not
/// depend on bricks, threads or the order of anything.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/Particle.h"

#include <optional>

namespace rivulet
{

/// a position in cells of a level, in those of one that is finer by `ratio`, and back.
[[nodiscard]] CellPosition to_finer(const CellPosition& at, const Int3& ratio);
[[nodiscard]] CellPosition to_coarser(const CellPosition& at, const Int3& ratio);

/// A place on a refined grid.
struct RefinedPlace
{
  std::int32_t level = 0;
  std::int64_t brick = 0;
  CellPosition at; ///< in cells of that level
};

/// Where `at`, in cells of `level`, is on the finest level there; nothing where no level has cells.
[[nodiscard]] std::optional<RefinedPlace> find_finest(
    const RefinedGrid& grid, const CellPosition& at, std::int32_t level);

/// Moves a particle into the cells of the finest level at its next sample. The brick of that, or -1 where no level has
/// cells.
[[nodiscard]] std::int64_t enter_finest(const RefinedGrid& grid, Particle& particle);

} // namespace rivulet
