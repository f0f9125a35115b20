// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages between ParaView's ranks, on a communicator of their own, so that they meet none of ParaView's.
#pragma once

#include "Parallel/RankLink.h"
#include "vtkRivuletPipelineModule.h"

namespace rivulet
{

/// The link of the global controller's ranks. nullptr if there is one rank, or if ParaView was built without MPI. The
/// first call is collective. Lives until the process ends. Thread: the one that calls MPI.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT RankLink* mpi_link();

} // namespace rivulet
