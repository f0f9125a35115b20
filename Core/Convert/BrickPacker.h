// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cuts one brick's values out of a row-major box of values. Pure memory work, any thread.
#pragma once

#include "Io/FieldFile.h"

#include <cstddef>

namespace rivulet
{

/// Row-major values of the lattice points of `box`.
struct BoxView
{
  Box box;
  const std::byte* values = nullptr;
};

/// Fills `payload` (layout.payload bytes) with the values of the brick at `brick` of the grid. `from` must hold all its
/// points that lie inside the lattice; points outside repeat the last one inside.
void pack_brick(
    const BrickLayout& layout, std::size_t tuple_bytes, const BoxView& from, const Int3& brick, std::byte* payload);

/// Lattice points counted as this brick's when bytes are added up: its cells' points, and the last layer of the lattice
/// for the last brick along an axis. Adds up to the lattice over all bricks.
[[nodiscard]] std::int64_t owned_points(const BrickLayout& layout, const Int3& brick);

} // namespace rivulet
