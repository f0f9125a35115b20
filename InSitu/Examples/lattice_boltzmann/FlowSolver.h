// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Viscous flow through a box, past a sphere. One lattice; streaming and collision in one pass.
///
///     FlowSolver flow({ .size = { 160, 80, 80 }, .viscosity = 0.005, .sphere = { { 50, 40, 40 }, 20 } });
///     flow.advance(100);
///
/// Populations stay in one array with a layout that alternates from step to step (the AA pattern: P. Bailey, J. Myre,
/// S. Walsh, D. Lilja, M. Saar, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors", ICPP
/// 2009). That takes half the memory and two thirds of the traffic of two lattices. Cells in the sphere are skipped, so
/// populations sent into them return: bounce-back, with the wall half way between cells.
///
/// The box is periodic along y and z. Along x it is periodic, or it has an inlet of given velocity and an outlet of
/// given density. Their non-equilibrium parts are copied from inside: Z. Guo, C. Zheng, B. Shi, "Non-equilibrium
/// extrapolation method for velocity and pressure boundary conditions in the lattice Boltzmann method", Chinese Phys.
/// 11, 2002.
///
/// Threads: one thread calls a solver; TBB works inside, in regions that the caller can run (Parallel.h). Ranks: each
/// has some planes z (Slab.h); all call the same functions. Results are the same, bit by bit, for any number of both.
/// Lattice units.
#pragma once

#include "Lattice.h"
#include "Parallel.h"
#include "Slab.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lattice_boltzmann
{

enum class Ends
{
  Open,
  Periodic
};

struct Sphere
{
  Vec3 centre{ 0, 0, 0 };
  double diameter = 0; ///< in cells; 0 for no sphere
};

struct FlowOptions
{
  Int3 size{ 160, 80, 80 }; ///< cells; at least 4 along x
  double viscosity = 0.005;
  double inflow = 0.08; ///< velocity at the inlet, along x
  Ends ends = Ends::Open;
  Sphere sphere;
};

class FlowSolver
{
public:
  /// Starts from density 1. The velocity outside the sphere is velocity(x, y, z), or the inflow.
  /// All ranks of `comm` share the planes, of which there must be at least as many; MPI_COMM_NULL: this process alone,
  /// without MPI. Parallel regions go through `run`.
  explicit FlowSolver(const FlowOptions& options, const std::function<Vec3(const Int3&)>& velocity = {},
      MPI_Comm comm = MPI_COMM_NULL, const examples::RunRegion& run = {});

  /// `steps`: an even number.
  void advance(int steps);

  [[nodiscard]] const FlowOptions& options() const { return options_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] std::int64_t cells() const; ///< of all ranks
  [[nodiscard]] const Slab& slab() const { return slab_; }

  /// Force on the sphere in the last pair of steps, by momentum exchange: A. Ladd, "Numerical simulations of
  /// particulate suspensions via a discretized Boltzmann equation", J. Fluid Mech. 271, 1994.
  [[nodiscard]] const Vec3& force() const { return force_; }

  /// Sum of (density - 1) over the fluid's cells of this rank.
  [[nodiscard]] double excess_mass() const;

  /// Values of an own plane z, x fastest: three components of velocity, or density. Inside the sphere the velocity is 0
  /// and the density 1.
  void velocity_plane(std::int32_t z, std::span<float> out) const;
  void density_plane(std::int32_t z, std::span<float> out) const;

  /// Velocities of all own planes, with one ghost plane before and one after them. All ranks call it.
  void velocity_block(std::vector<float>& out);

private:
  /// Fluid cells x = begin ... end - 1 of one row.
  struct FluidRun
  {
    std::int32_t begin, end;
  };
  /// Population that a fluid cell sends into the sphere: its place after the first step of a pair, and its direction.
  struct WallLink
  {
    std::int64_t position;
    Int3 velocity;
  };
  struct FreeMemory
  {
    void operator()(float* memory) const;
  };

  [[nodiscard]] bool solid(const Int3& at) const;
  [[nodiscard]] std::int64_t row_start(std::int32_t y, std::int32_t z) const;
  [[nodiscard]] std::int64_t position(int direction, const Int3& at) const;
  void find_runs();
  void find_wall_links();
  void set_start(const std::function<Vec3(const Int3&)>& velocity);
  template <class Pass>
  void for_each_row(Pass pass);
  void step(bool in_place);
  void row_step(std::int32_t y, std::int32_t z, bool in_place);
  void end_cell(const Int3& at, bool in_place);
  void outlet_cell(std::int32_t y, std::int32_t z, bool in_place);
  [[nodiscard]] std::array<float*, kDirections> sources(const Int3& at, bool in_place) const;
  [[nodiscard]] Moments<float> moments_at(const Int3& cell) const;
  void measure_force();
  [[nodiscard]] PlanesOfDirections planes() const;

  FlowOptions options_;
  Rates rates_;
  Slab slab_;
  examples::Parallel parallel_;
  std::int64_t row_stride_;
  std::int64_t direction_stride_;
  std::unique_ptr<float[], FreeMemory> populations_;
  std::vector<FluidRun> runs_;
  std::vector<std::size_t> first_run_; ///< first run of each own row, and the number of runs at the end
  std::vector<WallLink> wall_links_;
  std::array<float, kDirections> inlet_{};
  std::int64_t steps_ = 0;
  Vec3 force_{ 0, 0, 0 };
};

} // namespace lattice_boltzmann
