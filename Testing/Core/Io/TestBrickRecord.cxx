// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/BrickMeasure.h"
#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldRules.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace rivulet
{

namespace
{

BrickLayout layout_of(const Int3& nodes, const Int3& cells, Centering centering = Centering::Node)
{
  Grid grid;
  grid.nodes = nodes;
  return *make_layout(grid, { "v", ScalarType::Float32, 2, centering }, cells);
}

/// Distinct values for every point of a box.
std::vector<float> numbered(const Box& box)
{
  std::vector<float> values;
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 at = from_row_major(i, box.size());
    const int id = (at[0] + box.begin[0]) + 100 * (at[1] + box.begin[1]) + 10000 * (at[2] + box.begin[2]);
    values.push_back(static_cast<float>(id));
    values.push_back(static_cast<float>(-id));
  }
  return values;
}

std::vector<std::byte> record_of(const BrickLayout& layout, const Int3& brick)
{
  const Box all{ { 0, 0, 0 }, layout.grid.lattice };
  const std::vector<float> values = numbered(all);
  std::vector<std::byte> record(static_cast<std::size_t>(layout.stride));
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  copy_box_to_record(layout, { all, bytes, dense_strides(all, 8) }, brick, record.data());
  return record;
}

/// First component at a point of the record.
float value_in(const BrickLayout& layout, const std::vector<std::byte>& record, const Int3& at)
{
  float value = 0;
  std::memcpy(&value, record.data() + row_major(at, layout.nodes) * 8, sizeof(value));
  return value;
}

template <class T>
BrickMeasure measure(const std::vector<T>& values, int components)
{
  const ScalarType type = sizeof(T) == 4 ? ScalarType::Float32 : ScalarType::Float64;
  return measure_values(values.data(), type, components, static_cast<std::int64_t>(values.size()) / components);
}

} // namespace

TEST(BrickRecord, KnowsItsPlaceAndItsValues)
{
  const BrickLayout layout = layout_of({ 20, 20, 20 }, { 5, 5, 5 });
  std::vector<std::byte> record = record_of(layout, { 1, 2, 3 });
  write_trailer(record.data(), layout, { 3, 7, 99 }, 1);
  EXPECT_EQ(check_record(record.data(), layout, { 3, 7, 99 }), RecordState::Sound);
  EXPECT_EQ(flags_of(record.data(), layout), 1U);
  EXPECT_EQ(check_record(record.data(), layout, { 3, 7, 98 }), RecordState::OtherBrick);
  EXPECT_EQ(check_record(record.data(), layout, { 3, 6, 99 }), RecordState::OtherBrick);
  EXPECT_EQ(check_record(record.data(), layout, { 2, 7, 99 }), RecordState::OtherBrick);
  record[100] ^= std::byte{ 1 };
  EXPECT_EQ(check_record(record.data(), layout, { 3, 7, 99 }), RecordState::BadChecksum);
  EXPECT_STRNE(describe(RecordState::BadChecksum), "");
  record.back() = std::byte{ 0 };
  EXPECT_EQ(check_record(record.data(), layout, { 3, 7, 99 }), RecordState::NoTrailer);
}

TEST(BrickRecord, HoldsItsNodesAndTheSharedLayer)
{
  const BrickLayout layout = layout_of({ 16, 16, 16 }, { 5, 5, 5 });
  const std::vector<std::byte> record = record_of(layout, { 1, 0, 2 });
  EXPECT_EQ(value_in(layout, record, { 0, 0, 0 }), 5 + 10 * 10000);
  EXPECT_EQ(value_in(layout, record, { 5, 5, 5 }), 10 + 500 + 15 * 10000);
}

TEST(BrickRecord, RepeatsTheLastPointBehindTheLattice)
{
  const BrickLayout layout = layout_of({ 8, 7, 6 }, { 5, 5, 4 });
  const std::vector<std::byte> record = record_of(layout, { 1, 1, 1 }); // holds points 5..7, 5..6, 4..5
  EXPECT_EQ(value_in(layout, record, { 2, 1, 1 }), 7 + 600 + 50000);
  EXPECT_EQ(value_in(layout, record, { 5, 1, 1 }), 7 + 600 + 50000);
  EXPECT_EQ(value_in(layout, record, { 0, 5, 0 }), 5 + 600 + 40000);
  EXPECT_EQ(value_in(layout, record, { 5, 5, 4 }), 7 + 600 + 50000);
}

