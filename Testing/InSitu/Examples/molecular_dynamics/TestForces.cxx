// SPDX-License-Identifier: BSD-3-Clause
// Forces, energies and lists of neighbours against all pairs.
#include "MdSupport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace
{

using namespace md_test;

struct Box
{
  Int3 sites;
  double spacing;
  double skin;
};

Vec3 length_of(const Box& box)
{
  return { box.sites[0] * box.spacing, box.sites[1] * box.spacing, box.sites[2] * box.spacing };
}

class Boxes : public testing::TestWithParam<Box>
{
};

TEST_P(Boxes, ForcesAreThoseOfAllPairs)
{
  const Vec3 length = length_of(GetParam());
  const std::vector<Vec3> positions = shaken_lattice(GetParam().sites, GetParam().spacing, 0.15);
  for (const Cut cut : { Cut::Smooth, Cut::Shifted })
  {
    Fluid fluid(positions, length, GetParam().skin);
    find_forces(fluid.particles, fluid.list, potential_of(cut), fluid.parallel);
    const Reference expected = reference_of(positions, length, cut);
    for (std::size_t i = 0; i < positions.size(); ++i)
    {
      const Vec3& force = expected.force[static_cast<std::size_t>(fluid.particles.id[i])];
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_NEAR(fluid.particles.force[axis][i], force[axis], 1e-9) << "particle " << fluid.particles.id[i];
      }
    }
  }
}

TEST_P(Boxes, EnergyAndVirialAreThoseOfAllPairs)
{
  const Vec3 length = length_of(GetParam());
  const std::vector<Vec3> positions = shaken_lattice(GetParam().sites, GetParam().spacing, 0.15);
  for (const Cut cut : { Cut::Smooth, Cut::Shifted })
  {
    Fluid fluid(positions, length, GetParam().skin);
    find_forces(fluid.particles, fluid.list, potential_of(cut), fluid.parallel);
    const PairSums sums = find_sums(fluid.particles, fluid.list, potential_of(cut), fluid.parallel);
    const Reference expected = reference_of(positions, length, cut);
    const double rounding = static_cast<double>(positions.size()) * FixedSum::kUnit;
    EXPECT_NEAR(sums.energy.value(), expected.energy, rounding);
    EXPECT_NEAR(sums.virial.value(), expected.virial, rounding);
  }
}

TEST_P(Boxes, ForcesAddUpToZero)
{
  const std::vector<Vec3> positions = shaken_lattice(GetParam().sites, GetParam().spacing, 0.15);
  Fluid fluid(positions, length_of(GetParam()), GetParam().skin);
  find_forces(fluid.particles, fluid.list, potential_of(Cut::Smooth), fluid.parallel);
  for (const std::vector<double>& force : fluid.particles.force)
  {
    double sum = 0;
    double size = 0;
    for (const double value : force)
    {
      sum += value;
      size += std::abs(value);
    }
    EXPECT_GT(size, 1);
    EXPECT_NEAR(sum, 0, 1e-12 * size);
  }
}

TEST_P(Boxes, EveryPairIsInBothLists)
{
  const Vec3 length = length_of(GetParam());
  const std::vector<Vec3> positions = shaken_lattice(GetParam().sites, GetParam().spacing, 0.15);
  Fluid fluid(positions, length, GetParam().skin);
  const double reach = kCutoff + GetParam().skin;
  std::int64_t expected = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    for (std::size_t j = 0; j < positions.size(); ++j)
    {
      // All images: in a box shorter than two reaches, a particle is listed twice.
      for (int image = 0; image < 27; ++image)
      {
        const double dx = positions[i][0] - positions[j][0] + (image % 3 - 1) * length[0];
        const double dy = positions[i][1] - positions[j][1] + (image / 3 % 3 - 1) * length[1];
        const double dz = positions[i][2] - positions[j][2] + (image / 9 - 1) * length[2];
        expected += (i != j || image != 13) && std::hypot(dx, dy, dz) < reach ? 1 : 0;
      }
    }
  }
  std::int64_t listed = 0;
  for (const NeighbourList::Row& row : fluid.list.rows())
  {
    const auto spare = static_cast<std::int32_t>(fluid.particles.spare());
    listed += std::count_if(row.neighbours.begin(), row.neighbours.end(), [&](std::int32_t i) { return i != spare; });
  }
  EXPECT_EQ(listed, expected);
}

