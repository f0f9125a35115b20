// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Copies the stored values of one component of a patch to their positions in its array. Converts the byte order,
/// leaves out ghost layers, interleaves components, and converts floats to doubles if other components are doubles.
///
/// Any thread may call any function; each call writes the values of its component only.
#pragma once

#include "Base/Box.h"
#include "Io/Blocks/StoredScalar.h"

#include <cstddef>
#include <optional>

namespace rivulet
{

/// Form of the stored values and of the array. x is fastest in both.
struct Placement
{
  std::int64_t scalar_bytes = 4; ///< of a stored scalar: 1, 2, 4 or 8
  bool swapped = false;          ///< the stored byte order is not that of this machine
  bool widened = false;          ///< floats are stored, and the array has doubles
  Int3 stored{ 1, 1, 1 };        ///< values stored along each axis
  Int3 skipped{ 0, 0, 0 };       ///< layers that are left out at the lower side of each axis
  Int3 skipped_after{ 0, 0, 0 }; ///< layers that are left out at the upper side
  std::int64_t components = 1;   ///< of the array
  std::int64_t component = 0;    ///< index of the stored component

  /// Values of the array along each axis.
  [[nodiscard]] Int3 kept() const
  {
    return { stored[0] - skipped[0] - skipped_after[0], stored[1] - skipped[1] - skipped_after[1],
      stored[2] - skipped[2] - skipped_after[2] };
  }
  /// Bytes of a scalar of the array.
  [[nodiscard]] std::int64_t array_bytes() const { return widened ? std::int64_t{ sizeof(double) } : scalar_bytes; }
  /// True if the array has the stored bytes, up to their byte order.
  [[nodiscard]] bool plain() const { return components == 1 && !widened && kept() == stored; }
};

/// Type of an array with components of two types: the type itself if both are equal, and Float64 for floats and
/// doubles. Nothing for other pairs, because integers may not be representable in another type.
[[nodiscard]] std::optional<StoredType> common_type(StoredType a, StoredType b);

/// Copies one component. `from` has volume(stored) scalars at any alignment. `array` has room for all components of
/// volume(kept()) points, array_bytes() each.
void place_values(const Placement& placement, const std::byte* from, std::byte* array);

/// Reverses the bytes of each of `count` scalars in place.
void swap_bytes(std::byte* values, std::int64_t count, std::int64_t scalar_bytes);

} // namespace rivulet
