// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Flow maps and their exponents as point arrays of image data, one value for each node. Values are moved, not copied.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Trace/FlowMap/ExponentChunks.h"

class vtkPointData;

namespace rivulet
{

/// Adds FTLE, the active scalars. `nodes`: number of nodes of this piece.
void fill_exponents(ExponentChunks& chunks, std::int64_t nodes, vtkPointData& output);

/// Adds FlowMap, where the particle of the node ended, and ReasonForTermination. The end is NaN without a particle: the
/// run was stopped before, or there was no time left.
void fill_ends(ExponentChunks& chunks, std::int64_t nodes, vtkPointData& output);

/// Adds Traced and Estimated of adaptive sampling.
void fill_estimates(ExponentChunks& chunks, vtkPointData& output);

} // namespace rivulet
