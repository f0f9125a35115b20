// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PlaceValues.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace rivulet::test
{
namespace
{

Placement random_placement(std::mt19937& random)
{
  Placement placement;
  placement.scalar_bytes = std::int64_t{ 1 } << (random() % 4);
  placement.widened = placement.scalar_bytes == 4 && random() % 2 == 0;
  placement.swapped = random() % 2 == 0;
  placement.components = 1 + static_cast<std::int64_t>(random() % 3);
  placement.component = static_cast<std::int64_t>(random()) % placement.components;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    placement.skipped[axis] = static_cast<std::int32_t>(random() % 3);
    placement.skipped_after[axis] = static_cast<std::int32_t>(random() % 3);
    placement.stored[axis] =
        placement.skipped[axis] + placement.skipped_after[axis] + 1 + static_cast<std::int32_t>(random() % 5);
  }
  return placement;
}

/// One stored scalar as the bytes that the array should have.
std::vector<std::byte> expected_bytes(const Placement& placement, const std::byte* stored)
{
  std::vector<std::byte> bytes(stored, stored + placement.scalar_bytes);
  if (placement.swapped)
  {
    std::reverse(bytes.begin(), bytes.end());
  }
  if (placement.widened)
  {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    const double wide = value;
    bytes.resize(sizeof(wide));
    std::memcpy(bytes.data(), &wide, sizeof(wide));
  }
  return bytes;
}

TEST(PlaceValues, EveryValueComesToItsPlaceAndNoOtherByteIsWritten)
{
  std::mt19937 random(1);
  for (int turn = 0; turn < 500; ++turn)
  {
    const Placement placement = random_placement(random);
    std::vector<std::byte> stored(1 + static_cast<std::size_t>(volume(placement.stored) * placement.scalar_bytes));
    for (std::byte& byte : stored)
    {
      byte = static_cast<std::byte>(random() % 0x7f); // no float is a NaN, whose bits a conversion may change
    }
    const std::byte* from = stored.data() + 1; // of any alignment
    const Int3 kept = placement.kept();
    const std::int64_t each = placement.array_bytes();
    std::vector<std::byte> expected(
        static_cast<std::size_t>(volume(kept) * placement.components * each), std::byte{ 0xab });
    std::vector<std::byte> array = expected;
    for (std::int64_t point = 0; point < volume(kept); ++point)
    {
      Int3 at = from_row_major(point, kept);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += placement.skipped[axis];
      }
      const auto bytes = expected_bytes(placement, from + row_major(at, placement.stored) * placement.scalar_bytes);
      std::copy(
          bytes.begin(), bytes.end(), expected.begin() + (point * placement.components + placement.component) * each);
    }
    place_values(placement, from, array.data());
    ASSERT_EQ(array, expected) << turn;
  }
}

TEST(PlaceValues, BytesAreReversedInPlaceAndBack)
{
  for (const std::int64_t size : { 1, 2, 4, 8 })
  {
    std::vector<std::byte> values(static_cast<std::size_t>(5 * size));
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      values[i] = static_cast<std::byte>(i);
    }
    const std::vector<std::byte> before = values;
    swap_bytes(values.data(), 5, size);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const std::size_t first = i / static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
      ASSERT_EQ(values[i], before[2 * first + static_cast<std::size_t>(size) - 1 - i]) << size << " " << i;
    }
    swap_bytes(values.data(), 5, size);
    EXPECT_EQ(values, before);
  }
}

TEST(PlaceValues, OnlyFloatsAndDoublesHaveACommonType)
{
  EXPECT_EQ(common_type(StoredType::Float32, StoredType::Float64), StoredType::Float64);
  EXPECT_EQ(common_type(StoredType::Float64, StoredType::Float32), StoredType::Float64);
  EXPECT_EQ(common_type(StoredType::Float32, StoredType::Float32), StoredType::Float32);
  EXPECT_EQ(common_type(StoredType::Int32, StoredType::Int32), StoredType::Int32);
  EXPECT_FALSE(common_type(StoredType::Int32, StoredType::Float64).has_value());
}

} // namespace
} // namespace rivulet::test
