// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Virtual cores: work that takes time but no processor, so that N threads run side by side on a machine with fewer
/// cores. Threads, schedulers, locks and copies around the work are real.
///
///     set_virtual_cores(28);
///     work(0.001);               // the calling thread has a virtual core for a millisecond
///     pause(0.001);              // it waits, as for a message, and has none
///
/// No more threads work at once than there are virtual cores: one more waits until a core is free, as it would on a
/// real machine. A real machine would take turns in time slices, and lose the caches.
///
/// A thread that was woken late owes the time to its next work(). So work that follows work takes the sum of the times,
/// however late the system wakes threads.
///
/// All functions may be called by any thread. They are a shared library, so that a simulation and its plugins have the
/// same cores.
#pragma once

namespace rivulet::bench
{

/// For all threads of this process, from now on; none of them may be at work. Also sets worked_seconds() to 0.
void set_virtual_cores(int cores);

void work(double seconds);
void pause(double seconds);

/// Sum of all work() of all threads.
[[nodiscard]] double worked_seconds();

/// Monotonic, the same for all processes of the machine.
[[nodiscard]] double now();

} // namespace rivulet::bench
