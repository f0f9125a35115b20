// SPDX-License-Identifier: BSD-3-Clause
// What the literature says of each flow.
#include "Generate/AnalyticField.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace
{

using namespace rivulet;
using std::numbers::pi;

std::unique_ptr<AnalyticField> field(const std::string& name, const FieldParameters& parameters = {})
{
  return std::move(*make_analytic_field(name, parameters));
}

void expect_near(const Vec3& value, const Vec3& expected, double tolerance)
{
  for (std::size_t c = 0; c < 3; ++c)
  {
    EXPECT_NEAR(value[c], expected[c], tolerance) << "component " << c;
  }
}

double divergence(const AnalyticField& of, const Vec3& at, double time)
{
  const Mat3 g = of.gradient(at, time);
  return g[0] + g[4] + g[8];
}

TEST(Abc, IsABeltramiFlowItsVorticityIsItself)
{
  const auto abc = field("abc");
  const Vec3 at{ 0.4, 1.7, 2.9 };
  expect_near(abc->vorticity(at, 0), abc->velocity(at, 0), 1e-14);
}

TEST(Abc, HasTheUsualAmplitudes)
{
  expect_near(field("abc")->velocity({ pi / 2, pi / 2, pi / 2 }, 0), { std::sqrt(3.0), std::sqrt(2.0), 1.0 }, 1e-14);
}

TEST(TaylorGreen, IsDampedAtTheRateOfItsLaplacian)
{
  const auto flow = field("taylor-green", { { "viscosity", 0.1 } });
  const Vec3 at{ 0.4, 1.7, 2.9 };
  const double ratio = flow->velocity(at, 2.0)[0] / flow->velocity(at, 0.0)[0];
  EXPECT_NEAR(ratio, std::exp(-3 * 0.1 * 2.0), 1e-14);
}

TEST(DivergenceFree, FlowsKeepTheirVolume)
{
  for (const char* name : { "abc", "taylor-green", "double-gyre", "rankine", "rotation", "saddle", "shear" })
  {
    EXPECT_NEAR(divergence(*field(name), { 0.4, 0.7, 0.9 }, 1.3), 0.0, 1e-13) << name;
  }
}

TEST(DoubleGyre, DoesNotCrossItsWalls)
{
  const auto gyre = field("double-gyre");
  EXPECT_NEAR(gyre->velocity({ 0, 0.3, 0 }, 1.3)[0], 0, 1e-15);
  EXPECT_NEAR(gyre->velocity({ 2, 0.3, 0 }, 1.3)[0], 0, 1e-15);
  EXPECT_NEAR(gyre->velocity({ 0.3, 0, 0 }, 1.3)[1], 0, 1e-15);
  EXPECT_NEAR(gyre->velocity({ 0.3, 1, 0 }, 1.3)[1], 0, 1e-15);
}

TEST(DoubleGyre, ReturnsAfterItsPeriodOfTen)
{
  const auto gyre = field("double-gyre");
  expect_near(gyre->velocity({ 0.7, 0.3, 0 }, 11.3), gyre->velocity({ 0.7, 0.3, 0 }, 1.3), 1e-13);
}

TEST(Rankine, CirculationIsWhatWasAskedForOutsideTheCore)
{
  const auto vortex = field("rankine", { { "circulation", 3 } });
  for (const double radius : { 0.5, 1.0, 1.9 })
  {
    EXPECT_NEAR(2 * pi * radius * vortex->velocity({ radius, 0, 0 }, 0)[1], 3, 1e-13);
  }
}

TEST(Rankine, HasVorticityInItsCoreOnly)
{
  const auto vortex = field("rankine", { { "circulation", 3 }, { "core", 0.5 } });
  EXPECT_NEAR(vortex->vorticity({ 0.2, 0.1, 0 }, 0)[2], 3 / (pi * 0.25), 1e-13);
  expect_near(vortex->vorticity({ 0.7, 0.1, 0 }, 0), { 0, 0, 0 }, 1e-13);
}

TEST(Tornado, TurnsRoundItsAxisAndRises)
{
  const auto tornado = field("tornado", { { "wander", 0 }, { "inflow", 0 } });
  const Vec3 east = tornado->velocity({ 0.58, 0.5, 0 }, 0); // on the funnel's wall
  EXPECT_NEAR(east[0], 0, 1e-14);
  EXPECT_NEAR(east[1], 1, 1e-14);
  EXPECT_GT(east[2], 0);
  EXPECT_LT(tornado->velocity({ 0.42, 0.5, 0 }, 0)[1], -0.99);
}

TEST(Linear, FlowsAreWhatTheirNamesSay)
{
  expect_near(field("uniform", { { "w", 2 } })->velocity({ 5, 5, 5 }, 0), { 1, 0, 2 }, 0);
  expect_near(field("rotation", { { "rate", 2 } })->velocity({ 1, 3, 5 }, 0), { -6, 2, 0 }, 0);
  expect_near(field("shear", { { "rate", 2 } })->velocity({ 1, 3, 5 }, 0), { 6, 0, 0 }, 0);
  expect_near(field("saddle", { { "rate", 2 } })->velocity({ 1, 3, 5 }, 0), { 2, -6, 0 }, 0);
}

TEST(Rotation, VorticityIsTwiceItsRate)
{
  expect_near(field("rotation", { { "rate", 1.5 } })->vorticity({ 1, 3, 5 }, 0), { 0, 0, 3 }, 0);
}

} // namespace
