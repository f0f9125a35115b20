// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What tests of the molecular dynamics share: states of all ranks by id, and forces straight from the definition.
#pragma once

#include "Simulation.h"

#include <vector>

namespace md_test
{

using namespace molecular_dynamics;

/// One particle as it is, bit by bit.
struct State
{
  std::int64_t id;
  std::int64_t type;
  Vec3 position, velocity;

  bool operator==(const State&) const = default;
};

/// Particles of all ranks, in the order of their ids, on each rank.
[[nodiscard]] std::vector<State> all_states(const Particles& particles, MPI_Comm comm);

/// The largest distance between two states of the same particles in a periodic box.
[[nodiscard]] double farthest(const std::vector<State>& left, const std::vector<State>& right, const Vec3& length);

/// A fluid: particles of a lattice, moved at random by up to `shake` of its spacing along each axis, and some of them
/// put exactly on sides of cells and of the box.
[[nodiscard]] std::vector<Vec3> shaken_lattice(const Int3& sites, double spacing, double shake);

/// Particles with positions, forces and lists, made by the solver on this rank alone.
struct Fluid
{
  Fluid(const std::vector<Vec3>& positions, const Vec3& length, double skin);

  Domain domain;
  examples::Parallel parallel;
  Particles particles;
  CellList cells;
  Halo halo;
  NeighbourList list;
};

struct Reference
{
  std::vector<Vec3> force;
  double energy = 0; ///< of all pairs
  double virial = 0;
};

/// From all pairs, each at its shortest distance in the periodic box.
[[nodiscard]] Reference reference_of(const std::vector<Vec3>& positions, const Vec3& length, Cut cut);

/// The result's value. Ends the test program where there is none.
template <class T>
T value_of(Result<T>&& result)
{
  if (!result)
  {
    std::fprintf(stderr, "%s\n", result.error().c_str());
    std::abort();
  }
  return std::move(*result);
}

/// Takes steps. Ends the test program where one fails.
void advance(Simulation& simulation, int steps);

} // namespace md_test
