// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ctrl-C, SIGTERM and SIGHUP (unless it is ignored, as nohup has it). The first asks for a clean stop (see
/// Base/StopSignals.h): whoever works looks at the flag and removes what is half done. The second ends the process at
/// once, with unfinished files removed all the same. SIGQUIT removes them too, and then does what it always does.
#pragma once

#include <atomic>

namespace rivulet::command
{

/// Installs the handlers; also ignores SIGXFSZ and SIGPIPE, so that a write over a limit is an error like any other.
void install_interrupt_handlers();

/// Set once a stop was asked for.
[[nodiscard]] const std::atomic<bool>& interrupt_requested();

} // namespace rivulet::command
