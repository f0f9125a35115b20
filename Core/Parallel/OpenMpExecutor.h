// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Executor with the threads of an OpenMP parallel region, for programs that keep such threads anyway.
///
/// It is the library rivulet_openmp, because librivulet does not need OpenMP. With hooks the region has one thread more
/// than workers: the calling thread watches. Where OpenMP gives fewer threads (inside another region, or at its limit),
/// each runs several workers, one after the other. Where the system refuses threads, GNU's OpenMP ends the program.
#pragma once

#include "Parallel/Executor.h"

namespace rivulet
{

class OpenMpExecutor final : public Executor
{
private:
  void run_all(SlicedRun& run) override;
};

} // namespace rivulet
