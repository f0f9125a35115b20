// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of one variable as they lie in the simulation's memory: a leaf of the tree is one component, a node with
/// leaves below has one component in each ("mcarray" of Mesh Blueprint).
///
///     values: float64 array                    one component
///     values/x, values/y: one array each       separate components
///     values/x, values/y: strides in one array interleaved components; packed if the stride is that of all of them
///
/// Lifetime: that of the tree. Types that the runtime has not are refused by name.
#pragma once

#include "Place.h"
#include "rivulet_insitu_data.h"

namespace rivulet::catalyst2
{

struct Values
{
  std::string name;
  std::int32_t type = 0;  ///< RIVULET_FLOAT32, ...
  std::int64_t bytes = 0; ///< of a value
  std::int32_t components = 0;
  bool separate = false;
  std::int64_t stride = 0;        ///< bytes from one element to the next; 0: packed
  std::vector<const void*> first; ///< one pointer; of separate components one for each
  std::int64_t count = 0;         ///< elements

  /// True if both are described alike, wherever they lie.
  [[nodiscard]] bool looks_like(const Values& other) const;
};

/// The components of `leaves`, in this order.
[[nodiscard]] Result<Values> values_of(const std::vector<Place>& leaves, std::string name);

/// A leaf, or a node with leaves.
[[nodiscard]] Result<Values> values_at(const Place& values, std::string name);

} // namespace rivulet::catalyst2
