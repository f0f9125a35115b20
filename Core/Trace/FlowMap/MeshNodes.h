// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The nodes of a curvilinear grid, and more between them, as places of release.
///
///     Result<std::vector<Vec3>> places = mesh_nodes(mesh, moment, 2, { { 0, 0, 0 }, { 21, 11, 31 } });
///
/// Between nodes of the grid they lie where the trilinear hexahedra have them. Nodes of the grid are exact.
#pragma once

#include "Trace/Mesh/CurvilinearMesh.h"

#include <vector>

namespace rivulet
{

/// Places of a box of nodes, row-major. `refinement`: number of intervals for each of the grid's along each axis.
/// Waits for bricks, one after the other. Fails as reading does. Throws std::bad_alloc.
[[nodiscard]] Result<std::vector<Vec3>> mesh_nodes(
    const CurvilinearMesh& mesh, const Moment& moment, std::int32_t refinement, const Box& nodes);

} // namespace rivulet
