// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Interrupt.h"

#include "Command/ExitCode.h"
#include "Io/UnfinishedFiles.h"

#include <csignal>
#include <unistd.h>

namespace rivulet::command
{

namespace
{

std::atomic<bool> requested{ false };
static_assert(std::atomic<bool>::is_always_lock_free, "the handler may use nothing else");

extern "C" void rivulet_on_interrupt(int)
{
  if (requested.exchange(true))
  {
    remove_unfinished_files();
    _exit(static_cast<int>(ExitCode::Cancelled));
  }
}

// To quit is to end at once, with a core dump where the system is set up for it.
extern "C" void rivulet_on_quit(int number)
{
  remove_unfinished_files();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

bool is_ignored(int number)
{
  struct sigaction action = {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

void install_interrupt_handlers()
{
  struct sigaction action = {};
  action.sa_handler = rivulet_on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART; // a stop is noticed between reads, not by tearing them
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) // as nohup has it
  {
    sigaction(SIGHUP, &action, nullptr);
  }
  action.sa_handler = rivulet_on_quit;
  sigaction(SIGQUIT, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& interrupt_requested()
{
  return requested;
}

} // namespace rivulet::command
