// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// State of the whole process that belongs to the simulation and that libraries of analytics change all the same:
/// actions of signals (ParaView prints a stack for most, Python ignores two and takes SIGINT), the locale, and the
/// buffers of the standard streams (ParaView's Python has none).
///
///     const KeptHost kept(KeptHost::Simulation::Waits); // gives back at its end
///
/// While the simulation runs beside, it may change the action of a signal itself. So only two kinds of changed actions
/// are given back then: handlers in libraries that came while it waited, and actions that became default or ignored.
///
/// It takes 128 calls of the system, 20 us in a virtual machine: once for a step, not for each of its repeats. Throws
/// std::bad_alloc where the simulation waits, and nothing else. Threads: one at a time.
#pragma once

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>
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

  /// How a standard stream is buffered.
  struct Buffering
  {
    std::FILE* stream = nullptr;
    std::size_t bytes = 0; ///< 0: it has no buffer yet
    bool by_lines = false;
  };

  void note_guests() const;
  void give_buffers_back() const;

  Simulation simulation_;
  std::vector<const void*> libraries_; ///< that are loaded; unless the simulation runs
  std::array<struct sigaction, kSignals> actions_{};
  std::optional<std::string> locale_;  ///< none: there was no memory for it
  std::array<Buffering, 2> buffers_{}; ///< of the streams for output
};

} // namespace rivulet::insitu
