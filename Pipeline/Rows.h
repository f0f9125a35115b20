// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Copies values of bricks into plain arrays with x fastest: whole boxes, row by row. For users the values of a
/// variable of whole numbers become these (Base/WholeType.h); read_box() and copy_row() give the field's floats or
/// doubles.
///
/// Threads: every function may be called from any thread.
#pragma once

#include "Pipeline/LazyField.h"

namespace rivulet
{

/// Fills `out`, a dense array of the lattice points of `block`, from all bricks that have some of them. Fails at the
/// first brick that cannot be had.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<void> read_box(
    BrickSource& source, const ValueBlock& block, std::byte* out);

/// The brick that serves lattice point `at`. The last point along an axis belongs to the last brick.
[[nodiscard]] Int3 brick_holding(const BrickGrid& grid, const Int3& at);

/// The lattice points whose brick_holding() is brick number `index`: every point lies in exactly one such box.
[[nodiscard]] Box owned_values(const BrickGrid& grid, std::int64_t index);

/// Numbers of the bricks with values of the box, in the order of the storage.
[[nodiscard]] std::vector<std::int64_t> bricks_of(const FileBricks& source, const ValueBlock& block);

/// Copies the values `part` of the pinned brick to their places in `out`, a dense array for users of the points
/// `whole`.
void copy_rows_for_users(
    const BrickPin& pin, const Variable& variable, const Box& part, const Box& whole, std::byte* out);

/// Copies `count` tuples of the pinned brick for users, from lattice point `at` on along x. Of an empty pin: NaN, or 0
/// for whole numbers.
void copy_row_for_users(
    const BrickPin& pin, const Variable& variable, const Int3& at, std::int64_t count, std::byte* out);

/// Copies `count` tuples of the brick, from lattice point `at` on along x.
void copy_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out);

} // namespace rivulet
