// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Connects the simulation with Rivulet's runtime for analytics (rivulet_insitu.h). All that a simulation needs for
/// that is in Coupling.cxx; builds without the runtime have NoCoupling.cxx in its place.
///
///     Result<Coupling> coupling = Coupling::open("insitu.json", MPI_COMM_WORLD);
///     coupling->run(body);         // a parallel region of the solver
///     coupling->show(simulation);  // after a step
#pragma once

#include "Simulation.h"

#include <memory>

struct rivulet_insitu;

namespace molecular_dynamics
{

class Coupling
{
public:
  /// Fails on all ranks or on none. All ranks call it.
  [[nodiscard]] static Result<Coupling> open(const std::string& config, MPI_Comm comm);

  /// Runs the body on the threads that the runtime gives to the simulation.
  void run(const std::function<void()>& body) const;

  /// Shows the particles to the analytics that want this step. All ranks call it.
  void show(const Simulation& simulation) const;

private:
  struct Close
  {
    void operator()(rivulet_insitu* session) const;
  };
  std::unique_ptr<rivulet_insitu, Close> session_;
};

} // namespace molecular_dynamics