// Boxes of 3 cells (two cut-offs long), of 4, of different sides, and one with particles on sides of cells: its spacing
// is a multiple of theirs.
INSTANTIATE_TEST_SUITE_P(Forces, Boxes,
    testing::Values(Box{ { 5, 5, 5 }, 1.0, 0.4 }, Box{ { 6, 6, 6 }, 1.0, 0.3 }, Box{ { 5, 9, 13 }, 1.05, 0.4 },
        Box{ { 14, 7, 7 }, 1.0, 0.3 }, Box{ { 12, 12, 12 }, 1.0, 0.5 }, Box{ { 8, 8, 8 }, 1.5, 0.5 },
        Box{ { 7, 7, 7 }, 1.0, 0.0 }));

TEST(Forces, TwoParticlesFollowThePotential)
{
  for (const Cut cut : { Cut::Smooth, Cut::Shifted })
  {
    for (const double distance : { 0.9, 1.0, std::pow(2.0, 1.0 / 6), 1.7, 2.499, 2.5, 2.6 })
    {
      // Across the corner of the box.
      const std::vector<Vec3> positions{ { 0.1, 5, 5 }, { 10 + 0.1 - distance, 5, 5 } };
      Fluid fluid(positions, { 10, 10, 10 }, 0.3);
      find_forces(fluid.particles, fluid.list, potential_of(cut), fluid.parallel);
      const Reference expected = reference_of(positions, { 10, 10, 10 }, cut);
      const std::size_t first = fluid.particles.id[0] == 0 ? 0 : 1;
      EXPECT_NEAR(fluid.particles.force[0][first], expected.force[0][0], 1e-11) << distance;
      // Through a side of the box, distances differ by rounding.
      EXPECT_NEAR(fluid.particles.force[0][first], -fluid.particles.force[0][1 - first], 1e-11) << distance;
    }
  }
}

TEST(Forces, SmoothCutHasNoJump)
{
  const auto force_at = [](double distance, Cut cut)
  {
    Fluid fluid({ { 1, 1, 1 }, { 1 + distance, 1, 1 } }, { 10, 10, 10 }, 0.3);
    find_forces(fluid.particles, fluid.list, potential_of(cut), fluid.parallel);
    return std::abs(fluid.particles.force[0][0]);
  };
  EXPECT_LT(force_at(2.5 - 1e-9, Cut::Smooth), 1e-8);
  EXPECT_NEAR(force_at(2.5 - 1e-9, Cut::Shifted), 0.0390, 1e-4);
}

TEST(CellList, SortsByCellAndThenById)
{
  const std::vector<Vec3> positions = shaken_lattice({ 9, 8, 7 }, 1, 0.3);
  Fluid fluid(positions, { 9, 8, 7 }, 0.3);
  std::set<std::int64_t> seen;
  const Int3& own = fluid.cells.own();
  std::int32_t next = 0;
  for (std::int32_t number = 0; number < own[0] * own[1] * own[2]; ++number)
  {
    const Int3 cell{ number % own[0], number / own[0] % own[1], number / own[0] / own[1] };
    const CellList::Span span = fluid.cells.span(cell);
    ASSERT_EQ(span.begin, next);
    next = span.end;
    for (std::int32_t i = span.begin; i < span.end; ++i)
    {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_EQ(fluid.domain.cell(axis, fluid.particles.position[axis][at]), cell[axis]);
      }
      ASSERT_TRUE(i == span.begin || fluid.particles.id[at - 1] < fluid.particles.id[at]);
      seen.insert(fluid.particles.id[at]);
    }
  }
  EXPECT_EQ(seen.size(), positions.size());
}

} // namespace
