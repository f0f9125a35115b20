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

} // namespace

void install_interrupt_handlers()
{
  struct sigaction action = {};
  action.sa_handler = rivulet_on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART; // a stop is noticed between reads, not by tearing them
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& interrupt_requested()
{
  return requested;
}

} // namespace rivulet::command
