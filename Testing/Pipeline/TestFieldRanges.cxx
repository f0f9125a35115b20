// SPDX-License-Identifier: BSD-3-Clause
// Ranges of values that no file has, against a loop over all values.
#include "Pipeline/FieldRanges.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "WrappedField.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace rivulet::test
{
namespace
{

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;

constexpr Int3 kNodes{ 21, 18, 11 };
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::chrono::seconds kLong{ 60 };

std::shared_ptr<LazyField> opened(BrickSource& source)
{
  return std::make_shared<LazyField>(std::make_shared<WrappedField>(source, std::int64_t{ 1 } << 30));
}

/// Extremes of one component of tuples of three, or of their lengths.
std::array<double, 2> extremes(const std::vector<float>& values, int component)
{
  std::array<double, 2> found{ 1e300, -1e300 };
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
  {
    const double x = values[i];
    const double y = values[i + 1];
    const double z = values[i + 2];
    const double value =
        component < 3 ? values[i + static_cast<std::size_t>(component)] : std::sqrt(x * x + y * y + z * z);
    found = { std::min(found[0], value), std::max(found[1], value) };
  }
  return found;
}

TEST(ExactRanges, AreThoseOfAllValuesWhateverTheBricks)
{
  const auto flow = analytic_field("abc");
  const Grid grid = uniform_grid(kNodes, flow->domain());
  const std::vector<float> all = sample_floats(*flow, grid);
  for (const ScalarType type : { ScalarType::Float32, ScalarType::Float64 })
  {
    for (const Int3& cells : { Int3{ 3, 5, 4 }, Int3{ 64, 64, 64 } })
    {
      AnalyticBricks source(flow, grid, { .brick_cells = cells, .type = type });
      const auto ranges = scan_ranges(*opened(source), { 0, 0, { { 0, 0, 0 }, kNodes } }, kLong);
      ASSERT_TRUE(ranges);
      EXPECT_TRUE(ranges->exact);
      ASSERT_EQ(ranges->all.components.size(), 3U);
      for (int component = 0; component < 4; ++component)
      {
        const auto& found =
            component < 3 ? ranges->all.components[static_cast<std::size_t>(component)] : ranges->all.magnitude;
        const auto expected = extremes(all, component);
        EXPECT_NEAR(found[0], expected[0], 1e-6);
        EXPECT_NEAR(found[1], expected[1], 1e-6);
      }
      EXPECT_EQ(ranges->finite.components, ranges->all.components);
    }
  }
}

TEST(ExactRanges, OfABoxKnowNothingOfTheRest)
{
  std::vector<double> values(27);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = static_cast<double>(i);
  }
  const Grid grid{ .nodes = { 3, 3, 3 }, .axes = {} };
  ArrayBricks source(grid, { { { "p", ScalarType::Float64, 1, Centering::Node }, values.data() } });
  const auto ranges = scan_ranges(*opened(source), { 0, 0, { { 1, 1, 1 }, { 3, 3, 2 } } }, kLong);
  ASSERT_TRUE(ranges);
  EXPECT_THAT(ranges->all.components.front(), ElementsAre(9 + 3 + 1, 9 + 6 + 2));
}

/// NaN has no place in a range; infinite values have one in that of all values alone.
TEST(ExactRanges, TellFiniteValuesFromOthers)
{
  const Grid grid{ .nodes = { 4, 1, 1 }, .axes = {} };
  const std::vector<float> values{ 1, 2, kNan, 5, kInfinity, 3, -4, 0.5F };
  ArrayBricks source(grid, { { { "pairs", ScalarType::Float32, 2, Centering::Node }, values.data() } });
  const auto ranges = scan_ranges(*opened(source), { 0, 0, { { 0, 0, 0 }, grid.nodes } }, kLong);
  ASSERT_TRUE(ranges);
  EXPECT_THAT(ranges->all.components[0], ElementsAre(-4, kInfinity));
  EXPECT_THAT(ranges->all.components[1], ElementsAre(0.5, 5));
  EXPECT_THAT(ranges->finite.components[0], ElementsAre(-4, 1));
  EXPECT_THAT(ranges->finite.components[1], ElementsAre(0.5, 5));
  EXPECT_THAT(ranges->finite.magnitude, ElementsAre(std::sqrt(5.0), std::sqrt(16.25)));
}

TEST(ExactRanges, OfNothingButNanAreNotKnown)
{
  const Grid grid{ .nodes = { 2, 1, 1 }, .axes = {} };
  const std::vector<float> values{ kNan, kNan };
  ArrayBricks source(grid, { { { "p", ScalarType::Float32, 1, Centering::Node }, values.data() } });
  const auto ranges = scan_ranges(*opened(source), { 0, 0, { { 0, 0, 0 }, grid.nodes } }, kLong);
  ASSERT_TRUE(ranges);
  EXPECT_THAT(ranges->all.components, IsEmpty());
  EXPECT_THAT(ranges->finite.components, IsEmpty());
}

TEST(ExactRanges, AreGivenUpAfterTheirTimeAndWithoutABrick)
{
  const auto flow = analytic_field("abc");
  AnalyticBricks good(flow, uniform_grid(kNodes, flow->domain()), { .brick_cells = { 4, 4, 4 } });
  const ValueBlock all{ 0, 0, { { 0, 0, 0 }, kNodes } };
  EXPECT_FALSE(scan_ranges(*opened(good), all, std::chrono::nanoseconds(-1)));
  FaultyBricks broken(good, {});
  broken.fail({ 0, 0, 7 });
  const auto field = opened(broken);
  EXPECT_FALSE(scan_ranges(*field, all, kLong));
  EXPECT_TRUE(field->has_error());
}

TEST(EstimatedRanges, LieWithinTheTrueOnesAndCoverMostOfThem)
{
  const auto flow = analytic_field("abc");
  const Grid grid = uniform_grid({ 65, 65, 65 }, flow->domain());
  const std::vector<float> all = sample_floats(*flow, grid);
  AnalyticBricks source(flow, grid, { .brick_cells = { 8, 8, 8 } });
  const ValueRanges found = estimate_ranges(*opened(source), 0, 0);
  ASSERT_EQ(found.components.size(), 3U);
  for (int component = 0; component < 3; ++component)
  {
    const auto expected = extremes(all, component);
    const auto& range = found.components[static_cast<std::size_t>(component)];
    EXPECT_GE(range[0], expected[0] - 1e-6);
    EXPECT_LE(range[1], expected[1] + 1e-6);
    EXPECT_GT(range[1] - range[0], 0.8 * (expected[1] - expected[0]));
  }
  EXPECT_LE(source.statistics().bricks_read, 64) << "of 512";
}

TEST(SampledValues, AreFiniteAndOfEachComponent)
{
  std::vector<float> values(3 * 512);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = i % 3 == 0 ? 1.0F : i % 3 == 1 ? (i % 2 == 0 ? kNan : 2.0F) : 3.0F;
  }
  const Grid grid{ .nodes = { 8, 8, 8 }, .axes = {} };
  ArrayBricks source(grid, { { { "v", ScalarType::Float32, 3, Centering::Node }, values.data() } });
  const auto samples = sample_values(*opened(source), 0, 0);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_THAT(samples[0], Each(1.0));
  EXPECT_THAT(samples[1], Each(2.0));
  EXPECT_THAT(samples[2], Each(3.0));
  EXPECT_GT(samples[0].size(), samples[1].size()) << "NaN is no sample";
  EXPECT_GT(samples[1].size(), 0U);
}

/// Bricks that cannot be read give no samples, and are no failure of a filter that has not touched them yet.
TEST(SampledValues, LeaveOutBricksThatCannotBeRead)
{
  const auto flow = analytic_field("abc");
  AnalyticBricks good(flow, uniform_grid({ 9, 9, 9 }, flow->domain()), { .brick_cells = { 8, 8, 8 } });
  FaultyBricks broken(good, {});
  broken.fail({ 0, 0, 0 });
  const auto field = opened(broken);
  EXPECT_THAT(sample_values(*field, 0, 0), Each(IsEmpty()));
  EXPECT_FALSE(field->has_error());
  EXPECT_THAT(estimate_ranges(*field, 0, 0).components, IsEmpty());
  EXPECT_TRUE(field->has_error()) << "an estimate tells";
}

} // namespace
} // namespace rivulet::test
