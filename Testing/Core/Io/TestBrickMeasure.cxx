// SPDX-License-Identifier: BSD-3-Clause
// Ranges by the fast ways against the plain one. TestBrickRecord has them of single bricks.
#include "Io/FieldFile/BrickMeasure.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace rivulet::test
{

namespace
{

using Range = std::array<double, 2>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
BrickMeasure measure(const std::vector<T>& values, int components)
{
  const ScalarType type = sizeof(T) == 4 ? ScalarType::Float32 : ScalarType::Float64;
  return measure_values(values.data(), type, components, static_cast<std::int64_t>(values.size()) / components);
}

void widen(Range& range, double value)
{
  if (std::isfinite(value))
  {
    range = { std::min(range[0], value), std::max(range[1], value) };
  }
}

/// Value by value, with magnitudes that neither overflow nor vanish.
template <class T>
BrickMeasure measure_plainly(const std::vector<T>& values, int components)
{
  BrickMeasure plain;
  const auto width = static_cast<std::size_t>(components);
  for (std::size_t tuple = 0; tuple < values.size(); tuple += width)
  {
    long double square = 0;
    for (std::size_t c = 0; c < width; ++c)
    {
      const auto value = static_cast<double>(values[tuple + c]);
      widen(plain.component[c], value);
      plain.all_finite = plain.all_finite && std::isfinite(value);
      square += static_cast<long double>(value) * static_cast<long double>(value);
    }
    widen(plain.magnitude, static_cast<double>(std::sqrt(square)));
  }
  plain.magnitude = components == 1 ? plain.component[0] : plain.magnitude;
  return plain;
}

template <class T>
void expect_same(const std::vector<T>& values, int components)
{
  const BrickMeasure found = measure(values, components);
  const BrickMeasure expected = measure_plainly(values, components);
  EXPECT_EQ(found.component, expected.component);
  EXPECT_EQ(found.all_finite, expected.all_finite);
  for (const std::size_t end : { 0U, 1U })
  {
    EXPECT_DOUBLE_EQ(found.magnitude[end], expected.magnitude[end]);
  }
}

template <class T>
std::vector<T> random_values(std::size_t count, std::mt19937& random)
{
  std::uniform_real_distribution<double> between(-5, 5);
  std::vector<T> values(count);
  std::generate(values.begin(), values.end(), [&] { return static_cast<T>(between(random)); });
  return values;
}

/// Every number of components and of tuples, with one odd value at each place.
template <class T>
void expect_same_everywhere(double odd)
{
  std::mt19937 random(11);
  for (int components = 1; components <= 9; ++components)
  {
    for (const std::size_t tuples : { 0U, 1U, 7U, 8U, 9U, 19U })
    {
      std::vector<T> values = random_values<T>(tuples * static_cast<std::size_t>(components), random);
      SCOPED_TRACE(testing::Message() << components << " components, " << tuples << " tuples");
      expect_same(values, components);
      for (T& value : values)
      {
        const T before = std::exchange(value, static_cast<T>(odd));
        expect_same(values, components);
        value = before;
      }
    }
  }
}

} // namespace

TEST(BrickMeasures, AreThoseOfTheFiniteValuesWhereverTheOthersAre)
{
  for (const double odd : { kNaN, kInfinity, -kInfinity })
  {
    expect_same_everywhere<float>(odd);
    expect_same_everywhere<double>(odd);
  }
}

TEST(BrickMeasures, KnowTheExtremeValuesWhereverTheyAre)
{
  for (const double odd : { 100.0, -100.0, 0.0, -0.0, 1e38, -1e38 })
  {
    expect_same_everywhere<float>(odd);
    expect_same_everywhere<double>(odd);
  }
}

TEST(BrickMeasures, OfHugeValuesHaveMagnitudesThatAreFinite)
{
  for (const double odd : { 1e160, -1e300 })
  {
    expect_same_everywhere<double>(odd);
  }
}

TEST(BrickMeasures, OfNoValuesAreNoRange)
{
  const BrickMeasure none = measure(std::vector<double>(), 3);
  EXPECT_EQ(none.component[2], kNoRange);
  EXPECT_EQ(none.magnitude, kNoRange);
  EXPECT_TRUE(none.all_finite);
  const BrickMeasure odd = measure(std::vector<float>(40, std::numeric_limits<float>::quiet_NaN()), 1);
  EXPECT_EQ(odd.component[0], kNoRange);
  EXPECT_EQ(odd.magnitude, kNoRange);
  EXPECT_FALSE(odd.all_finite);
}

/// A vector may be too long for a number though its components are none too large.
TEST(BrickMeasures, LeaveOutMagnitudesBeyondAllNumbers)
{
  std::vector<double> values(2 * 20, 3.0);
  values[10] = values[11] = 1.5e308;
  const BrickMeasure found = measure(values, 2);
  EXPECT_TRUE(found.all_finite);
  EXPECT_EQ(found.component[0], (Range{ 3, 1.5e308 }));
  EXPECT_DOUBLE_EQ(found.magnitude[1], std::sqrt(18.0));
}

TEST(BrickMeasures, AddUpToThatOfAllTheirValues)
{
  std::mt19937 random(3);
  const std::vector<float> first = random_values<float>(3 * 30, random);
  std::vector<float> second = random_values<float>(3 * 20, random);
  second[5] = std::numeric_limits<float>::infinity();
  BrickMeasure sum = measure(first, 3);
  sum.add(BrickMeasure());
  EXPECT_EQ(sum.component, measure(first, 3).component) << "nothing was added";
  EXPECT_TRUE(sum.all_finite);
  sum.add(measure(second, 3));
  std::vector<float> all = first;
  all.insert(all.end(), second.begin(), second.end());
  EXPECT_EQ(sum.component, measure(all, 3).component);
  EXPECT_DOUBLE_EQ(sum.magnitude[0], measure(all, 3).magnitude[0]);
  EXPECT_DOUBLE_EQ(sum.magnitude[1], measure(all, 3).magnitude[1]);
  EXPECT_FALSE(sum.all_finite);
}

TEST(BrickMeasures, GiveRangesForTheComponentsThatThereAre)
{
  std::vector<double> values(2 * 10, 4.0);
  for (std::size_t i = 1; i < values.size(); i += 2)
  {
    values[i] = kNaN;
  }
  const ValueRanges ranges = value_ranges(measure(values, 2), 2);
  ASSERT_EQ(ranges.components.size(), 2U);
  EXPECT_EQ(ranges.components[0], (Range{ 4, 4 }));
  EXPECT_TRUE(std::isnan(ranges.components[1][0]) && std::isnan(ranges.components[1][1]));
  EXPECT_TRUE(std::isnan(ranges.magnitude[0]) && std::isnan(ranges.magnitude[1]));
}

/// A brick must not be left out because its range was rounded past one of its values.
TEST(BrickMeasures, AreRoundedToFloatsByNoMoreThanOneStep)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> between(-1e3, 1e3);
  for (int i = 0; i < 1000; ++i)
  {
    const double low = between(random);
    const std::array<float, 2> outer = outer_range({ low, low });
    EXPECT_LE(static_cast<double>(outer[0]), low);
    EXPECT_GE(static_cast<double>(outer[1]), low);
    EXPECT_EQ(outer[1], std::nextafter(outer[0], 1e30F));
  }
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(outer_range({ -1e300, 1e300 }),
      (std::array<float, 2>{ -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity() }));
  EXPECT_EQ(outer_range({ 1e300, 2e300 })[0], kLargest);
  EXPECT_EQ(outer_range({ 1e-300, 1e-300 })[0], 0.0F);
  EXPECT_GT(outer_range({ 1e-300, 1e-300 })[1], 0.0F);
}

} // namespace rivulet::test