TEST(BrickRecord, ReadsFromSparseStrides)
{
  const BrickLayout layout = layout_of({ 4, 4, 4 }, { 3, 3, 3 });
  const Box all{ { 0, 0, 0 }, { 4, 4, 4 } };
  const std::vector<float> dense = numbered(all);
  std::vector<float> wide(3 * 64, -1.0F); // a third number after each pair
  for (std::size_t i = 0; i < 64; ++i)
  {
    std::copy_n(&dense[2 * i], 2, &wide[3 * i]);
  }
  std::vector<std::byte> record(static_cast<std::size_t>(layout.stride));
  copy_box_to_record(
      layout, { all, reinterpret_cast<const std::byte*>(wide.data()), { 12, 48, 192 } }, { 0, 0, 0 }, record.data());
  EXPECT_EQ(std::memcmp(record.data(), dense.data(), 64 * 8), 0);
}

TEST(BrickRecord, GivesItsValuesBack)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    const BrickLayout layout = layout_of({ 12, 9, 7 }, { 4, 3, 5 }, centering);
    const Box box{ { 1, 2, 1 }, { 11, 7, 6 } };
    std::vector<float> values(static_cast<std::size_t>(2 * box.count()), -7.0F);
    const MutableStridedBox to{ box, reinterpret_cast<std::byte*>(values.data()), dense_strides(box, 8) };
    for (std::int64_t index = 0; index < layout.grid.size(); ++index)
    {
      const Int3 brick = from_row_major(index, layout.grid.count);
      copy_record_to_box(layout, record_of(layout, brick).data(), brick, to);
    }
    EXPECT_EQ(values, numbered(box));
  }
}

TEST(BrickLayout, CutsBricksBackToTheGrid)
{
  const BrickLayout flat = layout_of({ 30, 3, 1 }, { 9, 9, 9 });
  EXPECT_EQ(flat.cells, (Int3{ 9, 2, 1 }));
  EXPECT_EQ(flat.nodes, (Int3{ 10, 3, 1 }));
  EXPECT_EQ(flat.grid.count, (Int3{ 4, 1, 1 }));
  EXPECT_EQ(flat.grid.lattice, (Int3{ 30, 3, 1 }));
  EXPECT_EQ(layout_of({ 91, 91, 91 }, { 9, 9, 9 }).stride, 12288 - 4096); // 8000 bytes and the trailer
}

// A record takes whole pages: a brick of 9 x 9 x 1 cells of single floats would take one for 324 bytes.
TEST(BrickLayout, OfAFlatGridTakesLittleMoreThanTheValues)
{
  struct Case
  {
    Int3 nodes;
    Centering centering;
    std::int32_t components;
    double most; ///< bytes of the records, for each byte of the values
  };
  const std::vector<Case> cases{ { { 601, 301, 1 }, Centering::Node, 3, 1.15 },
    { { 601, 301, 2 }, Centering::Node, 3, 1.15 }, { { 601, 301, 2 }, Centering::Cell, 1, 1.3 },
    { { 301, 2, 601 }, Centering::Cell, 3, 1.3 }, { { 1, 40000, 1 }, Centering::Node, 3, 1.15 } };
  for (const Case& each : cases)
  {
    Grid grid;
    grid.nodes = each.nodes;
    const Variable variable{ "v", ScalarType::Float32, each.components, each.centering };
    const auto layout = make_layout(grid, variable, kUsualBrick, Encoding::Plain);
    ASSERT_TRUE(layout);
    const auto values = static_cast<double>(volume(grid.lattice(each.centering)) * variable.tuple_bytes());
    EXPECT_LT(static_cast<double>(layout->grid.size() * layout->stride) / values, each.most)
        << each.nodes[0] << ' ' << each.nodes[1] << ' ' << each.nodes[2];
  }
}

