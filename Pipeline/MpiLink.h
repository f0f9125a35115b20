// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages between ParaView's ranks, on a communicator of their own, so that they meet none of ParaView's.
#pragma once

#include "Parallel/RankLink.h"
#include "vtkRivuletPipelineModule.h"

namespace rivulet
{

/// Each use has a link of its own: a rank may begin one while another is still at the other.
enum class LinkUse : std::uint8_t
{
  Tracing,
  Writing,
  Bricks
};

/// The link of the global controller's ranks. nullptr if there is one rank, or if ParaView was built without MPI. The
/// first call for a use is collective. Lives until the process ends. Thread: the one that calls MPI.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT RankLink* mpi_link(LinkUse use);

} // namespace rivulet
