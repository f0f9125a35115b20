// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cut of plain blocks into bricks, which are assembled from rows on request.
///
///     const BrickGrid grid = cut_blocks(variable, info.grid);
///     const Box values = brick_values(grid, variable.variable.centering, index);
///
/// A brick has at most as many cells as a cube of 32, but is longer along x: a brick of a row-major block is read in
/// rows, and longer rows mean fewer reads and fewer unwanted bytes. If possible, the brick's edge divides the block's,
/// so that only the layer shared with the next brick comes from another file.
///
/// Pure functions.
#pragma once

#include "Base/Brick.h"
#include "Io/Blocks/BlockField.h"
#include "Store/Source/BrickSource.h"

namespace rivulet
{

[[nodiscard]] BrickGrid cut_blocks(const BlockVariable& variable, const Grid& grid);

/// Lattice points for a brick's cells: one more than cells along each axis if values are at nodes.
[[nodiscard]] Box brick_values(const BrickGrid& grid, Centering centering, std::int64_t index);

/// Bytes of the values of a full brick.
[[nodiscard]] std::int64_t brick_bytes(const BrickGrid& grid, const Variable& variable);

/// Position of a brick in storage order: block by block, and within a block in the order of its values.
[[nodiscard]] std::int64_t block_order(const BlockVariable& variable, const BrickGrid& grid, std::int64_t index);

} // namespace rivulet
