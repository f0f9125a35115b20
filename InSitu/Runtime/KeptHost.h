// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// State of the whole process that belongs to the simulation and that libraries of analytics change all the same:
/// actions of signals (ParaView prints a stack for most, Python ignores two and takes SIGINT) and the locale.
///
///     const KeptHost kept(KeptHost::Simulation::Waits); // gives back at its end
///
/// While the simulation runs beside, it may change the action of a signal itself. So only those whose handlers are in
/// libraries that came while it waited are given back then, and those that became default or ignored.
///
/// Threads: one at a time.
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace rivulet::insitu
{

class KeptHost
{
public:
  enum class Simulation : bool
  {
    Waits,
    Runs
  };

  explicit KeptHost(Simulation simulation);
  KeptHost(const KeptHost&) = delete;
  KeptHost& operator=(const KeptHost&) = delete;
  ~KeptHost();

private:
  static constexpr int kSignals = NSIG; ///< 1 ... kSignals - 1

  void note_guests() const;

  Simulation simulation_;
  std::vector<const void*> libraries_; ///< that are loaded; unless the simulation runs
  std::array<struct sigaction, kSignals> actions_{};
  std::string locale_;
};

} // namespace rivulet::insitu