TEST(BrickLayout, RefusesSizesThatOverflow)
{
  Grid grid;
  grid.nodes = { 1 << 30, 1 << 30, 2 };
  const Variable variable{ "v", ScalarType::Float64, 9, Centering::Node };
  EXPECT_FALSE(make_layout(grid, variable, { 1 << 30, 1 << 30, 1 << 30 }));
  EXPECT_FALSE(make_layout(grid, variable, { 1, 1, 1 }));
  EXPECT_FALSE(make_layout(grid, variable, { 4, 4, 0 }));
  EXPECT_EQ(checked_product(std::int64_t{ 1 } << 40, std::int64_t{ 1 } << 40), -1);
  EXPECT_EQ(checked_product(-1, 3), -1);
}

TEST(BrickMeasure, FindsTheRangesOfEveryComponent)
{
  std::mt19937 random(5);
  for (int components = 1; components <= 9; ++components)
  {
    std::vector<float> values(static_cast<std::size_t>(components * 101));
    BrickMeasure expected;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      values[i] = static_cast<float>(random() % 2000) - 1000.0F;
      const double value = values[i];
      auto& range = expected.component[i % static_cast<std::size_t>(components)];
      range = { std::min(range[0], value), std::max(range[1], value) };
    }
    const BrickMeasure found = measure(values, components);
    EXPECT_EQ(found.component, expected.component) << components;
    EXPECT_TRUE(found.all_finite);
  }
}

TEST(BrickMeasure, TakesTheMagnitudeOfVectorsAndTheValueOfScalars)
{
  std::vector<double> vectors(3 * 50, 1.0);
  vectors[7 * 3 + 1] = -4.0;
  vectors[49 * 3 + 2] = 0.0;
  const BrickMeasure vector = measure(vectors, 3);
  EXPECT_EQ(vector.magnitude, (std::array<double, 2>{ std::sqrt(2.0), std::sqrt(18.0) }));
  std::vector<double> scalars(50, 1.0);
  scalars[3] = -2.0;
  EXPECT_EQ(measure(scalars, 1).magnitude, (std::array<double, 2>{ -2.0, 1.0 }));
}

TEST(BrickMeasure, LeavesOutWhatIsNotFinite)
{
  for (const double odd : { std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN() })
  {
    std::vector<double> values(2 * 40, 3.0);
    values[2 * 11] = odd;
    values[2 * 11 + 1] = 900.0;
    const BrickMeasure found = measure(values, 2);
    EXPECT_FALSE(found.all_finite);
    EXPECT_EQ(found.component[0], (std::array<double, 2>{ 3.0, 3.0 }));
    EXPECT_EQ(found.component[1], (std::array<double, 2>{ 3.0, 900.0 }));
    EXPECT_NEAR(found.magnitude[1], std::sqrt(18.0), 1e-12);
  }
}

TEST(BrickMeasure, SurvivesSquaresThatOverflowOrVanish)
{
  const BrickMeasure large = measure(std::vector<double>(3 * 20, 1e200), 3);
  EXPECT_NEAR(large.magnitude[1] / 1e200, std::sqrt(3.0), 1e-12);
  const BrickMeasure small = measure(std::vector<double>(3 * 20, 1e-200), 3);
  EXPECT_NEAR(small.magnitude[0] * 1e200, std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(large.all_finite);
}

TEST(BrickMeasure, RoundsRangesOutwards)
{
  const std::array<double, 2> exact{ 0.1, 0.3 };
  const std::array<float, 2> outer = outer_range(exact);
  EXPECT_LE(static_cast<double>(outer[0]), exact[0]);
  EXPECT_GE(static_cast<double>(outer[1]), exact[1]);
  EXPECT_EQ(outer_range({ 0.5, 2.0 }), (std::array<float, 2>{ 0.5F, 2.0F }));
  EXPECT_EQ(outer_range({ 1e300, 1e300 })[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(outer_range(kNoRange)[0], std::numeric_limits<float>::infinity());
}

} // namespace rivulet
