// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Interrupt.h"

#include "Base/StopSignals.h"
#include "Command/ExitCode.h"
#include "Io/Writes/UnfinishedFiles.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace rivulet::command
{

namespace
{

extern "C" void rivulet_on_second_interrupt(int)
{
  remove_unfinished_files();
  _exit(static_cast<int>(ExitCode::Cancelled));
}

// SIGQUIT ends the process at once, with a core dump where the system is set up for it.
extern "C" void rivulet_on_quit(int number)
{
  const int error = errno;
  remove_unfinished_files();
  std::signal(number, SIG_DFL);
  std::raise(number); // ends the process when this handler returns
  errno = error;
}

// Libraries change that while they are loaded: psm2, which MPI loads, takes SIGHUP for a handler of its own. So it is
// looked up before the constructors of all libraries.
bool hangup_was_ignored = false; // NOLINT(*-avoid-non-const-global-variables)

extern "C" void rivulet_before_libraries(int, char**, char**)
{
  struct sigaction action = {};
  hangup_was_ignored = sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const kBeforeLibraries)(
    int, char**, char**) = rivulet_before_libraries;

/// Signals that request a stop. SIGHUP is one of them unless it is ignored (nohup).
std::vector<int> stop_signals()
{
  std::vector<int> numbers{ SIGINT, SIGTERM };
  if (!hangup_was_ignored)
  {
    numbers.push_back(SIGHUP);
  }
  return numbers;
}

/// Installs the handlers at the first call.
const StopSignals& stop()
{
  static const StopSignals signals(stop_signals());
  return signals;
}

} // namespace

void install_interrupt_handlers()
{
  for (const int number : stop_signals())
  {
    std::signal(number, rivulet_on_second_interrupt);
  }
  (void)stop();
  if (hangup_was_ignored)
  {
    std::signal(SIGHUP, SIG_IGN);
  }
  std::signal(SIGQUIT, rivulet_on_quit);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& interrupt_requested()
{
  return stop().requested();
}

} // namespace rivulet::command
