// SPDX-License-Identifier: BSD-3-Clause
// Each closed form must satisfy its differential equation: its rate of change is the field's velocity there.
#include "Support/AnalyticBricks.h"
#include "Support/ExactPaths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using std::numbers::pi;

void expect_path_follows(const std::function<Vec3(double)>& path, const AnalyticField& field)
{
  constexpr double kTime = 0.7;
  constexpr double kStep = 1e-5;
  const Vec3 before = path(kTime - kStep);
  const Vec3 after = path(kTime + kStep);
  const Vec3 velocity = field.velocity(path(kTime), kTime);
  for (std::size_t c = 0; c < 3; ++c)
  {
    EXPECT_NEAR((after[c] - before[c]) / (2 * kStep), velocity[c], 1e-8) << "component " << c;
  }
}

const Vec3 kSeed{ 0.3, 0.2, -0.1 };

TEST(ExactPaths, UniformFollowsTheField)
{
  expect_path_follows(
      [](double t) {
        return uniform_path(kSeed, t, { 1, 2, 3 });
      },
      *analytic_field("uniform", { { "u", 1 }, { "v", 2 }, { "w", 3 } }));
}

TEST(ExactPaths, RotationFollowsTheField)
{
  expect_path_follows([](double t) { return rotation_path(kSeed, t, 1.5, 0.5); },
      *analytic_field("rotation", { { "rate", 1.5 }, { "axial", 0.5 } }));
}

TEST(ExactPaths, ShearFollowsTheField)
{
  expect_path_follows([](double t) { return shear_path(kSeed, t, 2); }, *analytic_field("shear", { { "rate", 2 } }));
}

TEST(ExactPaths, SaddleFollowsTheField)
{
  expect_path_follows([](double t) { return saddle_path(kSeed, t, 2); }, *analytic_field("saddle", { { "rate", 2 } }));
}

TEST(ExactPaths, RankineFollowsTheFieldInsideAndOutsideTheCore)
{
  for (const Vec3& seed : { Vec3{ 0.1, 0.2, 0 }, Vec3{ 1, 0.5, 0 } })
  {
    expect_path_follows([&](double t) { return rankine_path(seed, t, 3, 0.5, 0.25); },
        *analytic_field("rankine", { { "circulation", 3 }, { "core", 0.5 }, { "axial", 0.25 } }));
  }
}

TEST(ExactPaths, RotationLengthOfOneTurnWithoutRiseIsTheCircle)
{
  EXPECT_NEAR(rotation_length({ 3, 4, 0 }, 2 * pi, 1), 10 * pi, 1e-12);
  EXPECT_NEAR(rotation_length({ 3, 4, 0 }, -1, 0, 2), 2, 1e-12);
}

/// For a plane flow with stream function psi: u = d psi / dy, v = -d psi / dx, up to one sign for both.
void expect_stream_function(
    const std::function<double(const Vec3&)>& psi, const AnalyticField& field, double time, double sign)
{
  constexpr double kStep = 1e-6;
  const Vec3 at{ 0.6, 0.35, 0 };
  const Vec3 velocity = field.velocity(at, time);
  const double slope_x = (psi({ at[0] + kStep, at[1], 0 }) - psi({ at[0] - kStep, at[1], 0 })) / (2 * kStep);
  const double slope_y = (psi({ at[0], at[1] + kStep, 0 }) - psi({ at[0], at[1] - kStep, 0 })) / (2 * kStep);
  EXPECT_NEAR(velocity[0], sign * slope_y, 1e-8);
  EXPECT_NEAR(velocity[1], -sign * slope_x, 1e-8);
}

TEST(StreamFunctions, TaylorGreen)
{
  expect_stream_function([](const Vec3& at) { return taylor_green_stream_function(at, 2); },
      *analytic_field("taylor-green", { { "amplitude", 2 } }), 0, 1);
}

TEST(StreamFunctions, DoubleGyre)
{
  expect_stream_function([](const Vec3& at) { return double_gyre_stream_function(at, 1.3, 0.1, 0.25, pi / 5); },
      *analytic_field("double-gyre"), 1.3, -1);
}

} // namespace
