// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sizes of arenas and places of threads that follow from a policy: N cores, n_a threads of analytics.
///
///                     simulation arena     analytics arena        workers   bound to cores
///     synchronous     N                    the same               N - 1     nothing
///     asynchronous    N                    the same               N - 2     nothing
///     static          N - n_a              n_a                    N - 2     analytics: first n_a, simulation: the rest
///     dynamic         N - 1                n_a                    N - 2     analytics master thread: the first
///     task            N                    n_a                    N - 1     threads in the analytics arena: first n_a
///
/// Policies and sizes are from Dirand, Colombet, Raffin: TINS, SCA 2018, section 3.4 and Table 3. An arena's size
/// counts its master thread.
#pragma once

#include "Configuration.h"
#include "Cores.h"

namespace rivulet::insitu
{

struct Plan
{
  Policy policy = Policy::Synchronous;
  int cores = 1;             ///< N
  int workers = 0;           ///< that the scheduler may have, besides the master threads
  int simulation = 1;        ///< size of the simulation's arena
  int analytics = 1;         ///< size of the arena of analytics
  bool low_priority = false; ///< of that arena
  Cores simulation_cores;    ///< of threads in the simulation's arena; empty: not bound
  Cores analytics_cores;     ///< of threads in the arena of analytics; empty: not bound
  Cores master_cores;        ///< of the analytics master thread; empty: not bound, or there is none
  std::vector<std::string> notes;
  std::string warning; ///< empty: none

  [[nodiscard]] bool one_arena() const { return policy == Policy::Synchronous || policy == Policy::Asynchronous; }
  [[nodiscard]] bool has_master_thread() const { return policy != Policy::Synchronous && policy != Policy::Task; }
};

/// `allowed`: cores of this process. `sharing`: ranks of the node that may use them, this one included.
[[nodiscard]] Result<Plan> make_plan(const Configuration& configuration, const Cores& allowed, int sharing);

} // namespace rivulet::insitu
