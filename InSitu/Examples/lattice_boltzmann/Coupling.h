// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics beside the flow: the field "flow" with its velocity, as in the files: values at nodes, lengths in
/// diameters from the centre of the sphere, velocities in parts of the inflow, times in diameters travelled.
///
///     Coupling coupling("insitu.json", MPI_COMM_WORLD);
///     FlowSolver flow(options, wind, MPI_COMM_WORLD, [&](const auto& body) { coupling.run(body); });
///     coupling.show(flow);                                 // after steps; on all ranks
///
/// Threads: one. Where the configuration cannot be read the flow goes on without analytics, and message() says why.
#pragma once

#include "FlowSolver.h"

#include <memory>
#include <string>
#include <vector>

struct rivulet_insitu;

namespace lattice_boltzmann
{

class Coupling
{
public:
  /// Collective, as is the destructor.
  Coupling(const std::string& configuration, MPI_Comm comm);

  /// Why there are no analytics; empty if there are.
  [[nodiscard]] const std::string& message() const { return message_; }

  /// Runs a parallel region in the arena of the simulation.
  void run(const std::function<void()>& body) const;
  /// Hands the velocities over, if analytics want this step.
  void show(FlowSolver& flow);

private:
  struct Close
  {
    void operator()(rivulet_insitu* session) const;
  };

  std::unique_ptr<rivulet_insitu, Close> session_;
  std::string message_;
  std::vector<float> velocity_; ///< of own planes, and of one before and one after them
};

} // namespace lattice_boltzmann
