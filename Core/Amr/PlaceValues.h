// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From the stored values of one component of a patch to their place in its array: byte order, ghost layers left out,
/// components one after the other for each point, floats as doubles where other components are doubles.
#pragma once

#include "Base/Box.h"
#include "Io/StoredScalar.h"

#include <cstddef>
#include <optional>

namespace rivulet
{

/// Where values come from and where they go. x is fastest on both sides.
struct Placement
{
  std::int64_t scalar_bytes = 4; ///< 1, 2, 4 or 8
  bool swapped = false;          ///< the byte order is not this machine's
  bool widened = false;          ///< what is stored are floats, and the array has doubles
  Int3 stored{ 1, 1, 1 };        ///< values stored along each axis
  Int3 skipped{ 0, 0, 0 };       ///< layers left out at the lower side of each axis
  Int3 skipped_after{ 0, 0, 0 }; ///< and at the upper one
  std::int64_t components = 1;   ///< of the array
  std::int64_t component = 0;    ///< which one this is

  [[nodiscard]] Int3 kept() const
  {
    return { stored[0] - skipped[0] - skipped_after[0], stored[1] - skipped[1] - skipped_after[1],
      stored[2] - skipped[2] - skipped_after[2] };
  }
  /// Of a scalar of the array.
  [[nodiscard]] std::int64_t array_bytes() const { return widened ? std::int64_t{ sizeof(double) } : scalar_bytes; }
  /// Whether the stored bytes are the array.
  [[nodiscard]] bool plain() const { return components == 1 && !widened && kept() == stored; }
};

/// Of an array with components of both types: the same, or doubles for floats and doubles. Nothing for others: an
/// integer may be no number of another type.
[[nodiscard]] std::optional<StoredType> common_type(StoredType a, StoredType b);

/// `from` has volume(stored) scalars, of any alignment; `array` has room for all components of volume(kept()) points.
void place_values(const Placement& placement, const std::byte* from, std::byte* array);

/// Turns `count` scalars where they are.
void swap_bytes(std::byte* values, std::int64_t count, std::int64_t scalar_bytes);

} // namespace rivulet
