// SPDX-License-Identifier: BSD-3-Clause
// radial against all pairs counted here, an ideal gas, and the shells of a crystal.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/PluginHost.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <numeric>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Function
{
  std::vector<std::int64_t> pairs;
  std::vector<double> g;
  std::vector<double> low;
};

Function read_function(const std::string& path)
{
  Function function;
  const auto rows = table_of(path);
  for (std::size_t i = 1; i < rows.size(); ++i)
  {
    function.low.push_back(std::stod(rows[i][0]));
    function.pairs.push_back(std::stoll(rows[i][2]));
    function.g.push_back(std::stod(rows[i][3]));
  }
  return function;
}

Function radial(const Atoms& atoms, const std::string& options, int slots = 1)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(atoms);
  PluginHost host("radial", options, { .output = folder.path(), .slots = slots });
  EXPECT_EQ(host.execute(*shown), 0) << host.said();
  return read_function(folder.file("radial.0000-00000000.csv"));
}

/// All pairs, each image looked at.
std::vector<std::int64_t> brute_force(const Atoms& atoms, double cutoff, std::size_t bins)
{
  std::vector<std::int64_t> pairs(bins, 0);
  for (std::size_t i = 0; i < atoms.at.size(); ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      double square = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        double off = std::abs(atoms.at[i][axis] - atoms.at[j][axis]);
        const double period = atoms.high[axis] - atoms.low[axis];
        for (int image = -3; image <= 3 && atoms.periodic[axis] != 0; ++image)
        {
          off = std::min(off, std::abs(atoms.at[i][axis] - atoms.at[j][axis] + image * period));
        }
        square += off * off;
      }
      const double distance = std::sqrt(square);
      if (distance < cutoff)
      {
        ++pairs[std::min(bins - 1, static_cast<std::size_t>(distance / cutoff * static_cast<double>(bins)))];
      }
    }
  }
  return pairs;
}

class Pairs : public ::testing::TestWithParam<std::tuple<std::array<int, 3>, double, int>>
{
};
INSTANTIATE_TEST_SUITE_P(All, Pairs,
    ::testing::Combine(::testing::Values(std::array<int, 3>{ 0, 0, 0 }, std::array<int, 3>{ 1, 1, 1 },
                           std::array<int, 3>{ 0, 1, 0 }, std::array<int, 3>{ 1, 0, 1 }),
        ::testing::Values(0.11, 0.3, 0.49), ::testing::Values(1, 3)));

TEST_P(Pairs, AreThoseOfBruteForce)
{
  const auto& [periodic, cutoff, slots] = GetParam();
  Atoms atoms = ideal_gas(1500, { -1, 0, 5 }, { 1, 1, 6 });
  atoms.periodic = periodic;
  for (std::size_t i = 0; i < 100; ++i) // a simulation may wrap its particles late
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      atoms.at[i][axis] += atoms.periodic[axis] * (i % 2 == 0 ? 1 : -1) * (atoms.high[axis] - atoms.low[axis]);
    }
  }
  const std::string options = R"("bins": 50, "cutoff": )" + std::to_string(cutoff);
  const auto expected = brute_force(atoms, cutoff, 50);
  EXPECT_EQ(radial(atoms, "{" + options + "}", slots).pairs, expected);
  EXPECT_EQ(radial(atoms, "{" + options + R"(, "all_pairs": true})", slots).pairs, expected);
}

TEST(Radial, FindsPairsAmongStraysAndInHeaps)
{
  Atoms atoms = ideal_gas(800, { 0, 0, 0 }, { 1, 1, 1 });
  atoms.high = atoms.low; // no bounds
  for (std::size_t i = 0; i < 5; ++i)
  {
    atoms.at[i] = { 1e7, -1e7 + 0.01 * static_cast<double>(i), 1e7 };
    atoms.at[10 + i] = { 1e7, -1e7 + 0.01 * static_cast<double>(i) + 0.005, 1e7 };
  }
  std::fill(atoms.at.begin() + 100, atoms.at.begin() + 200, Vec3{ 0.25, 0.25, 0.25 });
  const auto expected = brute_force(atoms, 0.1, 10);
  EXPECT_GE(expected[0], 100 * 99 / 2);
  EXPECT_EQ(radial(atoms, R"({"bins": 10, "cutoff": 0.1})", 3).pairs, expected);
}

