// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: the table of the hidden (blanked) points or cells of one step in a field file. Each plane of the
/// lattice has one row, with a bit per point and a checksum, so that a part of the grid needs only a part of the table.
///
///     const std::int64_t bytes = hidden_row_bytes(lattice);              // of each of lattice[2] rows
///     pack_hidden(flags, lattice, identity, { Centering::Node, step, k }, row);
///
/// Pure functions; any thread.
#pragma once

#include "Io/FieldFile/FieldFile.h"

#include <cstddef>

namespace rivulet
{

inline constexpr std::int64_t kMostHiddenRow = std::int64_t{ 1 } << 28; ///< bytes

/// One row of a table.
struct HiddenPlane
{
  Centering centering = Centering::Node;
  std::int32_t step = 0;
  std::int32_t k = 0;
};

/// Bytes of a row; -1 if there would be more than kMostHiddenRow.
[[nodiscard]] std::int64_t hidden_row_bytes(const Int3& lattice);

/// Makes the row of a plane from one byte for each of its points, 0 if it is visible.
void pack_hidden(
    const std::uint8_t* flags, const Int3& lattice, std::uint64_t identity, const HiddenPlane& plane, std::byte* row);

/// Whether the checksum of a row holds.
[[nodiscard]] bool hidden_row_sound(
    const std::byte* row, const Int3& lattice, std::uint64_t identity, const HiddenPlane& plane);

/// Extracts the bytes of the points of `box`, which is one plane thick, from a row: 1 if they are hidden.
void unpack_hidden(const std::byte* row, const Int3& lattice, const Box& box, std::uint8_t* out);

} // namespace rivulet
