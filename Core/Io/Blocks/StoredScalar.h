// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Number types of foreign files, and their conversion to the types that Rivulet works with.
///
///     const StoredFormat format{ StoredType::Int16, true };                 // big-endian shorts on this machine
///     Variable v{ .type = value_type(format.type) };                        // Float32
///     convert(format, bytes, count, 1, floats);
///
/// The rule: floats and doubles keep their type; integers of 8 and 16 bits become floats and integers of 32 bits become
/// doubles, which hold all of them exactly; integers of 64 bits become doubles too, which are exact below 2^53
/// (check_whole() of Base/WholeType.h).
///
/// Plain functions, any thread. `bytes` need no alignment.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace rivulet
{

enum class StoredType : std::uint8_t // the whole ones in WholeType's order
{
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float32,
  Float64
};

struct StoredFormat
{
  StoredType type = StoredType::Float32;
  bool swapped = false; ///< whether the file's byte order differs from this machine's
  /// UInt8 only: 0 becomes the first number, 255 the second, linear between them (VisIt's VARIABLE_MIN and _MAX).
  std::optional<std::array<float, 2>> byte_range;

  /// Whether the values are the bytes as they are, without conversion.
  [[nodiscard]] bool native() const { return !swapped && (type == StoredType::Float32 || type == StoredType::Float64); }
};

[[nodiscard]] std::int64_t size_of(StoredType type);
[[nodiscard]] ScalarType value_type(StoredType type);
[[nodiscard]] WholeType whole_type(StoredType type);

/// "float32", "float64", "int8", "uint8" ... "uint64". Fails with BadArgument.
[[nodiscard]] Result<StoredType> parse_stored_type(std::string_view name);

/// Converts `count` consecutive numbers; value i goes to scalar number i * stride of `out`.
void convert(const StoredFormat& format, const std::byte* bytes, std::int64_t count, std::int64_t stride, void* out);

} // namespace rivulet
