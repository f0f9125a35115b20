// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Runs one function on a team of threads while the calling thread keeps watch: a ThreadExecutor for work that is not
/// cut into slices.
///
/// With a watch function the calling thread does not work. It wakes every 100 ms, so that it alone can talk to ParaView
/// (progress, abort) and to MPI. Without one it is worker 0, because a thread is not worth its start for short work.
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
/// worker 0. Where the system refuses threads, the calling thread runs the remaining workers one after the other: a
/// worker must not wait for another to begin.
///
/// An exception of `work` or `watch` (std::bad_alloc: nothing else is thrown in Core) leaves here, on the calling
/// thread, when all have returned; of several, the first. A worker that throws does not stop the others.
void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch = {});

} // namespace rivulet
