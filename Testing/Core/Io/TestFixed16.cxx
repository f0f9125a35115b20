// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Fixed16.h"

#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/FieldRules.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;

namespace
{

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<std::byte> encoded(const std::vector<float>& values, int components)
{
  const auto tuples = static_cast<std::int64_t>(values.size()) / components;
  std::vector<std::byte> payload(static_cast<std::size_t>(fixed16_bytes(components, tuples)));
  EXPECT_EQ(encode_fixed16(values.data(), ScalarType::Float32, components, tuples, payload.data()), "");
  return payload;
}

std::vector<float> there_and_back(const std::vector<float>& values, int components)
{
  std::vector<float> back(values.size());
  decode_fixed16(encoded(values, components).data(), ScalarType::Float32, components,
      static_cast<std::int64_t>(values.size()) / components, back.data());
  return back;
}

Fixed16Component component_of(const std::vector<std::byte>& payload, std::size_t number)
{
  Fixed16Component component;
  std::memcpy(&component, payload.data() + number * sizeof(component), sizeof(component));
  return component;
}

/// Components of very different sizes: around zero, and far from it.
std::vector<float> uneven_values(std::size_t tuples)
{
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  for (std::size_t i = 0; i < tuples; ++i)
  {
    values.insert(values.end(), { normal(random), 1e-20F * normal(random), 1000.0F + normal(random) });
  }
  return values;
}

} // namespace

TEST(Fixed16, KeepsEveryValueWithinTheErrorItStates)
{
  const std::vector<float> values = uneven_values(1000);
  const std::vector<std::byte> payload = encoded(values, 3);
  const std::vector<float> back = there_and_back(values, 3);
  for (std::size_t c = 0; c < 3; ++c)
  {
    const Fixed16Component component = component_of(payload, c);
    double largest = 0.0;
    double magnitude = 0.0;
    for (std::size_t i = c; i < values.size(); i += 3)
    {
      largest = std::max(largest, std::abs(static_cast<double>(back[i]) - static_cast<double>(values[i])));
      magnitude = std::max(magnitude, std::abs(static_cast<double>(values[i])));
    }
    EXPECT_EQ(largest, component.error);
    // Half a step, and the rounding to a float.
    EXPECT_LE(largest, 0.5 * component.step + magnitude * std::numeric_limits<float>::epsilon());
    EXPECT_GT(component.step, 0.0);
  }
  EXPECT_EQ(error_of_fixed16(payload.data(), 3), component_of(payload, 2).error);
}

TEST(Fixed16, UsesNearlyAllCodes)
{
  const std::vector<std::byte> payload = encoded({ 3.0F, 7.0F, 4.0F }, 1);
  EXPECT_NEAR(component_of(payload, 0).step, 4.0 / 65534, 1e-10);
}

TEST(Fixed16, KeepsBothEnds)
{
  for (const std::vector<float>& values :
      std::vector<std::vector<float>>{ { -1.0F, 2.0F }, { 0.0F, 5.0F }, { -3.0F, 0.0F }, { 1e30F, 3e38F } })
  {
    const std::vector<float> back = there_and_back(values, 1);
    const double half = 0.5 * component_of(encoded(values, 1), 0).step;
    EXPECT_NEAR(back[0], values[0], 1.001 * half);
    EXPECT_NEAR(back[1], values[1], 1.001 * half);
  }
}

TEST(Fixed16, KeepsZeroAsZero)
{
  std::vector<float> values = uneven_values(100);
  for (std::size_t tuple : { 0U, 17U, 99U })
  {
    values[3 * tuple] = values[3 * tuple + 1] = 0.0F;
  }
  const std::vector<float> back = there_and_back(values, 3);
  for (std::size_t tuple : { 0U, 17U, 99U })
  {
    EXPECT_EQ(back[3 * tuple], 0.0F);
    EXPECT_EQ(back[3 * tuple + 1], 0.0F);
  }
}

TEST(Fixed16, KeepsWhatIsAllAlikeExactly)
{
  EXPECT_EQ(there_and_back(std::vector<float>(50, 0.1F), 1), std::vector<float>(50, 0.1F));
  EXPECT_EQ(error_of_fixed16(encoded(std::vector<float>(50, 0.1F), 1).data(), 1), 0.0);
}

TEST(Fixed16, KeepsNaNAndTheValuesBesideIt)
{
  const std::vector<float> back = there_and_back({ kNaN, 1.0F, 2.0F, kNaN, 3.0F, 3.0F }, 2);
  EXPECT_TRUE(std::isnan(back[0]));
  EXPECT_TRUE(std::isnan(back[3]));
  EXPECT_NEAR(back[1], 1.0F, 1e-4F);
  EXPECT_EQ(back[2], 2.0F);
  EXPECT_NEAR(back[5], 3.0F, 1e-4F);
  EXPECT_TRUE(std::isnan(there_and_back({ kNaN, kNaN }, 1)[1]));
}

