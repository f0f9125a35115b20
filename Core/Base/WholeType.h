// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whole numbers in fields: names and sizes of their types, and which floats hold them.
///
///     Variable label{ .name = "label", .type = scalar_for(WholeType::Int32), .whole = WholeType::Int32 };
///
/// Whole numbers of 8 and 16 bits are floats in a field, all others are doubles. All are exact, except 64-bit numbers
/// from 2^53 on, which are no whole numbers of a field.
///
/// Plain functions, any thread.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace rivulet
{

/// 2^53 - 1: a double with a smaller or the same absolute value stands for one whole number.
inline constexpr double kLargestWhole = 9007199254740991.0;

/// "int8", "uint8" ... "uint64"; empty for None.
[[nodiscard]] std::string_view name_of(WholeType type);
/// None for any other name.
[[nodiscard]] WholeType whole_type_named(std::string_view name);

[[nodiscard]] constexpr std::size_t size_of(WholeType type)
{
  constexpr std::array<std::size_t, 9> kBytes{ 0, 1, 1, 2, 2, 4, 4, 8, 8 };
  return kBytes[static_cast<std::size_t>(type)];
}

/// Bytes of a tuple as users get it: of whole numbers, or of the field's values if there are none.
[[nodiscard]] constexpr std::int64_t user_tuple_bytes(const Variable& variable)
{
  const std::size_t number = variable.whole == WholeType::None ? size_of(variable.type) : size_of(variable.whole);
  return static_cast<std::int64_t>(number) * variable.components;
}

/// Type of the values in a field. Not for None.
[[nodiscard]] constexpr ScalarType scalar_for(WholeType type)
{
  return type <= WholeType::UInt16 ? ScalarType::Float32 : ScalarType::Float64;
}

/// Whether a variable's values, `count` scalars, are the whole numbers that they were made of. Fails with Unsupported
/// at one of 64 bits that no double holds.
[[nodiscard]] Result<void> check_whole(const Variable& variable, const void* values, std::int64_t count);

/// use(T()), T being the type of the whole numbers, and double for None.
template <class Use>
auto use_whole_type(WholeType type, const Use& use)
{
  switch (type)
  {
  case WholeType::Int8:
    return use(std::int8_t{});
  case WholeType::UInt8:
    return use(std::uint8_t{});
  case WholeType::Int16:
    return use(std::int16_t{});
  case WholeType::UInt16:
    return use(std::uint16_t{});
  case WholeType::Int32:
    return use(std::int32_t{});
  case WholeType::UInt32:
    return use(std::uint32_t{});
  case WholeType::Int64:
    return use(std::int64_t{});
  case WholeType::UInt64:
    return use(std::uint64_t{});
  case WholeType::None:
    break;
  }
  return use(double{});
}

/// A value of a field as a whole number of type T: 0 if it is none, as NaN where it cannot be read.
template <class T>
[[nodiscard]] T whole_number(double value)
{
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits); // the largest number and 1
  const bool held = value >= static_cast<double>(std::numeric_limits<T>::min()) && value < end;
  return held ? static_cast<T>(value) : T{ 0 };
}

} // namespace rivulet
