// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/AnalyticField.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace
{

using namespace rivulet;
using std::numbers::pi;

constexpr int kPoints = 16; ///< along each axis of the periodic grid that fields are sampled on

std::unique_ptr<AnalyticField> field(const std::string& name, const FieldParameters& parameters)
{
  return std::move(*make_analytic_field(name, parameters));
}

std::vector<double> periodic_samples(const AnalyticField& of)
{
  std::vector<double> axis;
  for (int i = 0; i < kPoints; ++i)
  {
    axis.push_back(2 * pi * i / kPoints);
  }
  std::vector<double> values(3U * kPoints * kPoints * kPoints);
  of.evaluate({ axis, axis, axis }, 0, values.data());
  return values;
}

/// Energy |u_k|^2 / 2 of one wave vector, by the plain Fourier sum.
double energy_of_wave(const std::vector<double>& samples, const Int3& k)
{
  std::array<std::complex<double>, 3> sum{};
  for (std::int64_t n = 0; n < kPoints * kPoints * kPoints; ++n)
  {
    const Int3 at = from_row_major(n, { kPoints, kPoints, kPoints });
    const double angle = -2 * pi / kPoints * (k[0] * at[0] + k[1] * at[1] + k[2] * at[2]);
    const std::complex<double> factor = std::polar(1.0, angle);
    for (std::size_t c = 0; c < 3; ++c)
    {
      sum[c] += factor * samples[3 * static_cast<std::size_t>(n) + c];
    }
  }
  const double count = kPoints * kPoints * kPoints;
  return 0.5 * (std::norm(sum[0]) + std::norm(sum[1]) + std::norm(sum[2])) / (count * count);
}

/// Energy of all wave vectors whose length rounds to k = 0 ... 4.
std::array<double, 5> energy_by_shell(const std::vector<double>& samples)
{
  std::array<double, 5> energy{};
  for (std::int64_t n = 0; n < 9 * 9 * 9; ++n)
  {
    const Int3 at = from_row_major(n, { 9, 9, 9 });
    const Int3 k{ at[0] - 4, at[1] - 4, at[2] - 4 };
    const long shell = std::lround(std::sqrt(double(k[0] * k[0] + k[1] * k[1] + k[2] * k[2])));
    if (shell < 5)
    {
      energy[static_cast<std::size_t>(shell)] += energy_of_wave(samples, k);
    }
  }
  return energy;
}

double root_mean_square(const std::vector<double>& values)
{
  double sum = 0;
  for (const double value : values)
  {
    sum += value * value;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(Turbulence, EnergyFollowsThePowerLawAskedFor)
{
  const auto flow =
      field("turbulence", { { "lowest", 2 }, { "highest", 4 }, { "exponent", -3 }, { "modes", 1000 }, { "rms", 2 } });
  const std::array<double, 5> energy = energy_by_shell(periodic_samples(*flow));
  const double total = 1.5 * 2 * 2;
  const double sum = std::pow(2, -3) + std::pow(3, -3) + std::pow(4, -3);
  EXPECT_NEAR(energy[0] + energy[1], 0, 1e-12);
  for (int shell = 2; shell <= 4; ++shell)
  {
    const double expected = total * std::pow(shell, -3) / sum;
    EXPECT_NEAR(energy[static_cast<std::size_t>(shell)] / expected, 1, 0.2) << shell;
  }
}

TEST(Turbulence, HasTheRootMeanSquareAskedFor)
{
  const auto flow = field("turbulence", { { "highest", 7 }, { "rms", 2 }, { "modes", 500 } });
  EXPECT_NEAR(root_mean_square(periodic_samples(*flow)), 2, 0.2);
}

TEST(Turbulence, SameSeedSameBitsOtherSeedOtherField)
{
  const auto samples = [](double seed)
  {
    return periodic_samples(*field("turbulence", { { "highest", 4 }, { "seed", seed } }));
  };
  EXPECT_EQ(samples(5), samples(5));
  EXPECT_NE(samples(5), samples(6));
}

// A value that changes when the random numbers, their use, or the order of the waves change: fields made today must be
// made again tomorrow. Libraries' sines may differ in the last bit, hence the tolerance.
TEST(Turbulence, IsTheSameFieldOnEveryMachine)
{
  const Vec3 u = field("turbulence", { { "seed", 7 } })->velocity({ 1, 2, 3 }, 0);
  EXPECT_NEAR(u[0], 2.412771088199523, 1e-12);
  EXPECT_NEAR(u[1], 0.51299111289437294, 1e-12);
  EXPECT_NEAR(u[2], -0.41970227834828577, 1e-12);
}

TEST(Turbulence, IsPeriodic)
{
  const auto flow = field("turbulence", { { "highest", 5 } });
  const Vec3 here = flow->velocity({ 1, 2, 3 }, 0);
  const Vec3 there = flow->velocity({ 1 + 2 * pi, 2 - 2 * pi, 3 + 2 * pi }, 0);
  EXPECT_NEAR(here[0], there[0], 1e-12);
  EXPECT_NEAR(here[2], there[2], 1e-12);
}

TEST(Turbulence, EvolvesWhenAskedTo)
{
  const FieldParameters evolving{ { "highest", 5 }, { "evolution", 1 } };
  const auto flow = field("turbulence", evolving);
  EXPECT_FALSE(flow->steady());
  EXPECT_NE(flow->velocity({ 1, 2, 3 }, 0), flow->velocity({ 1, 2, 3 }, 0.5));
}

class MixingLayer : public ::testing::Test
{
protected:
  std::unique_ptr<AnalyticField> flow_ = field("mixing-layer", { { "highest", 12 }, { "modes", 8 } });

  double rms_at_height(double z) const
  {
    std::vector<double> axis;
    for (int i = 0; i < 2 * kPoints; ++i)
    {
      axis.push_back(pi * i / kPoints);
    }
    std::vector<double> values(3 * axis.size() * axis.size());
    flow_->evaluate({ axis, axis, std::span(&z, 1) }, 0, values.data());
    return root_mean_square(values);
  }
};

TEST_F(MixingLayer, IsTurbulentInTheMiddleAndCalmAboveAndBelow)
{
  const FieldDomain& domain = flow_->domain();
  EXPECT_GT(rms_at_height(0), 0.4);
  EXPECT_GT(rms_at_height(1), 0.3);
  EXPECT_LT(rms_at_height(domain.upper[2]), 0.01);
  EXPECT_LT(rms_at_height(domain.lower[2]), 0.01);
  EXPECT_GT(rms_at_height(domain.upper[2]), 0) << "calm, but not dead: lines still go somewhere";
}

TEST_F(MixingLayer, IsFreeOfDivergence)
{
  for (const Vec3& at : { Vec3{ 1, 2, 0.1 }, Vec3{ 4, 1, 1.3 }, Vec3{ 2, 5, -1.6 }, Vec3{ 3, 3, 2.5 } })
  {
    const Mat3 g = flow_->gradient(at, 0);
    double size = 0;
    for (const double slope : g)
    {
      size += slope * slope;
    }
    EXPECT_LT(std::abs(g[0] + g[4] + g[8]), 1e-12 * std::sqrt(size));
  }
}

TEST_F(MixingLayer, StraysUpHereAndDownThere)
{
  // Well above the middle the plumes are fast, and the air between them is slow.
  std::vector<double> axis;
  for (int i = 0; i < 2 * kPoints; ++i)
  {
    axis.push_back(pi * i / kPoints);
  }
  const double z = 1.8;
  std::vector<double> values(3 * axis.size() * axis.size());
  flow_->evaluate({ axis, axis, std::span(&z, 1) }, 0, values.data());
  double fourth = 0;
  for (const double value : values)
  {
    fourth += std::pow(value, 4);
  }
  const double flatness = fourth / static_cast<double>(values.size()) / std::pow(root_mean_square(values), 4);
  EXPECT_GT(flatness, 3.5) << "3 for evenly spread Gaussian turbulence";
}

TEST(MixingLayerGrowth, MakesTheLayerThicker)
{
  const auto flow = field("mixing-layer", { { "highest", 4 }, { "modes", 8 }, { "growth", 0.5 } });
  const Vec3 early = flow->velocity({ 1, 1, 4.5 }, 0);
  const Vec3 late = flow->velocity({ 1, 1, 4.5 }, 2);
  const auto speed2 = [](const Vec3& u)
  {
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  };
  EXPECT_GT(speed2(late), 100 * speed2(early));
}

} // namespace
