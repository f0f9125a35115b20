// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The ranges of a brick's values, measured while it is written.
///
///     BrickMeasure measure = measure_values(payload, ScalarType::Float32, 3, 1000);
///     whole.add(measure);
///
/// Pure functions; any thread.
#pragma once

#include "Base/Field.h"

#include <limits>

namespace rivulet
{

/// {inf, -inf}: the range of no values.
inline constexpr std::array<double, 2> kNoRange{ std::numeric_limits<double>::infinity(),
  -std::numeric_limits<double>::infinity() };

/// Ranges of finite values only.
struct BrickMeasure
{
  BrickMeasure() { component.fill(kNoRange); }

  std::array<std::array<double, 2>, 9> component;
  std::array<double, 2> magnitude = kNoRange; ///< of the vector; of the value where there is one component
  bool all_finite = true;

  void add(const BrickMeasure& other);
};

/// Of `tuples` tuples of 1 to 9 components, densely.
[[nodiscard]] BrickMeasure measure_values(const void* values, ScalarType type, int components, std::int64_t tuples);

/// As floats, rounded outwards: a range that holds the values is given by one that holds them.
[[nodiscard]] std::array<float, 2> outer_range(const std::array<double, 2>& range);

/// For FieldInfo: NaN for components without finite values.
[[nodiscard]] ValueRanges value_ranges(const BrickMeasure& measure, int components);

} // namespace rivulet
