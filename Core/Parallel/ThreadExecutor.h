// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Executor with a std::thread for each worker.
///
/// With hooks the calling thread only watches. Without hooks it is worker 0, because a thread is not worth its start
/// for short work. Where the system refuses threads, the calling thread runs the remaining workers one after the other.
#pragma once

#include "Parallel/Executor.h"

namespace rivulet
{

class ThreadExecutor final : public Executor
{
private:
  void run_all(SlicedRun& run) override;
};

/// `executor`, or a ThreadExecutor if that is nullptr.
[[nodiscard]] Executor& executor_or_threads(Executor* executor);

} // namespace rivulet
