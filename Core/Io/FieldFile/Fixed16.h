// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a brick as 16-bit numbers between its smallest and its largest: half the bytes, with an error that is
/// known (Documentation/field-file-format.md, "Fixed-point records").
///
///     std::string refusal = encode_fixed16(values, type, components, tuples, payload);  // empty, or why not
///     decode_fixed16(payload, type, components, tuples, values);
///
/// Each component of each brick has an offset and a step of its own; code q stands for offset + q * step. A step has at
/// most 24 significant bits, so that q * step is exact and the sum is rounded once, fused or not: a file gives the same
/// values on every machine. Where a component has values of both signs, or zeros, zero is kept exactly, so that walls
/// stay walls. NaN is kept; infinite values are refused.
///
/// Plain functions on memory of any alignment; any thread. Values: components fastest.
#pragma once

#include "Base/Field.h"

#include <string>

namespace rivulet
{

/// Before the codes, one for each component. Little-endian.
struct Fixed16Component
{
  double offset = 0;
  double step = 0;  ///< 0 where all values are alike
  double error = 0; ///< largest difference between a value and what it is decoded to: about half a step
};
static_assert(sizeof(Fixed16Component) == 24);

/// Bytes that so many tuples take.
[[nodiscard]] constexpr std::int64_t fixed16_bytes(int components, std::int64_t tuples)
{
  return components * (static_cast<std::int64_t>(sizeof(Fixed16Component)) + 2 * tuples);
}

/// Says why in words where the values cannot be kept within any bound.
[[nodiscard]] std::string encode_fixed16(
    const void* values, ScalarType type, int components, std::int64_t tuples, void* payload);

/// `payload` may lie in the same memory as `values`, if it ends where they end or later.
void decode_fixed16(const void* payload, ScalarType type, int components, std::int64_t tuples, void* values);

/// The largest difference in any component.
[[nodiscard]] double error_of_fixed16(const void* payload, int components);

} // namespace rivulet
