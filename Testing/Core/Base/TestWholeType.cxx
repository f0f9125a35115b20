// SPDX-License-Identifier: BSD-3-Clause
#include "Base/WholeType.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

constexpr std::array kTypes{ WholeType::Int8, WholeType::UInt8, WholeType::Int16, WholeType::UInt16, WholeType::Int32,
  WholeType::UInt32, WholeType::Int64, WholeType::UInt64 };

TEST(WholeType, HasANameOfItsOwn)
{
  for (const WholeType type : kTypes)
  {
    EXPECT_EQ(whole_type_named(name_of(type)), type) << name_of(type);
  }
  for (const char* name : { "", "int", "float32", "INT8" })
  {
    EXPECT_EQ(whole_type_named(name), WholeType::None) << name;
  }
}

TEST(WholeType, IsHeldBySmallestAndLargest)
{
  for (const WholeType type : kTypes)
  {
    use_whole_type(type,
        [&](auto number)
        {
          using T = decltype(number);
          if constexpr (sizeof(T) < 8)
          {
            for (const T value : { std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{ 1 } })
            {
              const double held = scalar_for(type) == ScalarType::Float32 ? double{ static_cast<float>(value) }
                                                                          : static_cast<double>(value);
              EXPECT_EQ(whole_number<T>(held), value) << name_of(type);
            }
          }
          EXPECT_EQ(whole_number<T>(std::numeric_limits<double>::quiet_NaN()), T{ 0 });
          EXPECT_EQ(whole_number<T>(1e300), T{ 0 });
          EXPECT_EQ(whole_number<T>(-1e300), T{ 0 });
          EXPECT_EQ(whole_number<T>(std::ldexp(1.0, std::numeric_limits<T>::digits)), T{ 0 });
        });
  }
}

TEST(WholeType, OfNumbersThatNoDoubleHoldsIsRefused)
{
  std::array<double, 3> values{ 1.0, -kLargestWhole, kLargestWhole };
  for (const WholeType type : { WholeType::Int64, WholeType::UInt64, WholeType::Int32, WholeType::None })
  {
    const Variable ids{ .name = "ids", .type = ScalarType::Float64, .whole = type };
    EXPECT_TRUE(check_whole(ids, values.data(), 3));
  }
  values[1] = kLargestWhole + 1.0;
  const Variable ids{ .name = "ids", .type = ScalarType::Float64, .whole = WholeType::Int64 };
  const Result<void> refused = check_whole(ids, values.data(), 3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(refused.error().what, testing::HasSubstr("about 9007199254740992"));
  EXPECT_TRUE(check_whole(ids, values.data(), 1));
}

} // namespace
} // namespace rivulet
