// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// ParaView's progress bar and abort button for Core's run options.
///
///     RunOptions run;  run.progress = progress_of(*this);
///
/// Threads: call what it returns on the thread that called RequestData only.
#pragma once

#include "vtkAlgorithm.h"

#include <functional>

namespace rivulet
{

/// Shows the share done and returns false once the user asked to stop. Must not outlive the algorithm.
[[nodiscard]] inline std::function<bool(double)> progress_of(vtkAlgorithm& algorithm)
{
  return [&algorithm](double share)
  {
    algorithm.UpdateProgress(share);
    return !algorithm.CheckAbort();
  };
}

} // namespace rivulet
