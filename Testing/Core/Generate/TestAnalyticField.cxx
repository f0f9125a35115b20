// SPDX-License-Identifier: BSD-3-Clause
// What holds for every field, whatever its formula.
#include "Generate/AnalyticField.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace
{

using namespace rivulet;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

/// Fewer waves than usual, so that a test takes no time.
std::unique_ptr<AnalyticField> small_field(const std::string& name)
{
  const bool waves = name == "turbulence" || name == "mixing-layer";
  return std::move(*make_analytic_field(
      name, waves ? FieldParameters{ { "highest", 5 }, { "modes", 3 }, { "evolution", 1 } } : FieldParameters{}));
}

/// A point within the field's domain that no symmetry favours.
Vec3 some_point(const AnalyticField& field)
{
  const FieldDomain& domain = field.domain();
  constexpr Vec3 kShare{ 0.37, 0.61, 0.43 };
  Vec3 point;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    point[axis] = domain.lower[axis] + kShare[axis] * (domain.upper[axis] - domain.lower[axis]);
  }
  return point;
}

class EveryField : public ::testing::TestWithParam<std::string>
{
protected:
  std::unique_ptr<AnalyticField> field_ = small_field(GetParam());
  Vec3 point_ = some_point(*field_);
  static constexpr double kTime = 0.8;
};

TEST_P(EveryField, GradientIsTheDerivativeOfVelocity)
{
  constexpr double kStep = 1e-5;
  const Mat3 gradient = field_->gradient(point_, kTime);
  for (std::size_t j = 0; j < 3; ++j)
  {
    Vec3 before = point_;
    Vec3 after = point_;
    before[j] -= kStep;
    after[j] += kStep;
    const Vec3 u0 = field_->velocity(before, kTime);
    const Vec3 u1 = field_->velocity(after, kTime);
    for (std::size_t i = 0; i < 3; ++i)
    {
      EXPECT_NEAR(gradient[3 * i + j], (u1[i] - u0[i]) / (2 * kStep), 2e-7) << "component " << i << " along " << j;
    }
  }
}

TEST_P(EveryField, BlocksAgreeWithSinglePoints)
{
  const std::vector<double> x{ point_[0] - 0.1, point_[0], point_[0] + 0.07 };
  const std::vector<double> y{ point_[1], point_[1] + 0.2 };
  const std::vector<double> z{ point_[2] - 0.3, point_[2] };
  std::vector<double> values(3 * 12);
  field_->evaluate({ x, y, z }, kTime, values.data());
  std::size_t next = 0;
  for (std::size_t n = 0; n < 12; ++n)
  {
    const Vec3 expected = field_->velocity({ x[n % 3], y[n / 3 % 2], z[n / 6] }, kTime);
    for (const double component : expected)
    {
      EXPECT_NEAR(values[next++], component, 1e-12) << "point " << n;
    }
  }
}

TEST_P(EveryField, SinglePrecisionIsTheSameFieldRounded)
{
  const std::vector<double> x{ point_[0], point_[0] + 0.07 };
  std::vector<double> exact(6);
  std::vector<float> rounded(6);
  const LatticePoints points{ x, std::span(&point_[1], 1), std::span(&point_[2], 1) };
  field_->evaluate(points, kTime, exact.data());
  field_->evaluate(points, kTime, rounded.data());
  for (std::size_t i = 0; i < 6; ++i)
  {
    EXPECT_NEAR(rounded[i], exact[i], 2e-6);
  }
}

TEST_P(EveryField, SteadyFieldsDoNotChangeAndOthersDo)
{
  const bool changed = field_->velocity(point_, 0.0) != field_->velocity(point_, kTime);
  EXPECT_EQ(changed, !field_->steady());
}

TEST_P(EveryField, DomainIsNotEmpty)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    EXPECT_LT(field_->domain().lower[axis], field_->domain().upper[axis]);
  }
}

std::string identifier(const ::testing::TestParamInfo<std::string>& info)
{
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, EveryField, ::testing::ValuesIn(analytic_field_names()), identifier);

TEST(AnalyticFieldRegistry, HasTheFieldsThatUsersAreTold)
{
  EXPECT_THAT(analytic_field_names(), IsSupersetOf({ "abc", "taylor-green", "rankine", "tornado", "double-gyre",
                                          "uniform", "rotation", "mixing-layer", "turbulence" }));
}

TEST(AnalyticFieldRegistry, EveryParameterExplainsItselfAndAllowsItsStandardValue)
{
  for (const FieldKind& kind : analytic_field_kinds())
  {
    EXPECT_FALSE(kind.help.empty()) << kind.name;
    for (const FieldParameter& parameter : kind.parameters)
    {
      EXPECT_FALSE(parameter.help.empty() || parameter.unit.empty()) << kind.name << " " << parameter.name;
      EXPECT_TRUE(make_analytic_field(kind.name, { { parameter.name, parameter.standard } }));
    }
  }
}

void expect_refused(const std::string& name, const FieldParameters& parameters, const std::string& text)
{
  const auto made = make_analytic_field(name, parameters);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::BadArgument);
  EXPECT_THAT(made.error().describe(), HasSubstr(text));
}

TEST(AnalyticFieldRegistry, RefusesUnknownNamesAndListsTheKnownOnes)
{
  expect_refused("tornadoes", {}, "taylor-green, tornado");
}

TEST(AnalyticFieldRegistry, RefusesUnknownParametersAndListsTheKnownOnes)
{
  expect_refused("rankine", { { "radius", 1 } }, "circulation, core, axial");
}

TEST(AnalyticFieldRegistry, RefusesValuesOutsideTheirLimits)
{
  expect_refused("rankine", { { "core", 0 } }, "core is out of range");
  expect_refused("rankine", { { "core", std::nan("") } }, "core is out of range");
  expect_refused("turbulence", { { "modes", 2.5 } }, "not a whole number");
  expect_refused("turbulence", { { "lowest", 9 }, { "highest", 4 } }, "larger than the highest");
}

} // namespace