TEST(Radial, AllPairsWithoutCutoffCountsEveryPair)
{
  Atoms atoms = ideal_gas(501, { 0, 0, 0 }, { 1, 2, 3 });
  for (const int periodic : { 0, 1 })
  {
    atoms.periodic.fill(periodic);
    const Function function = radial(atoms, R"({"all_pairs": true})", 3);
    EXPECT_EQ(function.pairs.size(), 1000U);
    EXPECT_EQ(std::accumulate(function.pairs.begin(), function.pairs.end(), std::int64_t{ 0 }), 501 * 500 / 2);
  }
}

/// Whether g is 1 within five standard deviations, in all bins but those that say nothing. Without borders the pairs
/// are nearly a Poisson variable. With them a particle at the rim has fewer partners than one in the middle: relative
/// to the mean by a half at most, which adds 4 (1/2)^2 / particles to the variance of the pairs (Hoeffding 1948,
/// eq. 5.13).
void expect_ideal(const Function& function, double particles_with_borders = INFINITY)
{
  int said = 0;
  for (std::size_t bin = 0; bin < function.g.size(); ++bin)
  {
    const auto pairs = static_cast<double>(function.pairs[bin]);
    if (pairs > 100)
    {
      EXPECT_NEAR(function.g[bin], 1.0, 5.0 * std::sqrt(1.0 / pairs + 1.0 / particles_with_borders))
          << function.low[bin];
      ++said;
    }
  }
  EXPECT_GT(said, 30);
}

TEST(Radial, OfAnIdealGasIsOneWithAndWithoutBorders)
{
  Atoms atoms = ideal_gas(8000, { 0, 0, 0 }, { 1, 2, 1 });
  for (const std::array<int, 3> periodic : { std::array{ 0, 0, 0 }, std::array{ 1, 1, 1 }, std::array{ 1, 0, 0 } })
  {
    atoms.periodic = periodic;
    const bool borders = periodic[1] == 0;
    expect_ideal(radial(atoms, R"({"bins": 40, "cutoff": 0.4})", 2), borders ? 8000 : INFINITY);
  }
  atoms.high = atoms.low; // without bounds: the box of the particles
  atoms.periodic.fill(0);
  expect_ideal(radial(atoms, R"({"bins": 40, "cutoff": 0.9})", 2), 8000);
}

TEST(Radial, OfACrystalHasItsShells)
{
  constexpr int kCells = 6;
  const double edge = 1.5;
  Atoms atoms;
  for (int cell = 0; cell < kCells * kCells * kCells; ++cell)
  {
    const Vec3 corner{ edge * (cell % kCells), edge * (cell / kCells % kCells), edge * (cell / kCells / kCells) };
    for (const Vec3 half : { Vec3{ 0, 0, 0 }, Vec3{ 0.5, 0.5, 0 }, Vec3{ 0.5, 0, 0.5 }, Vec3{ 0, 0.5, 0.5 } })
    {
      atoms.at.push_back({ corner[0] + edge * half[0], corner[1] + edge * half[1], corner[2] + edge * half[2] });
    }
  }
  atoms.high.fill(kCells * edge);
  atoms.periodic.fill(1);
  const double cutoff = 2.9;
  const Function function = radial(atoms, R"({"bins": 1000, "cutoff": 2.9})", 2);
  // Distances a sqrt(k / 2), and the neighbours at each.
  const std::vector<std::int64_t> neighbours{ 12, 6, 24, 12, 24, 8, 48 };
  const auto count = static_cast<std::int64_t>(atoms.at.size());
  std::vector<std::int64_t> expected(1000, 0);
  for (std::size_t shell = 0; shell < neighbours.size(); ++shell)
  {
    const double distance = edge * std::sqrt(static_cast<double>(shell + 1) / 2);
    const auto bin = static_cast<std::size_t>(distance / cutoff * 1000);
    ASSERT_NE(distance / cutoff * 1000, static_cast<double>(bin)); // not at a border of bins
    expected[bin] = count * neighbours[shell] / 2;
    // g of a periodic crystal: neighbours / (density * volume of the shell), with N - 1 others for N.
    const double low = cutoff * static_cast<double>(bin) / 1000;
    const double high = cutoff * static_cast<double>(bin + 1) / 1000;
    const double shell_volume = 4 * std::numbers::pi / 3 * (high * high * high - low * low * low);
    const double density = static_cast<double>(count - 1) / std::pow(kCells * edge, 3);
    EXPECT_NEAR(function.g[bin] * density * shell_volume, static_cast<double>(neighbours[shell]), 1e-6);
  }
  EXPECT_EQ(function.pairs, expected);
}

