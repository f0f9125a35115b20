// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Runs one function on a team of threads while the calling thread keeps watch: a ThreadExecutor for work that is not
/// cut into slices.
///
/// Where there is something to watch, the calling thread does not work: it wakes every 100 ms, so that it alone can
/// talk to ParaView (progress, abort) and to MPI. Else it is one of the team: short work is not worth a thread.
#pragma once

#include <functional>

namespace rivulet
{

/// Cores this process may use (the affinity mask, not the machine).
[[nodiscard]] int available_threads();

/// `threads` if positive, else available_threads().
[[nodiscard]] int resolve_threads(int threads);

/// Calls work(worker) once on each of `threads` threads, worker = 0 ... threads - 1, and returns when all have
/// returned. Meanwhile calls `watch` about every 100 ms on the calling thread; if that is empty, the calling thread is
/// worker 0. Where the system refuses threads the calling thread does, one after the other, what they would have done:
/// a worker must not wait for another to begin.
///
/// What `work` or `watch` throws (std::bad_alloc: nothing else is thrown in Core) leaves here, on the calling thread,
/// when all have returned; of several, the first. A worker that throws does not stop the others.
void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch = {});

} // namespace rivulet
