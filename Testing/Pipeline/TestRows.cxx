// SPDX-License-Identifier: BSD-3-Clause
// Boxes of values out of bricks, against the formula of the field.
#include "Base/WholeType.h"
#include "Pipeline/Rows.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "WrappedField.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <numeric>
#include <random>

namespace rivulet::test
{
namespace
{

using testing::Each;
using testing::ElementsAre;

constexpr Int3 kNodes{ 13, 9, 7 };

struct Rows : testing::Test
{
  std::shared_ptr<const AnalyticField> flow = analytic_field("abc");
  Grid grid = uniform_grid(kNodes, flow->domain());
  std::vector<float> all = sample_floats(*flow, grid);

  /// The values of a box, out of all values.
  [[nodiscard]] std::vector<float> of_box(const Box& box) const
  {
    std::vector<float> values;
    for (Int3 at = box.begin; at[2] < box.end[2]; ++at[2])
    {
      for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
      {
        const auto first = all.begin() + 3 * row_major({ box.begin[0], at[1], at[2] }, kNodes);
        values.insert(values.end(), first, first + 3 * std::ptrdiff_t{ box.size()[0] });
      }
    }
    return values;
  }
  [[nodiscard]] static std::vector<float> read(BrickSource& source, const Box& box)
  {
    std::vector<float> values(static_cast<std::size_t>(3 * box.count()));
    const Result<void> done = read_box(source, { 0, 0, box }, reinterpret_cast<std::byte*>(values.data()));
    EXPECT_TRUE(done.has_value());
    return values;
  }
  [[nodiscard]] static Box any_box(std::mt19937& random)
  {
    Box box;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::uniform_int_distribution<std::int32_t> places(0, kNodes[axis]);
      std::int32_t begin = places(random);
      std::int32_t end = places(random);
      std::tie(begin, end) = std::minmax(begin, end);
      box.begin[axis] = std::min(begin, kNodes[axis] - 1);
      box.end[axis] = std::max(end, box.begin[axis] + 1);
    }
    return box;
  }
};

TEST_F(Rows, OfAnyBoxAreTheFieldsWhateverTheBricks)
{
  std::mt19937 random(5);
  for (const Int3& cells : { Int3{ 1, 1, 1 }, Int3{ 4, 3, 2 }, Int3{ 5, 8, 6 }, Int3{ 64, 64, 64 } })
  {
    for (const std::int64_t stride : { 0, 5 })
    {
      AnalyticBricks source(flow, grid, { .brick_cells = cells, .tuple_stride = stride });
      EXPECT_EQ(read(source, { { 0, 0, 0 }, kNodes }), all);
      for (int trial = 0; trial < 20; ++trial)
      {
        const Box box = any_box(random);
        EXPECT_EQ(read(source, box), of_box(box)) << trial;
      }
    }
  }
}

TEST_F(Rows, OfABoxWithinABrickNeedNoOther)
{
  AnalyticBricks source(flow, grid, { .brick_cells = { 4, 4, 3 } });
  const std::int64_t before = source.statistics().bricks_read;
  EXPECT_EQ(read(source, { { 4, 4, 3 }, { 9, 9, 7 } }), of_box({ { 4, 4, 3 }, { 9, 9, 7 } })); // with its shared layers
  EXPECT_EQ(source.statistics().bricks_read - before, 1);
}

TEST_F(Rows, FailWithTheFirstBrickThatCannotBeHad)
{
  AnalyticBricks good(flow, grid, { .brick_cells = { 4, 4, 3 } });
  FaultyBricks source(good, {});
  source.fail({ 0, 0, 2 });
  std::vector<float> values(all.size());
  auto* const out = reinterpret_cast<std::byte*>(values.data());
  EXPECT_FALSE(read_box(source, { 0, 0, { { 0, 0, 0 }, kNodes } }, out).has_value());
  EXPECT_TRUE(read_box(source, { 0, 0, { { 0, 0, 0 }, { 8, 9, 7 } } }, out).has_value()) << "other bricks are there";
}

/// Each lattice point lies in exactly one box of owned values, that of brick_holding().
TEST(OwnedValues, ShareOutTheLattice)
{
  for (const Int3& cells : { Int3{ 1, 2, 3 }, Int3{ 4, 4, 4 }, Int3{ 20, 20, 20 } })
  {
    AnalyticBricks source(
        analytic_field("abc"), uniform_grid(kNodes, analytic_field("abc")->domain()), { .brick_cells = cells });
    const BrickGrid& grid = source.bricks(0);
    std::vector<int> owners(static_cast<std::size_t>(volume(kNodes)), 0);
    for (std::int64_t index = 0; index < grid.size(); ++index)
    {
      const Box owned = owned_values(grid, index);
      for (Int3 at = owned.begin; at[2] < owned.end[2]; ++at[2])
      {
        for (at[1] = owned.begin[1]; at[1] < owned.end[1]; ++at[1])
        {
          for (at[0] = owned.begin[0]; at[0] < owned.end[0]; ++at[0])
          {
            ++owners[static_cast<std::size_t>(row_major(at, kNodes))];
            EXPECT_EQ(row_major(brick_holding(grid, at), grid.count), index);
          }
        }
      }
    }
    EXPECT_THAT(owners, Each(1));
  }
}

TEST(BricksOfABox, AreThoseWithItsValues)
{
  const auto flow = analytic_field("abc");
  AnalyticBricks inner(flow, uniform_grid(kNodes, flow->domain()), { .brick_cells = { 4, 4, 3 } });
  const WrappedField field(inner, kMiB);
  EXPECT_THAT(bricks_of(field, { 0, 0, { { 0, 0, 0 }, { 1, 1, 1 } } }), ElementsAre(0));
  EXPECT_THAT(bricks_of(field, { 0, 0, { { 3, 0, 0 }, { 5, 1, 1 } } }), ElementsAre(0, 1));
  EXPECT_THAT(bricks_of(field, { 0, 0, { { 12, 8, 6 }, { 13, 9, 7 } } }), ElementsAre(11)) << "the last points";
  EXPECT_EQ(bricks_of(field, { 0, 0, { { 0, 0, 0 }, kNodes } }).size(), 12U);
}

/// A row of whole numbers, as floats in the field.
struct WholeRows : testing::Test
{
  std::vector<float> values{ -3, 0, 7, 250, 300, -1, 2, 5 };
  Grid grid{ .nodes = { 4, 2, 1 }, .axes = {} };

