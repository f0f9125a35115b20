// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/GeneratedField.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace
{

using namespace rivulet;
using ::testing::ElementsAre;

std::unique_ptr<GeneratedField> generated(
    const std::string& name, const GeneratedFieldOptions& options, const FieldParameters& parameters = {})
{
  return std::move(*GeneratedField::create(std::move(*make_analytic_field(name, parameters)), options));
}

template <class T = float>
std::vector<T> values(GeneratedField& field, const Box& box, int variable = 0, int step = 0)
{
  const int components = field.info().variables[static_cast<std::size_t>(variable)].components;
  std::vector<T> out(static_cast<std::size_t>(box.count() * components), std::numeric_limits<T>::quiet_NaN());
  EXPECT_TRUE(field.read(variable, step, box, out.data()));
  return out;
}

/// The part of `whole` (values of box (0, 0, 0) to `dims`) that lies in `box`.
std::vector<float> cut(const std::vector<float>& whole, const Int3& dims, const Box& box)
{
  std::vector<float> part;
  for (std::int64_t n = 0; n < box.count(); ++n)
  {
    Int3 at = from_row_major(n, box.size());
    at = { at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
    const float* u = whole.data() + 3 * row_major(at, dims);
    part.insert(part.end(), u, u + 3);
  }
  return part;
}

class GeneratedFieldBits : public ::testing::TestWithParam<const char*>
{
};

TEST_P(GeneratedFieldBits, DoNotDependOnTheBoxReadIn)
{
  constexpr Int3 kDims{ 37, 41, 5 };
  const auto field = generated(GetParam(), { .nodes = kDims });
  const std::vector<float> whole = values(*field, { { 0, 0, 0 }, kDims });
  for (const Box& box : { Box{ { 36, 40, 4 }, { 37, 41, 5 } }, Box{ { 3, 30, 1 }, { 20, 41, 3 } },
           Box{ { 0, 7, 2 }, { 37, 8, 3 } }, Box{ { 15, 31, 0 }, { 34, 34, 5 } } })
  {
    const std::vector<float> expected = cut(whole, kDims, box);
    const std::vector<float> part = values(*field, box);
    EXPECT_EQ(std::memcmp(part.data(), expected.data(), 4 * expected.size()), 0) << box.begin[0];
  }
}
INSTANTIATE_TEST_SUITE_P(Fields, GeneratedFieldBits, ::testing::Values("abc", "tornado", "turbulence", "mixing-layer"));

TEST(GeneratedField, CornersLieOnTheDomain)
{
  const auto field = generated("rotation", { .nodes = { 3, 5, 2 }, .type = ScalarType::Float64 }, { { "axial", 7 } });
  const Box last{ { 2, 4, 1 }, { 3, 5, 2 } };
  EXPECT_THAT(values<double>(*field, last), ElementsAre(-1, 1, 7));
  EXPECT_EQ(field->info().grid.origin, (Vec3{ -1, -1, -1 }));
  EXPECT_EQ(field->info().grid.spacing, (Vec3{ 1, 0.5, 2 }));
}

TEST(GeneratedField, FlatAxisLiesInTheMiddle)
{
  const auto field = generated("shear", { .nodes = { 3, 1, 2 }, .domain = FieldDomain{ { 0, 2, 0 }, { 1, 4, 1 } } });
  EXPECT_THAT(values(*field, { { 0, 0, 0 }, { 1, 1, 1 } }), ElementsAre(3, 0, 0));
}

TEST(GeneratedField, CellCentredValuesLieInTheMiddleOfCells)
{
  const auto field = generated("shear", { .nodes = { 5, 5, 5 }, .centering = Centering::Cell });
  EXPECT_THAT(values(*field, { { 3, 3, 3 }, { 4, 4, 4 } }), ElementsAre(0.75F, 0, 0));
}

TEST(GeneratedField, StepsAreAtTheirTimes)
{
  const auto field = generated(
      "taylor-green", { .nodes = { 9, 9, 9 }, .steps = 3, .start_time = 1, .time_step = 0.5 }, { { "viscosity", 1 } });
  EXPECT_THAT(field->info().times, ElementsAre(1.0, 1.5, 2.0));
  const Box one{ { 1, 0, 0 }, { 2, 1, 1 } };
  const double ratio = values(*field, one, 0, 2)[0] / values(*field, one, 0, 0)[0];
  EXPECT_NEAR(ratio, std::exp(-3.0), 1e-6);
}

TEST(GeneratedField, SpeedIsTheMagnitudeOfVelocity)
{
  const auto field =
      generated("uniform", { .nodes = { 2, 2, 3 }, .with_speed = true }, { { "u", 2 }, { "v", 3 }, { "w", 6 } });
  ASSERT_EQ(field->info().variables.size(), 2U);
  EXPECT_EQ(field->info().variables[1].name, "speed");
  EXPECT_THAT(values(*field, { { 0, 0, 0 }, { 2, 2, 3 } }, 1), ::testing::Each(7.0F));
}

TEST(GeneratedField, BoxesFarInsideAHugeGridTakeNoMemory)
{
  const auto field = generated("abc", { .nodes = { 100000, 100000, 100000 } });
  const Int3 at{ 77777, 50000, 99999 };
  const std::vector<float> u = values(*field, { at, { at[0] + 1, at[1] + 1, at[2] + 1 } });
  const Grid& grid = field->info().grid;
  const Vec3 expected =
      field->field().velocity({ grid.spacing[0] * at[0], grid.spacing[1] * at[1], grid.spacing[2] * at[2] }, 0);
  EXPECT_NEAR(u[1], expected[1], 1e-6);
}

TEST(GeneratedField, RefusesGridsAndStepsThatMakeNoSense)
{
  const GeneratedFieldOptions no_nodes{ .nodes = { 4, 0, 4 } };
  const GeneratedFieldOptions no_steps{ .steps = 0 };
  const GeneratedFieldOptions back_in_time{ .time_step = -1 };
  const GeneratedFieldOptions empty_domain{ .domain = FieldDomain{ { 0, 0, 0 }, { 1, 0, 1 } } };
  for (const GeneratedFieldOptions& options : { no_nodes, no_steps, back_in_time, empty_domain })
  {
    const auto made = GeneratedField::create(std::move(*make_analytic_field("abc")), options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::BadArgument);
  }
}

TEST(GeneratedField, RefusesBoxesOutsideAndUnknownVariablesAndSteps)
{
  const auto field = generated("abc", { .nodes = { 4, 4, 4 } });
  float out[3];
  EXPECT_FALSE(field->read(0, 0, { { 3, 3, 3 }, { 5, 4, 4 } }, out));
  EXPECT_FALSE(field->read(0, 0, { { -1, 0, 0 }, { 0, 1, 1 } }, out));
  EXPECT_FALSE(field->read(0, 0, { { 1, 1, 1 }, { 1, 1, 1 } }, out));
  EXPECT_FALSE(field->read(1, 0, { { 0, 0, 0 }, { 1, 1, 1 } }, out));
  EXPECT_FALSE(field->read(0, 1, { { 0, 0, 0 }, { 1, 1, 1 } }, out));
}

TEST(GeneratedField, OnlyFieldsMadeOfWavesPreferWholePlanes)
{
  EXPECT_EQ(generated("abc", { .nodes = { 9, 8, 7 } })->preferred_box(), (Int3{ 0, 0, 0 }));
  EXPECT_EQ(generated("turbulence", { .nodes = { 9, 8, 7 } })->preferred_box(), (Int3{ 9, 8, 0 }));
}

} // namespace
