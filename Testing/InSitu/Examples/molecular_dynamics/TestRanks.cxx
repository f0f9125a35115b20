// SPDX-License-Identifier: BSD-3-Clause
// Any number of ranks against one: mpiexec -n RANKS TestMolecularDynamics --gtest_filter=Ranks.*
#include "MdSupport.h"

#include "Migration.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace
{

using namespace md_test;

const SimulationOptions kFluid{ .start = { .size = { 9, 8, 7 }, .temperature = 2 } };

TEST(Ranks, StartIsThatOfOneRank)
{
  const Simulation all = value_of(Simulation::create(kFluid, MPI_COMM_WORLD));
  const Simulation one = value_of(Simulation::create(kFluid, MPI_COMM_SELF));
  EXPECT_TRUE(all_states(all.particles(), MPI_COMM_WORLD) == all_states(one.particles(), MPI_COMM_SELF));
}

TEST(Ranks, TrajectoriesAreThoseOfOneRank)
{
  Simulation all = value_of(Simulation::create(kFluid, MPI_COMM_WORLD));
  Simulation one = value_of(Simulation::create(kFluid, MPI_COMM_SELF));
  for (int round = 0; round < 3; ++round)
  {
    advance(all, 50);
    advance(one, 50);
    ASSERT_TRUE(all_states(all.particles(), MPI_COMM_WORLD) == all_states(one.particles(), MPI_COMM_SELF));
    const Observables left = all.observe();
    const Observables right = one.observe();
    EXPECT_EQ(left.potential, right.potential);
    EXPECT_EQ(left.kinetic, right.kinetic);
    EXPECT_EQ(left.pressure, right.pressure);
  }
  std::int64_t migrated = all.timings().migrated;
  MPI_Allreduce(MPI_IN_PLACE, &migrated, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_TRUE(size == 1 ? migrated == 0 : migrated > 10) << migrated;
}

TEST(Ranks, AnySplitGivesTheSameTrajectory)
{
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Simulation one = value_of(Simulation::create(kFluid, MPI_COMM_SELF));
  advance(one, 20);
  const std::vector<State> expected = all_states(one.particles(), MPI_COMM_SELF);
  for (const Int3& ranks : { Int3{ size, 1, 1 }, Int3{ 1, size, 1 }, Int3{ 1, 1, size } })
  {
    SimulationOptions options = kFluid;
    options.ranks = ranks;
    Simulation all = value_of(Simulation::create(options, MPI_COMM_WORLD));
    EXPECT_EQ(all.domain().ranks(), ranks);
    advance(all, 20);
    EXPECT_TRUE(all_states(all.particles(), MPI_COMM_WORLD) == expected);
  }
}

/// All particles of a rank leave through the same corner, edge or side.
TEST(Ranks, ParticlesArriveThroughSidesEdgesAndCorners)
{
  const Domain domain = value_of(Domain::create({ { 28, 28, 28 }, 2.5, 2.8, { 0, 0, 0 } }, MPI_COMM_WORLD));
  examples::Parallel parallel;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int direction = 0; direction < 27; ++direction)
  {
    const Int3 towards{ direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1 };
    Particles particles;
    particles.resize(10);
    for (std::size_t i = 0; i < 10; ++i)
    {
      particles.id[i] = 10 * rank + static_cast<std::int64_t>(i);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double low = 1.4 * domain.begin()[axis];
        const double high = 1.4 * (domain.begin()[axis] + domain.own()[axis]);
        const double inside = 0.5 * (low + high);
        const double beyond = towards[axis] < 0 ? low - 0.1 : high + 0.1;
        particles.position[axis][i] = towards[axis] == 0 ? inside : beyond;
        particles.velocity[axis][i] = static_cast<double>(i);
      }
    }
    migrate(particles, domain, parallel);
    EXPECT_EQ(particles.count, 10); // those of one other rank, or the own ones
    for (std::size_t i = 0; i < static_cast<std::size_t>(particles.count); ++i)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const std::int32_t cell = domain.cell(axis, particles.position[axis][i]) - domain.begin()[axis];
        EXPECT_TRUE(cell >= 0 && cell < domain.own()[axis]);
        EXPECT_EQ(particles.velocity[axis][i], static_cast<double>(particles.id[i] % 10));
      }
    }
    const std::vector<State> all = all_states(particles, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      EXPECT_EQ(all[i].id, static_cast<std::int64_t>(i));
    }
  }
}

TEST(Ranks, AllOfThemStopTogether)
{
  SimulationOptions options = kFluid;
  options.time_step = 0.2;
  Simulation simulation = value_of(Simulation::create(options, MPI_COMM_WORLD));
  Result<void> done;
  while (done && simulation.steps() < 100)
  {
    done = simulation.step();
  }
  EXPECT_FALSE(done);
  std::array<std::int64_t, 2> steps{ simulation.steps(), -simulation.steps() };
  MPI_Allreduce(MPI_IN_PLACE, steps.data(), 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(steps[0], -steps[1]); // all are the same
}

TEST(Ranks, TooManyAreRefused)
{
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Four cells along each axis: room for two ranks, but not for three or more.
  const Result<Domain> row = Domain::create({ { 5.7, 5.7, 5.7 }, 2.5, 2.8, { size, 1, 1 } }, MPI_COMM_WORLD);
  EXPECT_EQ(static_cast<bool>(row), size <= 2);
  EXPECT_FALSE(Domain::create({ { 5.7, 5.7, 5.7 }, 2.5, 2.8, { size + 1, 1, 1 } }, MPI_COMM_WORLD));
}

} // namespace

int main(int count, char** words)
{
  testing::InitGoogleTest(&count, words);
  if (testing::GTEST_FLAG(list_tests))
  {
    return RUN_ALL_TESTS();
  }
  MPI_Init(&count, &words);
  const int status = RUN_ALL_TESTS();
  MPI_Finalize();
  return status;
}
