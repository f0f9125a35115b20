// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a brick as 16-bit numbers between its smallest and its largest value: half the bytes of floats, with a
/// known error (Documentation/field-file-format.md, "Fixed-point records").
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

/// Header of each component, before the codes. Little-endian.
struct Fixed16Component
{
  double offset = 0;
  double step = 0;  ///< 0 if all values are equal
  double error = 0; ///< largest difference between a value and its decoded value: about half a step
};
static_assert(sizeof(Fixed16Component) == 24);

/// Bytes of the encoded tuples.
[[nodiscard]] constexpr std::int64_t fixed16_bytes(int components, std::int64_t tuples)
{
  return components * (static_cast<std::int64_t>(sizeof(Fixed16Component)) + 2 * tuples);
}

/// Encodes the values. Returns the reason, in words, if no bound on the error is possible; else an empty text.
[[nodiscard]] std::string encode_fixed16(
    const void* values, ScalarType type, int components, std::int64_t tuples, void* payload);

/// `payload` may share memory with `values` if it ends at their end or later.
void decode_fixed16(const void* payload, ScalarType type, int components, std::int64_t tuples, void* values);

/// The largest error of any component.
[[nodiscard]] double error_of_fixed16(const void* payload, int components);

} // namespace rivulet
