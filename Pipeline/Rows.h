// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values from bricks into plain x-fastest arrays: whole boxes, row by row.
///
/// Threads: every function may be called from any thread.
#pragma once

#include "Pipeline/LazyField.h"

namespace rivulet
{

/// Fills `out`, which holds the lattice points `box` densely, from every brick that has some of them. Stops at the
/// first brick that cannot be had.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<void> read_box(
    BrickSource& source, const ValueBlock& block, std::byte* out);

/// The brick to ask for lattice point `at`: the last point along an axis belongs to the last brick.
[[nodiscard]] Int3 brick_holding(const BrickGrid& grid, const Int3& at);

/// The lattice points whose brick_holding() is brick number `index`: every point lies in exactly one such box.
[[nodiscard]] Box owned_values(const BrickGrid& grid, std::int64_t index);

/// Numbers of the bricks with values of the box, in the order of the storage.
[[nodiscard]] std::vector<std::int64_t> bricks_of(const FileBricks& source, const ValueBlock& block);

/// Copies the values `part` of the pinned brick to where they belong in `out`, which holds `whole` densely; NaN if the
/// pin is empty.
void copy_rows(const BrickPin& pin, const Variable& variable, const Box& part, const Box& whole, std::byte* out);

/// `count` tuples of the brick from lattice point `at` along x.
void copy_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out);

/// NaN in each of `count` tuples.
void fill_nan(const Variable& variable, std::int64_t count, std::byte* out);

} // namespace rivulet
