// SPDX-License-Identifier: BSD-3-Clause
#include "Support/AnalyticBricks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{

using namespace rivulet;
using namespace rivulet::test;

constexpr FieldDomain kCube{ { -1, -1, -1 }, { 1, 1, 1 } };

template <class T>
T value_at(const BrickView& view, const Int3& at, int component)
{
  std::int64_t offset = component;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    offset += (at[axis] - view.lattice.begin[axis]) * view.stride[axis];
  }
  return static_cast<const T*>(view.data)[offset];
}

TEST(AnalyticBricks, HoldTheSharedLayerTowardsUpperNeighbours)
{
  AnalyticBricks source(analytic_field("abc"), uniform_grid({ 17, 9, 12 }, kCube), { .brick_cells = { 4, 8, 3 } });
  EXPECT_EQ(source.bricks(0).count, (Int3{ 4, 1, 4 }));
  const Lookup first = source.try_get({ 0, 0, 0 });
  const Lookup last = source.try_get({ 0, 0, 15 });
  EXPECT_EQ(first.pin.view().lattice, (Box{ { 0, 0, 0 }, { 5, 9, 4 } }));
  EXPECT_EQ(last.pin.view().lattice, (Box{ { 12, 0, 9 }, { 17, 9, 12 } }));
}

TEST(AnalyticBricks, ValuesAreTheFieldAtTheNodes)
{
  const auto field = analytic_field("abc");
  const Grid grid = uniform_grid({ 9, 9, 9 }, kCube);
  AnalyticBricks source(field, grid, { .brick_cells = { 4, 4, 4 }, .type = ScalarType::Float64 });
  const Lookup found = source.try_get({ 0, 0, 7 });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  const Vec3 expected = field->velocity({ 0.5, 0.25, 0.75 }, 0);
  for (int c = 0; c < 3; ++c)
  {
    EXPECT_DOUBLE_EQ(value_at<double>(found.pin.view(), { 6, 5, 7 }, c), expected[static_cast<std::size_t>(c)]);
  }
}

TEST(AnalyticBricks, CellCentredValuesLieInTheMiddleOfCells)
{
  AnalyticBricks source(analytic_field("shear"), uniform_grid({ 5, 5, 5 }, kCube),
      { .brick_cells = { 2, 2, 2 }, .centering = Centering::Cell });
  const Lookup found = source.try_get({ 0, 0, 0 });
  EXPECT_EQ(found.pin.view().lattice, (Box{ { 0, 0, 0 }, { 2, 2, 2 } }));
  EXPECT_FLOAT_EQ(value_at<float>(found.pin.view(), { 0, 1, 0 }, 0), -0.25F);
}

TEST(AnalyticBricks, RectilinearNodesLieWhereTheAxesSay)
{
  Grid grid = uniform_grid({ 3, 3, 3 }, kCube);
  grid.kind = Grid::Kind::Rectilinear;
  grid.axes = { { { 0, 1, 2 }, { 0, 5, 6 }, { 0, 1, 2 } } };
  AnalyticBricks source(analytic_field("shear"), grid);
  const Lookup found = source.try_get({ 0, 0, 0 });
  EXPECT_FLOAT_EQ(value_at<float>(found.pin.view(), { 0, 1, 0 }, 0), 5.0F);
}

TEST(AnalyticBricks, PaddingIsPoisoned)
{
  AnalyticBricks source(analytic_field("uniform"), uniform_grid({ 3, 3, 3 }, kCube), { .tuple_stride = 4 });
  const Lookup found = source.try_get({ 0, 0, 0 });
  EXPECT_EQ(found.pin.view().stride, (Long3{ 4, 12, 36 }));
  EXPECT_FLOAT_EQ(value_at<float>(found.pin.view(), { 1, 0, 0 }, 0), 1.0F);
  EXPECT_TRUE(std::isnan(value_at<float>(found.pin.view(), { 1, 0, 0 }, 3)));
}

TEST(AnalyticBricks, SecondVariableIsTheSpeed)
{
  const auto field = analytic_field("uniform", { { "u", 3 }, { "v", 4 } });
  AnalyticBricks source(field, uniform_grid({ 2, 2, 2 }, kCube));
  const Lookup found = source.try_get({ 1, 0, 0 });
  EXPECT_EQ(found.pin.view().components, 1);
  EXPECT_FLOAT_EQ(value_at<float>(found.pin.view(), { 1, 1, 1 }, 0), 5.0F);
}

TEST(AnalyticBricks, CountPins)
{
  AnalyticBricks source(analytic_field("uniform"), uniform_grid({ 2, 2, 2 }, kCube));
  {
    const Lookup one = source.try_get({ 0, 0, 0 });
    const Lookup two = source.try_get({ 0, 0, 0 });
    EXPECT_EQ(source.pinned(), 2);
  }
  EXPECT_EQ(source.pinned(), 0);
  EXPECT_EQ(source.most_pinned(), 2);
}

TEST(AnalyticBricks, RefuseKeysThatDoNotExist)
{
  AnalyticBricks source(analytic_field("uniform"), uniform_grid({ 2, 2, 2 }, kCube));
  for (const BrickKey& key : { BrickKey{ 2, 0, 0 }, BrickKey{ 0, 1, 0 }, BrickKey{ 0, 0, 1 }, BrickKey{ 0, 0, -1 } })
  {
    EXPECT_EQ(source.try_get(key).state, Lookup::State::Failed);
  }
}

TEST(AnalyticBricks, LaterStepsAreLaterInTime)
{
  const auto field = analytic_field("taylor-green", { { "viscosity", 1 } });
  const Grid grid = uniform_grid({ 3, 2, 2 }, { { 0, 0, 0 }, { 3, 1, 1 } });
  AnalyticBricks source(field, grid, { .type = ScalarType::Float64, .times = { 0.0, 1.0 } });
  const Lookup early = source.try_get({ 0, 0, 0 });
  const Lookup late = source.try_get({ 0, 1, 0 });
  const double ratio =
      value_at<double>(late.pin.view(), { 1, 0, 0 }, 0) / value_at<double>(early.pin.view(), { 1, 0, 0 }, 0);
  EXPECT_NEAR(ratio, std::exp(-3.0), 1e-12);
}

TEST(SampleFloats, CoversTheGridInRowMajorOrder)
{
  const std::vector<float> values = sample_floats(*analytic_field("shear"), uniform_grid({ 2, 3, 2 }, kCube));
  ASSERT_EQ(values.size(), 3U * 12U);
  EXPECT_FLOAT_EQ(values[0], -1.0F);
  EXPECT_FLOAT_EQ(values[3 * 2], 0.0F);
  EXPECT_FLOAT_EQ(values[3 * 4], 1.0F);
}

} // namespace
