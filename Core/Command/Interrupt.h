// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Signals that stop the program: Ctrl-C, SIGTERM, and SIGHUP unless it is ignored (nohup). The first signal requests a
/// clean stop (see Base/StopSignals.h): workers poll the flag, and unfinished files are removed. The second signal
/// removes them and ends the process at once. SIGQUIT removes them and then has its usual effect.
#pragma once

#include <atomic>

namespace rivulet::command
{

/// Installs the handlers. Also ignores SIGXFSZ and SIGPIPE, so that a write beyond a limit returns an error.
void install_interrupt_handlers();

/// Flag that is set when a stop was requested.
[[nodiscard]] const std::atomic<bool>& interrupt_requested();

} // namespace rivulet::command