  template <class T>
  std::vector<T> for_users(WholeType whole, const Box& part)
  {
    const Variable variable{ "numbers", ScalarType::Float32, 1, Centering::Node, whole };
    ArrayBricks source(grid, { { variable, values.data() } });
    const Lookup found = source.try_get({ 0, 0, 0 });
    std::vector<T> out(8, T{ 99 });
    copy_rows_for_users(
        found.pin, variable, part, { { 0, 0, 0 }, grid.nodes }, reinterpret_cast<std::byte*>(out.data()));
    return out;
  }
};

TEST_F(WholeRows, AreOfTheTypeThatUsersKnow)
{
  const Box all{ { 0, 0, 0 }, grid.nodes };
  EXPECT_THAT(for_users<std::int16_t>(WholeType::Int16, all), ElementsAre(-3, 0, 7, 250, 300, -1, 2, 5));
  EXPECT_THAT(for_users<std::int64_t>(WholeType::Int64, all), ElementsAre(-3, 0, 7, 250, 300, -1, 2, 5));
  EXPECT_THAT(for_users<float>(WholeType::None, all), ElementsAre(-3, 0, 7, 250, 300, -1, 2, 5));
}

TEST_F(WholeRows, OfAPartLeaveTheRestAlone)
{
  const std::vector<std::int32_t> part = for_users<std::int32_t>(WholeType::Int32, { { 1, 0, 0 }, { 3, 2, 1 } });
  EXPECT_THAT(part, ElementsAre(99, 0, 7, 99, 99, -1, 2, 99));
  EXPECT_THAT(for_users<std::int32_t>(WholeType::Int32, { { 1, 1, 0 }, { 1, 1, 0 } }), Each(99)) << "an empty part";
}

TEST_F(WholeRows, ThatAreMissingAre0AndNumbersNan)
{
  std::array<std::int32_t, 4> whole{ 1, 1, 1, 1 };
  const BrickPin none;
  const Variable labels{ "labels", ScalarType::Float32, 2, Centering::Node, WholeType::Int32 };
  copy_row_for_users(none, labels, { 0, 0, 0 }, 2, reinterpret_cast<std::byte*>(whole.data()));
  EXPECT_THAT(whole, Each(0));
  std::array<float, 6> floats{};
  const Variable vectors{ "velocity", ScalarType::Float32, 3, Centering::Node };
  copy_row_for_users(none, vectors, { 0, 0, 0 }, 2, reinterpret_cast<std::byte*>(floats.data()));
  EXPECT_TRUE(std::all_of(floats.begin(), floats.end(), [](float v) { return std::isnan(v); }));
  std::array<double, 2> doubles{};
  const Variable scalars{ "p", ScalarType::Float64, 1, Centering::Node };
  copy_row_for_users(none, scalars, { 0, 0, 0 }, 2, reinterpret_cast<std::byte*>(doubles.data()));
  EXPECT_TRUE(std::isnan(doubles[0]) && std::isnan(doubles[1]));
}

} // namespace
} // namespace rivulet::test
