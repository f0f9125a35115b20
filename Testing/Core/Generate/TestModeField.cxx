// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/ModeField.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace
{

using namespace rivulet;
using std::numbers::pi;

constexpr FieldDomain kPeriod{ { 0, 0, 0 }, { 2 * pi, 2 * pi, 2 * pi } };

TEST(ModeField, OneModeIsTheCurlOfItsPotential)
{
  // curl of (0, 0, cos(2x + y)): (d/dy, -d/dx, 0)
  const ModeField field(kPeriod, true, { { .wave = { 2, 1, 0 }, .potential = { 0, 0, 1 } } }, {}, 0);
  const Vec3 u = field.velocity({ 0.3, 0.5, 2 }, 0);
  EXPECT_NEAR(u[0], -std::sin(1.1), 1e-15);
  EXPECT_NEAR(u[1], 2 * std::sin(1.1), 1e-15);
  EXPECT_NEAR(u[2], 0, 1e-15);
}

TEST(ModeField, WindowBringsItsOwnSlopeIntoTheCurl)
{
  // curl of (w(z), 0, 0), the mode being constant: (0, w', 0)
  const LayerWindow window{ .half_width = 1, .edge = 0.5 };
  const ModeField field(kPeriod, true, { { .wave = { 0, 0, 0 }, .potential = { 1, 0, 0 } } }, { window }, 0);
  const double lower = std::tanh((-0.8 + 1) / 0.5);
  const double upper = std::tanh((-0.8 - 1) / 0.5);
  EXPECT_NEAR(field.velocity({ 0, 0, -0.8 }, 0)[1], (upper * upper - lower * lower) / (2 * 0.5), 1e-15);
}

TEST(ModeField, WindowsGrowWithTime)
{
  const LayerWindow window{ .half_width = 1, .edge = 0.1 };
  const ModeField field(kPeriod, false, { { .wave = { 1, 0, 0 }, .potential = { 0, 1, 0 } } }, { window }, 0.5);
  EXPECT_LT(std::abs(field.velocity({ 0.7, 0, 3 }, 0)[2]), 1e-12);
  EXPECT_GT(std::abs(field.velocity({ 0.7, 0, 3 }, 2)[2]), 0.6); // four times as thick
}

TEST(ModeField, BlocksHoldWavesOfEitherSignInEveryRowOfATile)
{
  const ModeField field(kPeriod, false,
      { { .wave = { 0, -3, 2 }, .potential = { 1, 0, 2 }, .phase = 0.3, .frequency = 2 },
          { .wave = { 4, 0, -1 }, .potential = { 0, 1, 1 }, .phase = 1.3 },
          { .wave = { 4, 5, 0 }, .potential = { 1, 1, 0 } } },
      {}, 0);
  std::vector<double> x;
  for (int i = 0; i < 35; ++i) // more than one tile, and no multiple of any vector length
  {
    x.push_back(0.1 * i);
  }
  std::vector<double> values(3 * x.size() * x.size());
  const double z = 1.1;
  field.evaluate({ x, x, std::span(&z, 1) }, 0.5, values.data());
  for (const std::size_t n : { 0U, 34U, 35U, 600U, 1224U })
  {
    const Vec3 expected = field.velocity({ x[n % 35], x[n / 35], z }, 0.5);
    EXPECT_NEAR(values[3 * n], expected[0], 1e-12);
    EXPECT_NEAR(values[3 * n + 1], expected[1], 1e-12);
    EXPECT_NEAR(values[3 * n + 2], expected[2], 1e-12);
  }
}

} // namespace
