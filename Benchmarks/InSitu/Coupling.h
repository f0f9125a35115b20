// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The ways in which a virtual simulation and its analytics share a node.
///
///     alone       no analytics: the simulation has all N cores
///     session     the in situ runtime of this project, by a configuration file for each run
///     dedicated   as Damaris does: some ranks of each node never return to the simulation. They have n_a cores, a TBB
///                 of their own, and get data through memory that they share with the simulation, which has N - n_a
///     suspended   as GoldRush does: a process without MPI, which runs while the simulation is between parallel
///     regions,
///                 and is stopped otherwise
///     stream      a consumer process that gets each step from ADIOS2 (engine SST)
///
/// dedicated, suspended and stream are made for this comparison, and are no part of Rivulet. They show policies, not
/// the programs that had them first: those do more.
///
/// All functions are called by the simulation's thread. They end the program where something fails.
#pragma once

#include "InSitu/Runtime/rivulet_insitu_data.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace rivulet::bench
{

struct CouplingOptions
{
  std::string kind = "alone";
  int cores = 28;            ///< N
  int threads = 0;           ///< of the simulation: alone, suspended, stream. 0: N
  int helpers = 0;           ///< threads of analytics, n_a: dedicated, suspended, stream
  int buffers = 1;           ///< steps that wait for analytics
  std::string analysis;      ///< JSON, as in VirtualAnalysis.h
  std::string program;       ///< of the analytics' process, or of the consumer
  std::string adios;         ///< path of libadios2_c.so
  double threshold = 0.0005; ///< seconds; shorter sequential phases do not wake a suspended process
  std::int64_t particles = 0;
};

class Coupling
{
public:
  virtual ~Coupling() = default;

  /// A run begins, outside its time. `seen`: file for the digests of analytics.
  virtual void begin(const std::string& configuration, const std::string& seen) = 0;
  /// A parallel region of the simulation.
  virtual void region(const std::function<void()>& body) = 0;
  virtual void hand_over(std::int64_t step, const rivulet_particles& particles) = 0;
  /// The run ends when analytics have seen all steps.
  virtual void finish() = 0;
  /// Largest resident memory of other processes that belong to this one; 0 if there are none.
  [[nodiscard]] virtual std::int64_t other_peak_bytes() const { return 0; }
};

/// Before MPI_Init, if the kind is "suspended" or "stream"; after it, else. The kind "dedicated" is collective, and
/// does not return on ranks that become helpers.
[[nodiscard]] std::unique_ptr<Coupling> make_coupling(const CouplingOptions& options);
[[nodiscard]] std::unique_ptr<Coupling> make_alone_or_session(int threads);
[[nodiscard]] std::unique_ptr<Coupling> make_dedicated(const CouplingOptions& options);
[[nodiscard]] std::unique_ptr<Coupling> make_suspended(const CouplingOptions& options);
[[nodiscard]] std::unique_ptr<Coupling> make_stream(const CouplingOptions& options);

} // namespace rivulet::bench