TEST(Radial, OfAllRanksIsIdealToo)
{
  const SharedFolder folder;
  Atoms atoms = ideal_gas(12'000, { 0, 0, 0 }, { 2, 1, 1 });
  atoms.periodic.fill(1);
  const AtomsSnapshot part(slab_of(atoms, world_rank(), world_size()));
  PluginHost host("radial", R"({"bins": 40, "cutoff": 0.3, "global": true})",
      { .output = folder.path(), .slots = 2, .comm = MPI_COMM_WORLD });
  EXPECT_EQ(host.execute(*part), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  const double borders = world_size() > 1 ? 12'000 : INFINITY; // between the ranks
  expect_ideal(read_function(folder.file("radial-00000000.csv")), borders);
}

TEST(Radial, OfARankWithoutParticles)
{
  const SharedFolder folder;
  Atoms atoms = world_rank() == 0 ? ideal_gas(2000, { 0, 0, 0 }, { 1, 1, 1 }) : Atoms{};
  atoms.high = { 1, 1, 1 };
  const AtomsSnapshot shown(atoms);
  PluginHost host("radial", R"({"bins": 10, "cutoff": 0.3, "global": true})",
      { .output = folder.path(), .slots = 3, .comm = MPI_COMM_WORLD });
  EXPECT_EQ(host.execute(*shown), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto expected = brute_force(ideal_gas(2000, { 0, 0, 0 }, { 1, 1, 1 }), 0.3, 10);
  EXPECT_EQ(read_function(folder.file("radial-00000000.csv")).pairs, expected);
}

TEST(Radial, OfNoAndOfOneParticle)
{
  for (const Atoms& atoms : { Atoms{}, Atoms{ { { 1, 1, 1 } } } })
  {
    const Function cut = radial(atoms, R"({"bins": 3, "cutoff": 1})");
    EXPECT_EQ(cut.pairs, std::vector<std::int64_t>(3, 0));
    EXPECT_TRUE(std::isnan(cut.g[0]));
    EXPECT_EQ(radial(atoms, R"({"bins": 3, "all_pairs": true})").pairs, std::vector<std::int64_t>(3, 0));
  }
}

TEST(Radial, CountsPositionsThatAreNotFinite)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(Atoms{ { { 0, 0, 0 }, { kNan, 0, 0 }, { 0.5, 0, 0 }, { 0, 0, -INFINITY } } });
  PluginHost host("radial", R"({"bins": 1, "cutoff": 1})", { .output = folder.path() });
  EXPECT_EQ(host.execute(*shown), 0);
  EXPECT_THAT(host.said(), HasSubstr("2 positions of \"atoms\" are not finite"));
  const std::string path = folder.file("radial.0000-00000000.csv");
  EXPECT_THAT(text_of(path), HasSubstr("particles 2 not_finite 2\n"));
  EXPECT_EQ(read_function(path).pairs, std::vector<std::int64_t>{ 1 });
}

TEST(Radial, RefusesWhatItCannotCount)
{
  const TemporaryFolder folder;
  Atoms atoms = ideal_gas(10, { 0, 0, 0 }, { 1, 1, 1 });
  atoms.periodic = { 0, 1, 0 };
  PluginHost far("radial", R"({"cutoff": 0.6})", { .output = folder.path() });
  EXPECT_NE(far.execute(*AtomsSnapshot(atoms)), 0);
  EXPECT_THAT(far.said(), HasSubstr("more than half of the periodic domain along y"));
  atoms.high = atoms.low;
  PluginHost unbounded("radial", R"({"cutoff": 0.6})", { .output = folder.path() });
  EXPECT_NE(unbounded.execute(*AtomsSnapshot(atoms)), 0);
  EXPECT_THAT(unbounded.said(), HasSubstr("\"atoms\" are periodic along y, but have no bounds"));
}

TEST(Radial, ReturnsWhenTheSessionEnds)
{
  const TemporaryFolder folder;
  PluginHost host("radial", R"({"all_pairs": true})", { .output = folder.path() });
  host.stop();
  EXPECT_NE(host.execute(*AtomsSnapshot(ideal_gas(5000, { 0, 0, 0 }, { 1, 1, 1 }))), 0);
  EXPECT_THAT(host.said(), HasSubstr("radial was stopped"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

} // namespace