TEST(Fixed16, RefusesInfiniteValues)
{
  const std::vector<float> values{ 1.0F, kInfinity };
  std::vector<std::byte> payload(100);
  EXPECT_THAT(
      encode_fixed16(values.data(), ScalarType::Float32, 1, 2, payload.data()), HasSubstr("values are infinite"));
}

TEST(Fixed16, HoldsDoublesOfAnySize)
{
  for (const double scale : { 1e-310, 1e-3, 1.0, 1e300 })
  {
    const std::vector<double> values{ -scale, 0.3 * scale, 0.7 * scale, scale };
    std::vector<std::byte> payload(100);
    ASSERT_EQ(encode_fixed16(values.data(), ScalarType::Float64, 1, 4, payload.data()), "");
    std::vector<double> back(4);
    decode_fixed16(payload.data(), ScalarType::Float64, 1, 4, back.data());
    for (std::size_t i = 0; i < 4; ++i)
    {
      EXPECT_LE(std::abs(back[i] - values[i]), error_of_fixed16(payload.data(), 1));
    }
    EXPECT_LE(error_of_fixed16(payload.data(), 1), std::max(scale / 65000, std::numeric_limits<double>::min()));
  }
}

TEST(Fixed16, DecodesInTheMemoryThatHoldsTheRecord)
{
  Grid grid;
  grid.nodes = { 64, 64, 64 };
  for (const std::int32_t components : { 1, 2, 3, 9 })
  {
    for (const ScalarType type : { ScalarType::Float32, ScalarType::Float64 })
    {
      for (const std::int32_t cells : { 1, 2, 4, 9, 10, 13 })
      {
        const Variable variable{ "u", type, components, Centering::Node };
        const BrickLayout layout = *make_layout(grid, variable, { cells, cells, cells }, Encoding::Fixed16);
        const std::vector<std::byte> values = values_of(variable, 0, 0, { { 0, 0, 0 }, layout.nodes });
        std::vector<std::byte> slot(static_cast<std::size_t>(layout.slot_bytes()));
        std::vector<std::byte> apart(values.size());
        std::byte* record = slot.data() + layout.record_in_slot();
        const std::int64_t tuples = volume(layout.nodes);
        ASSERT_EQ(encode_fixed16(values.data(), type, components, tuples, record), "");
        decode_fixed16(record, type, components, tuples, apart.data());
        decode_fixed16(record, type, components, tuples, slot.data());
        EXPECT_TRUE(std::equal(apart.begin(), apart.end(), slot.begin())) << components << " x " << cells;
        EXPECT_EQ(layout.slot_bytes() % 4096, 0);
      }
    }
  }
}

TEST(Fixed16Files, SayHowTheirValuesAreKept)
{
  const TemporaryFolder folder;
  write_field(folder.file("plain.rvf"), small_field());
  write_field(folder.file("field.rvf"), small_field(), { .encoding = Encoding::Fixed16 });
  const Result<FieldFile> plain = FieldFile::open(folder.file("plain.rvf"));
  const Result<FieldFile> file = FieldFile::open(folder.file("field.rvf"));
  ASSERT_TRUE(plain && file);
  EXPECT_EQ(plain->layouts[0].encoding, Encoding::Plain);
  EXPECT_EQ(plain->layouts[0].largest_error, 0.0);
  for (std::size_t i = 0; i < 2; ++i)
  {
    EXPECT_EQ(file->layouts[i].encoding, Encoding::Fixed16);
    EXPECT_GT(file->layouts[i].largest_error, 0.0);
    // One brick spans the grid: half a step of its range.
    const std::array<double, 2>& range = plain->info.ranges[i].components[0];
    EXPECT_LT(file->layouts[i].largest_error, 0.6 * (range[1] - range[0]) / 65534);
    EXPECT_NEAR(file->info.ranges[i].components[0][1], range[1], file->layouts[i].largest_error);
  }
}

TEST(Fixed16Files, RefuseInfiniteValuesWithAWayOut)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  auto writer = FieldFileWriter::create(folder.file("field.rvf"), info, { .encoding = Encoding::Fixed16 });
  ASSERT_TRUE(writer);
  std::vector<float> values(static_cast<std::size_t>((*writer)->layout(0).values) / sizeof(float), kInfinity);
  const Result<void> written = (*writer)->write_brick({ 0, 0, 0 }, values.data());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().what, HasSubstr("\"velocity\" cannot be stored in 16 bits"));
  EXPECT_THAT(written.error().remedy, HasSubstr("plain"));
  EXPECT_EQ(written.error().path, folder.file("field.rvf"));
}

} // namespace rivulet
