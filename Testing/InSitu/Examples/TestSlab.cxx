// SPDX-License-Identifier: BSD-3-Clause
// Any number of ranks against one: mpiexec -n RANKS TestSlab
#include "FlowSolver.h"

#include <gtest/gtest.h>

namespace
{

using namespace lattice_boltzmann;

/// The sphere reaches into the planes of several ranks, and through the periodic side.
FlowOptions options_of(Ends ends)
{
  return { { 24, 12, 11 }, 0.02, 0.05, ends, { { 11.3, 6.1, 1.8 }, 7 } };
}

Vec3 start(const Int3& at)
{
  return { 0.05, 0.01 * (at[2] % 3), 0.02 * (at[0] % 2) };
}

TEST(Slab, EveryPlaneHasOneOwner)
{
  const Slab slab(11, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (std::int32_t z = 0; z < 11; ++z)
  {
    int owners = slab.owns(z) ? 1 : 0;
    EXPECT_EQ(slab.owns(z), slab.owner(z) == rank);
    MPI_Allreduce(MPI_IN_PLACE, &owners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(owners, 1);
  }
}

TEST(Slab, FlowIsThatOfOneRank)
{
  for (const Ends ends : { Ends::Open, Ends::Periodic })
  {
    FlowSolver one(options_of(ends), start);
    FlowSolver all(options_of(ends), start, MPI_COMM_WORLD);
    one.advance(60);
    all.advance(60);
    EXPECT_EQ(one.force(), all.force()); // each bit: sums are in the order of planes
    EXPECT_NE(one.force()[0], 0);
    std::vector<float> expected(std::size_t{ 3 } * 24 * 12);
    std::vector<float> found(expected.size());
    for (std::int32_t z = all.slab().begin(); z < all.slab().end(); ++z)
    {
      one.velocity_plane(z, expected);
      all.velocity_plane(z, found);
      EXPECT_EQ(expected, found) << "plane " << z;
    }
  }
}

TEST(Slab, BlocksHaveThePlanesOfNeighbours)
{
  FlowSolver one(options_of(Ends::Open), start);
  FlowSolver all(options_of(Ends::Open), start, MPI_COMM_WORLD);
  one.advance(20);
  all.advance(20);
  std::vector<float> block;
  all.velocity_block(block);
  const std::size_t size = std::size_t{ 3 } * 24 * 12;
  ASSERT_EQ(block.size(), size * static_cast<std::size_t>(all.slab().end() - all.slab().begin() + 2));
  std::vector<float> expected(size);
  auto next = block.begin();
  for (std::int32_t z = all.slab().begin() - 1; z <= all.slab().end(); ++z)
  {
    one.velocity_plane((z + 11) % 11, expected);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), next)) << "plane " << z;
    next += static_cast<std::ptrdiff_t>(size);
  }
}

TEST(Slab, AllLoopsRunWhereTheCallerWants)
{
  int regions = 0;
  FlowSolver flow(options_of(Ends::Open), start, MPI_COMM_WORLD,
      [&](const std::function<void()>& body)
      {
        ++regions;
        body();
      });
  const int before = regions;
  flow.advance(10);
  EXPECT_EQ(regions - before, 20); // rows, and then the outlet, in each step
}

} // namespace

int main(int count, char** words)
{
  testing::InitGoogleTest(&count, words);
  MPI_Init(&count, &words);
  const int status = RUN_ALL_TESTS();
  MPI_Finalize();
  return status;
}
