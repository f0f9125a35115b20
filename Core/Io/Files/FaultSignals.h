// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Faults of the memory that we hand out: one handler per process for each of the signals SIGBUS and SIGSEGV. It asks
/// whether the address is ours and can be mended; if not, the handler that was there before gets the signal.
///
///     if (!ensure_fault_handler(Fault::Missing, mend_missing_page)) ...
///
/// Libraries may replace the handlers: ensure again whenever memory is handed out.
///
/// Threads: any. What mends runs inside the handler: it may call nothing but what POSIX allows there.
#pragma once

#include <cstdint>

namespace rivulet
{

enum class Fault : std::uint8_t
{
  Missing, ///< the storage has no such page (SIGBUS)
  Refused  ///< the page is there, but may not be used so: written to, for one (SIGSEGV)
};

/// True if the access can be tried again.
using FaultMender = bool (*)(std::uintptr_t address);

/// Installs the handler if it is not the one in place. Always the same `mend` for a fault. False where the system
/// refuses.
[[nodiscard]] bool ensure_fault_handler(Fault fault, FaultMender mend);

} // namespace rivulet
