// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/OpenMpExecutor.h"

#include <omp.h>

namespace rivulet
{

void OpenMpExecutor::run_all(SlicedRun& run)
{
  const int wanted = run.workers() + (run.watched() ? 1 : 0);
#pragma omp parallel num_threads(wanted)
  {
    const int threads = omp_get_num_threads();
    const bool caller_watches = run.watched() && threads > 1;
    const int first = omp_get_thread_num() - (caller_watches ? 1 : 0);
    if (first < 0)
    {
      run.watch_until(run.workers());
    }
    else
    {
      for (int worker = first; worker < run.workers(); worker += caller_watches ? threads - 1 : threads)
      {
        run.run_to_end(worker);
      }
    }
  }
}

} // namespace rivulet
