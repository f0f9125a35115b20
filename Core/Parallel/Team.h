// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Runs one function on a team of threads while the calling thread keeps watch.
///
/// The calling thread never works: it wakes every 100 ms, so that it alone can talk to ParaView (progress, abort) and
/// to MPI.
#pragma once

#include <functional>

namespace rivulet
{

/// Cores this process may use (the affinity mask, not the machine).
[[nodiscard]] int available_threads();

/// `threads` if positive, else available_threads().
[[nodiscard]] int resolve_threads(int threads);

/// Calls work(worker) once on each of `threads` threads, worker = 0 ... threads - 1, and returns when all have
/// returned. Meanwhile calls `watch` (may be empty) about every 100 ms on the calling thread. `work` must not throw.
void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch = {});

} // namespace rivulet
