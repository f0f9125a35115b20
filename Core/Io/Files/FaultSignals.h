// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Faults in memory that Rivulet hands out: one handler per process for each of SIGBUS and SIGSEGV. It asks whether the
/// address is ours and can be repaired. If not, the signal goes to the handler that was there before.
///
///     if (!ensure_fault_handler(Fault::Missing, mend_missing_page)) ...
///
/// Libraries may replace the handlers: call this again whenever memory is handed out.
///
/// Threads: any. A FaultMender is called inside the handler and may call async-signal-safe functions only.
#pragma once

#include <cstdint>

namespace rivulet
{

enum class Fault : std::uint8_t
{
  Missing, ///< the storage does not have the page (SIGBUS)
  Refused  ///< the page is there, but this access is not allowed, such as a write (SIGSEGV)
};

/// Returns true if the access can be tried again.
using FaultMender = bool (*)(std::uintptr_t address);

/// Installs the handler unless it is in place. `mend` must always be the same for a fault. False if the system refuses.
[[nodiscard]] bool ensure_fault_handler(Fault fault, FaultMender mend);

} // namespace rivulet
