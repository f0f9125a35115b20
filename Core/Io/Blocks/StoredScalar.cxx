// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/StoredScalar.h"

#include "Base/WholeType.h"

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace rivulet
{

namespace
{

constexpr std::array<std::pair<std::string_view, StoredType>, 10> kNames{ { { "int8", StoredType::Int8 },
    { "uint8", StoredType::UInt8 }, { "int16", StoredType::Int16 }, { "uint16", StoredType::UInt16 },
    { "int32", StoredType::Int32 }, { "uint32", StoredType::UInt32 }, { "int64", StoredType::Int64 },
    { "uint64", StoredType::UInt64 }, { "float32", StoredType::Float32 }, { "float64", StoredType::Float64 } } };

template <std::size_t Bytes>
struct Word;
template <>
struct Word<1>
{
  using Type = std::uint8_t;
  static Type reverse(Type word) { return word; }
};
template <>
struct Word<2>
{
  using Type = std::uint16_t;
  static Type reverse(Type word) { return __builtin_bswap16(word); }
};
template <>
struct Word<4>
{
  using Type = std::uint32_t;
  static Type reverse(Type word) { return __builtin_bswap32(word); }
};
template <>
struct Word<8>
{
  using Type = std::uint64_t;
  static Type reverse(Type word) { return __builtin_bswap64(word); }
};

template <class Stored, bool Swapped>
Stored load(const std::byte* at)
{
  using Bits = Word<sizeof(Stored)>;
  typename Bits::Type word;
  std::memcpy(&word, at, sizeof(word));
  if constexpr (Swapped)
  {
    word = Bits::reverse(word);
  }
  Stored value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

// Two loops, because the compiler vectorises the one without a stride.
template <class Stored, class Value, bool Swapped>
void convert_all(const std::byte* bytes, std::int64_t count, std::int64_t stride, Value* out)
{
  constexpr auto size = static_cast<std::int64_t>(sizeof(Stored));
  if (stride == 1)
  {
    for (std::int64_t i = 0; i < count; ++i)
    {
      out[i] = static_cast<Value>(load<Stored, Swapped>(bytes + i * size));
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
  {
    out[i * stride] = static_cast<Value>(load<Stored, Swapped>(bytes + i * size));
  }
}

template <class Stored>
void convert_from(bool swapped, const std::byte* bytes, std::int64_t count, std::int64_t stride, void* out)
{
  using Small = std::conditional_t<sizeof(Stored) <= 2, float, double>;
  using Value = std::conditional_t<std::is_floating_point_v<Stored>, Stored, Small>;
  if (swapped)
  {
    convert_all<Stored, Value, true>(bytes, count, stride, static_cast<Value*>(out));
  }
  else
  {
    convert_all<Stored, Value, false>(bytes, count, stride, static_cast<Value*>(out));
  }
}

void convert_range(
    const std::array<float, 2>& range, const std::byte* bytes, std::int64_t count, std::int64_t stride, float* out)
{
  const float width = range[1] - range[0];
  for (std::int64_t i = 0; i < count; ++i)
  {
    out[i * stride] = range[0] + width * (static_cast<float>(bytes[i]) / 255.0F);
  }
}

} // namespace

std::int64_t size_of(StoredType type)
{
  switch (type)
  {
  case StoredType::Int8:
  case StoredType::UInt8:
    return 1;
  case StoredType::Int16:
  case StoredType::UInt16:
    return 2;
  case StoredType::Int32:
  case StoredType::UInt32:
  case StoredType::Float32:
    return 4;
  default:
    return 8;
  }
}

ScalarType value_type(StoredType type)
{
  if (const WholeType whole = whole_type(type); whole != WholeType::None)
  {
    return scalar_for(whole);
  }
  return type == StoredType::Float32 ? ScalarType::Float32 : ScalarType::Float64;
}

WholeType whole_type(StoredType type)
{
  static_assert(static_cast<int>(WholeType::UInt64) == static_cast<int>(StoredType::UInt64) + 1);
  return type <= StoredType::UInt64 ? static_cast<WholeType>(static_cast<int>(type) + 1) : WholeType::None;
}

Result<StoredType> parse_stored_type(std::string_view name)
{
  for (const auto& [known, type] : kNames)
  {
    if (name == known)
    {
      return type;
    }
  }
  return fail(ErrorCode::BadArgument, "'" + std::string(name) + "' is not a type of numbers",
      "use float32, float64, int8, uint8, int16, uint16, int32, uint32, int64 or uint64");
}

void convert(const StoredFormat& format, const std::byte* bytes, std::int64_t count, std::int64_t stride, void* out)
{
  if (format.native() && stride == 1)
  {
    std::memcpy(out, bytes, static_cast<std::size_t>(count * size_of(format.type)));
    return;
  }
  switch (format.type)
  {
  case StoredType::Int8:
    return convert_from<std::int8_t>(false, bytes, count, stride, out);
  case StoredType::UInt8:
    return format.byte_range ? convert_range(*format.byte_range, bytes, count, stride, static_cast<float*>(out))
                             : convert_from<std::uint8_t>(false, bytes, count, stride, out);
  case StoredType::Int16:
    return convert_from<std::int16_t>(format.swapped, bytes, count, stride, out);
  case StoredType::UInt16:
    return convert_from<std::uint16_t>(format.swapped, bytes, count, stride, out);
  case StoredType::Int32:
    return convert_from<std::int32_t>(format.swapped, bytes, count, stride, out);
  case StoredType::UInt32:
    return convert_from<std::uint32_t>(format.swapped, bytes, count, stride, out);
  case StoredType::Int64:
    return convert_from<std::int64_t>(format.swapped, bytes, count, stride, out);
  case StoredType::UInt64:
    return convert_from<std::uint64_t>(format.swapped, bytes, count, stride, out);
  case StoredType::Float32:
    return convert_from<float>(format.swapped, bytes, count, stride, out);
  case StoredType::Float64:
    return convert_from<double>(format.swapped, bytes, count, stride, out);
  }
}

} // namespace rivulet
