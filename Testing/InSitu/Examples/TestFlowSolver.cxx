// SPDX-License-Identifier: BSD-3-Clause
#include "FlowSolver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace
{

using namespace lattice_boltzmann;
using std::numbers::pi;

double kinetic_energy(const FlowSolver& flow)
{
  const Int3& size = flow.options().size;
  std::vector<float> plane(3U * static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
  double sum = 0;
  for (std::int32_t z = 0; z < size[2]; ++z)
  {
    flow.velocity_plane(z, plane);
    for (const float u : plane)
    {
      sum += double(u) * u;
    }
  }
  return sum;
}

/// The viscosity that a shear wave shows: its energy decays as exp(-2 viscosity k^2 t).
/// `along` is the axis of the wave, `flowing` that of the velocity.
double measured_viscosity(int cells, double viscosity, std::size_t along, std::size_t flowing)
{
  Int3 size{ 4, 4, 4 };
  size[along] = cells;
  const double k = 2 * pi / cells;
  const auto wave = [&](const Int3& at)
  {
    Vec3 u{ 0, 0, 0 };
    u[flowing] = 0.01 * std::sin(k * (at[along] + 0.5));
    return u;
  };
  FlowSolver flow({ size, viscosity, 0, Ends::Periodic, {} }, wave);
  const int settle = cells;
  const int steps = 2 * cells * cells / 16;
  flow.advance(settle);
  const double before = kinetic_energy(flow);
  flow.advance(steps);
  return std::log(before / kinetic_energy(flow)) / (2 * k * k * steps);
}

TEST(FlowSolver, ShearWavesDecayAtTheViscosityAskedForInEveryDirection)
{
  for (const auto& [along, flowing] : { std::pair{ 0, 1 }, { 1, 2 }, { 2, 0 } })
  {
    const double measured =
        measured_viscosity(32, 0.02, static_cast<std::size_t>(along), static_cast<std::size_t>(flowing));
    EXPECT_NEAR(measured / 0.02, 1, 0.01) << "wave along " << along;
  }
}

TEST(FlowSolver, ViscosityConvergesWithSecondOrder)
{
  const double viscosity = 0.1;
  const double coarse = std::abs(measured_viscosity(8, viscosity, 1, 0) / viscosity - 1);
  const double fine = std::abs(measured_viscosity(16, viscosity, 1, 0) / viscosity - 1);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << " " << fine;
}

TEST(FlowSolver, KeepsItsMassAroundASphere)
{
  const Sphere sphere{ { 11.3, 8.1, 7.8 }, 6 };
  FlowSolver flow({ { 24, 16, 16 }, 0.02, 0.05, Ends::Periodic, sphere });
  const double before = flow.excess_mass();
  flow.advance(500);
  const double per_cell = (flow.excess_mass() - before) / static_cast<double>(flow.cells());
  EXPECT_NEAR(per_cell, 0, 1e-6);
}

TEST(FlowSolver, SphereTakesTheMomentumThatTheFluidLoses)
{
  const Sphere sphere{ { 11.3, 8.1, 7.8 }, 6 };
  FlowSolver flow({ { 24, 16, 16 }, 0.05, 0.05, Ends::Periodic, sphere });
  const auto momentum = [&]
  {
    std::vector<float> velocity(3U * 24 * 16);
    std::vector<float> density(24U * 16);
    double sum = 0;
    for (std::int32_t z = 0; z < 16; ++z)
    {
      flow.velocity_plane(z, velocity);
      flow.density_plane(z, density);
      for (std::size_t i = 0; i < density.size(); ++i)
      {
        sum += double(velocity[3 * i]) * density[i];
      }
    }
    return sum;
  };
  flow.advance(100);
  const double before = momentum();
  double force = 0;
  for (int pair = 0; pair < 100; ++pair)
  {
    flow.advance(2);
    force += 2 * flow.force()[0];
  }
  EXPECT_NEAR((before - momentum()) / force, 1, 0.02);
}

TEST(FlowSolver, UniformFlowStaysUniformBetweenInletAndOutlet)
{
  FlowSolver flow({ { 24, 8, 8 }, 0.02, 0.08, Ends::Open, {} });
  flow.advance(200);
  std::vector<float> plane(3U * 24 * 8);
  flow.velocity_plane(3, plane);
  for (std::size_t i = 0; i < plane.size(); i += 3)
  {
    EXPECT_NEAR(plane[i], 0.08, 1e-6);
    EXPECT_NEAR(plane[i + 1], 0, 1e-6);
  }
}

TEST(FlowSolver, NothingMovesInTheSphere)
{
  FlowSolver flow({ { 24, 16, 16 }, 0.02, 0.08, Ends::Open, { { 8, 8, 8 }, 6 } });
  flow.advance(100);
  std::vector<float> plane(3U * 24 * 16);
  flow.velocity_plane(8, plane);
  EXPECT_EQ(plane[3 * (8 + 24 * 8)], 0);
  EXPECT_GT(plane[3 * (8 + 24 * 14)], 0.05F);
}

} // namespace
