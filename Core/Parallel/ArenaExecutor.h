// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Executor with the threads of the TBB arena that the caller is in, for programs that keep such threads anyway:
/// simulations, and analytics beside them (InSitu/Runtime).
///
///     arena.execute([&] { ArenaExecutor executor; trace_streamlines(field, seeds, { .executor = &executor }); });
///
/// It is the library rivulet_tbb, because librivulet does not need TBB. A task is one turn of one worker: slices for
/// about 10 ms, or until one answers Waits. Between two turns a thread of the arena may go to another arena. No task
/// sleeps. The calling thread takes turns, too, and calls the hooks between its slices. So a run ends even in an arena
/// that gets no other thread. Only the calling thread sleeps where all workers wait: 200 us at a time with hooks, else
/// as long as SlicedWork::wait does.
#pragma once

#include "Parallel/Executor.h"

namespace rivulet
{

class ArenaExecutor final : public Executor
{
private:
  void run_all(SlicedRun& run) override;
};

} // namespace rivulet
