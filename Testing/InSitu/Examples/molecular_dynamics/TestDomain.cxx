// SPDX-License-Identifier: BSD-3-Clause
#include "MdSupport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace
{

using namespace md_test;

TEST(Domain, CellsHoldHalfOfTheReach)
{
  const Domain domain = value_of(Domain::create({ { 28, 30, 5.7 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
  EXPECT_EQ(domain.cells(), (Int3{ 20, 21, 4 }));
  EXPECT_GE(domain.shortest_side(), 1.4);
}

TEST(Domain, PositionsOnSidesBelongToOneCell)
{
  const Domain domain = value_of(Domain::create({ { 28, 28, 28 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
  EXPECT_EQ(domain.cell(0, 0), 0);
  EXPECT_EQ(domain.cell(0, 1.4), 1);
  EXPECT_EQ(domain.cell(0, std::nextafter(28.0, 0.0)), 19);
  EXPECT_EQ(domain.cell(0, 28), 20);
  EXPECT_EQ(domain.cell(0, -1e-300), -1);
}

TEST(Domain, LastPositionIsInTheLastCell)
{
  const Domain domain = value_of(Domain::create({ { 6.9, 6.9, 6.9 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
  EXPECT_EQ(domain.cell(0, std::nextafter(6.9, 0.0)), 3); // times 4 / 6.9, it rounds to 4
}

TEST(Domain, WrappedPositionsAreInTheBox)
{
  const Domain domain = value_of(Domain::create({ { 28, 28, 28 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
  EXPECT_EQ(domain.wrapped(0, 3), 3);
  EXPECT_EQ(domain.wrapped(0, 28), 0);
  EXPECT_EQ(domain.wrapped(0, 30.5), 2.5);
  EXPECT_EQ(domain.wrapped(0, -1), 27);
  EXPECT_LT(domain.wrapped(0, -1e-300), 28); // 28 - 1e-300 rounds to 28
  EXPECT_EQ(domain.cell(0, domain.wrapped(0, -1e-300)), 19);
}

TEST(Domain, RefusesBoxesShorterThanTwoCutOffs)
{
  const Result<Domain> domain = Domain::create({ { 10, 4.9, 10 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF);
  ASSERT_FALSE(domain);
  EXPECT_NE(domain.error().find("two cut-offs (5.0"), std::string::npos) << domain.error();
}

TEST(Domain, RefusesLengthsThatAreNoNumbers)
{
  EXPECT_FALSE(Domain::create({ { 10, std::nan(""), 10 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
  EXPECT_FALSE(Domain::create({ { 10, INFINITY, 10 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_SELF));
}

TEST(Domain, RefusesRanksThatDoNotFit)
{
  const Result<Domain> domain = Domain::create({ { 28, 28, 28 }, 2.5, 2.8, { 3, 1, 1 } }, MPI_COMM_SELF);
  ASSERT_FALSE(domain);
  EXPECT_NE(domain.error().find("1 ranks as 3 x 1 x 1 do not fit"), std::string::npos) << domain.error();
  EXPECT_FALSE(Domain::create({ { 28, 28, 28 }, 2.5, 2.8, { -1, -1, 1 } }, MPI_COMM_SELF));
}

Particles start_of(const StartOptions& options)
{
  const Domain domain = value_of(Domain::create({ box_length(options), 2.5, 2.9, { 0, 0, 0 } }, MPI_COMM_SELF));
  return start(options, domain);
}

TEST(Start, FillsTheBoxWithALattice)
{
  const StartOptions options{ .size = { 4, 5, 6 }, .density = 0.8442 };
  const Particles particles = start_of(options);
  EXPECT_EQ(particles.count, 4 * 4 * 5 * 6);
  EXPECT_EQ(std::set<std::int64_t>(particles.id.begin(), particles.id.end()).size(), 480U);
  const Vec3 length = box_length(options);
  EXPECT_NEAR(480 / (length[0] * length[1] * length[2]), 0.8442, 1e-12);
  // Each site of an fcc lattice has 12 neighbours at spacing / sqrt(2).
  const double nearest = length[0] / 4 / std::sqrt(2.0);
  for (std::size_t i = 0; i < 480; ++i)
  {
    int neighbours = 0;
    for (std::size_t j = 0; j < 480; ++j)
    {
      double square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        square += std::pow(std::remainder(particles.position[axis][i] - particles.position[axis][j], length[axis]), 2);
      }
      neighbours += std::abs(std::sqrt(square) - nearest) < 1e-9 ? 1 : 0;
    }
    ASSERT_EQ(neighbours, 12);
  }
}

TEST(Start, VelocitiesAreMaxwells)
{
  const Particles particles = start_of({ .size = { 20, 20, 20 }, .temperature = 0.7 });
  const auto count = static_cast<double>(particles.count);
  double kinetic = 0;
  for (const std::vector<double>& velocity : particles.velocity)
  {
    double sum = 0;
    double second = 0;
    double fourth = 0;
    for (const double value : velocity)
    {
      sum += value;
      second += value * value;
      fourth += std::pow(value, 4);
    }
    kinetic += 0.5 * second;
    EXPECT_NEAR(sum / count, 0, FixedSum::kUnit);
    // Standard errors of the variance and of the fourth moment, which is three squares of it: sqrt(2 / n), sqrt(96 /
    // n).
    EXPECT_NEAR(second / count, 0.7, 4 * 0.7 * std::sqrt(2 / count));
    EXPECT_NEAR(fourth / count / 0.49, 3, 4 * std::sqrt(96 / count));
  }
  EXPECT_NEAR(2 * kinetic / (3 * (count - 1)), 0.7, 1e-7);
}

TEST(Start, SeedsGiveOtherVelocities)
{
  const Particles first = start_of({ .size = { 4, 4, 4 }, .seed = 1 });
  const Particles second = start_of({ .size = { 4, 4, 4 }, .seed = 2 });
  EXPECT_EQ(first.position, second.position);
  EXPECT_NE(first.velocity, second.velocity);
  EXPECT_EQ(first.velocity, start_of({ .size = { 4, 4, 4 }, .seed = 1 }).velocity);
}

TEST(FixedSum, DoesNotDependOnTheOrder)
{
  FixedSum up;
  FixedSum down;
  for (int i = 0; i < 1000; ++i)
  {
    up.add(std::exp(0.013 * i) / 3);
    down.add(-std::exp(0.013 * (999 - i)) / 3);
  }
  EXPECT_EQ(up.value(), -down.value());
  double sum = 0;
  for (int i = 0; i < 1000; ++i)
  {
    sum += std::exp(0.013 * i) / 3;
  }
  EXPECT_NEAR(up.value(), sum, 1000 * FixedSum::kUnit);
}

TEST(FixedSum, TellsOfTermsThatDoNotFit)
{
  for (const double wrong : { std::nan(""), double(INFINITY), -1e30 })
  {
    FixedSum sum;
    sum.add(1);
    sum.add(wrong);
    EXPECT_TRUE(std::isnan(sum.value()));
  }
}

} // namespace
