// SPDX-License-Identifier: BSD-3-Clause
// The analytics of the template, from the folder that RIVULET_TEMPLATE names. test_template.py runs this.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/PluginHost.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet::test;

PluginSettings settings()
{
  const char* const folder = std::getenv("RIVULET_TEMPLATE");
  return { .output = ".", .slots = 3, .comm = MPI_COMM_WORLD, .folder = folder != nullptr ? folder : "not set" };
}

TEST(Template, TellsTheMeanSpeedOfAllRanks)
{
  PluginHost host("mean_speed", "{}", settings());
  Atoms atoms;
  atoms.at.resize(100'000);
  atoms.velocity.assign(100'000, { 2.0 * (1 + world_rank()), 3.0 * (1 + world_rank()), 6.0 * (1 + world_rank()) });
  const AtomsSnapshot shown(atoms);
  EXPECT_EQ(host.execute(*shown), 0);
  const double mean = 7.0 * (1 + world_size()) / 2;
  EXPECT_EQ(host.said(), world_rank() == 0 ? "mean speed " + std::to_string(mean) + "\n" : "");
}

TEST(Template, FailsOnAllRanksIfOneHasNoVelocities)
{
  PluginHost host("mean_speed", "{}", settings());
  Atoms atoms = ideal_gas(10, { 0, 0, 0 }, { 1, 1, 1 });
  if (world_rank() == world_size() - 1)
  {
    atoms.velocity.clear();
  }
  EXPECT_NE(host.execute(*AtomsSnapshot(atoms)), 0);
  EXPECT_EQ(host.said(), world_rank() == 0 ? "mean_speed needs particles with velocities on all ranks\n" : "");
}

} // namespace
