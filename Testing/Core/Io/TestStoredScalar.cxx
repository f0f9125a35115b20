// SPDX-License-Identifier: BSD-3-Clause
// Numbers of foreign files, of each type and byte order, against the compiler's own.
#include "Io/Blocks/StoredScalar.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <vector>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

/// The numbers as bytes of a file, each reversed if the file's order is the other one.
template <class Number>
std::vector<std::byte> stored(const std::vector<Number>& numbers, bool swapped)
{
  std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  for (std::size_t i = 0; swapped && i < bytes.size(); i += sizeof(Number))
  {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
        bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(Number)));
  }
  return bytes;
}

/// Converts with and without a stride, in both orders, from bytes at an odd address.
template <class Number, class Value>
void expect_same(StoredType type, const std::vector<Number>& numbers)
{
  EXPECT_EQ(size_of(type), static_cast<std::int64_t>(sizeof(Number)));
  EXPECT_EQ(value_type(type), sizeof(Value) == 4 ? ScalarType::Float32 : ScalarType::Float64);
  const auto count = static_cast<std::int64_t>(numbers.size());
  for (const bool swapped : { false, true })
  {
    std::vector<std::byte> bytes = stored(numbers, swapped);
    bytes.insert(bytes.begin(), std::byte{ 0 });
    for (const std::int64_t stride : { 1, 3 })
    {
      const Value untouched = 77;
      std::vector<Value> out(numbers.size() * static_cast<std::size_t>(stride), untouched);
      convert({ .type = type, .swapped = swapped, .byte_range = {} }, bytes.data() + 1, count, stride, out.data());
      for (std::size_t i = 0; i < out.size(); ++i)
      {
        const bool is_value = i % static_cast<std::size_t>(stride) == 0;
        const Value expected = is_value ? static_cast<Value>(numbers[i / static_cast<std::size_t>(stride)]) : untouched;
        EXPECT_EQ(std::memcmp(&out[i], &expected, sizeof(Value)), 0) << i;
      }
    }
  }
}

template <class Number>
std::vector<Number> extremes()
{
  return { std::numeric_limits<Number>::lowest(), Number{ 0 }, Number{ 1 }, Number{ 100 },
    std::numeric_limits<Number>::max() };
}

TEST(StoredScalar, BecomesAFloatOrADoubleThatHoldsIt)
{
  expect_same<std::int8_t, float>(StoredType::Int8, extremes<std::int8_t>());
  expect_same<std::uint8_t, float>(StoredType::UInt8, extremes<std::uint8_t>());
  expect_same<std::int16_t, float>(StoredType::Int16, extremes<std::int16_t>());
  expect_same<std::uint16_t, float>(StoredType::UInt16, extremes<std::uint16_t>());
  expect_same<std::int32_t, double>(StoredType::Int32, extremes<std::int32_t>());
  expect_same<std::uint32_t, double>(StoredType::UInt32, extremes<std::uint32_t>());
  expect_same<std::int64_t, double>(StoredType::Int64, { -(std::int64_t{ 1 } << 53), 0, std::int64_t{ 1 } << 53 });
  expect_same<std::uint64_t, double>(StoredType::UInt64, { 0, std::uint64_t{ 1 } << 53 });
}

TEST(StoredScalar, KeepsFloatsToTheLastBit)
{
  expect_same<float, float>(
      StoredType::Float32, { 1.5F, -0.0F, std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::infinity(), std::bit_cast<float>(0x7fc12345U) });
  expect_same<double, double>(StoredType::Float64, { 1.5, -0.0, std::numeric_limits<double>::denorm_min(),
                                                       std::bit_cast<double>(std::uint64_t{ 0x7ff8000000012345 }) });
}

/// 0 is the first number, 255 the second.
TEST(StoredScalar, BytesMayStandForARange)
{
  const std::vector<std::byte> bytes{ std::byte{ 0 }, std::byte{ 51 }, std::byte{ 255 } };
  std::vector<float> out(3);
  convert({ .type = StoredType::UInt8, .swapped = false, .byte_range = std::array{ -2.0F, 3.0F } }, bytes.data(), 3, 1,
      out.data());
  EXPECT_THAT(out, ElementsAre(-2.0F, -1.0F, 3.0F));
}

TEST(StoredScalar, HasANameForEachType)
{
  for (const auto& [name, type] :
      std::vector<std::pair<const char*, StoredType>>{ { "int8", StoredType::Int8 }, { "uint16", StoredType::UInt16 },
          { "int64", StoredType::Int64 }, { "float32", StoredType::Float32 }, { "float64", StoredType::Float64 } })
  {
    EXPECT_EQ(parse_stored_type(name).value(), type);
  }
  EXPECT_THAT(parse_stored_type("double").error().what, HasSubstr("'double' is not a type of numbers"));
  EXPECT_THAT(parse_stored_type("").error().remedy, HasSubstr("float64"));
}

TEST(StoredScalar, KnowsItsWholeNumbers)
{
  EXPECT_EQ(whole_type(StoredType::Int8), WholeType::Int8);
  EXPECT_EQ(whole_type(StoredType::UInt64), WholeType::UInt64);
  EXPECT_EQ(whole_type(StoredType::Float32), WholeType::None);
  EXPECT_EQ(whole_type(StoredType::Float64), WholeType::None);
}

} // namespace
} // namespace rivulet::test
