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
  std::array<double, 2> magnitude = kNoRange; ///< of the vector; with one component, of the value
  bool all_finite = true;

  void add(const BrickMeasure& other);
};

/// Measures `tuples` dense tuples of 1 to 9 components.
[[nodiscard]] BrickMeasure measure_values(const void* values, ScalarType type, int components, std::int64_t tuples);

/// The range as floats, rounded outwards so that it contains the range.
[[nodiscard]] std::array<float, 2> outer_range(const std::array<double, 2>& range);

/// Ranges for FieldInfo: NaN for components without finite values.
[[nodiscard]] ValueRanges value_ranges(const BrickMeasure& measure, int components);

} // namespace rivulet
