// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ghost layers of a domain from a mark for each cell: 0 of a cell of its own, another number of a ghost cell. Cells of
/// its own must be a box, as those within layers are.
///
///     1 1 1 1
///     1 0 0 1     below { 1, 0 }, above { 1, 1 }
///     1 0 0 1
#pragma once

#include "Domain.h"

namespace rivulet::catalyst2
{

/// True for a field that marks ghost cells: by its name, `vtkGhostType` or `ascent_ghosts`, or because the mesh says so
/// (state/metadata/vtk_fields/NAME/attribute_type "Ghosts").
[[nodiscard]] bool marks_ghosts(const Place& mesh, const Place& field);

/// Sets below and above.
[[nodiscard]] Result<void> apply_ghost_marks(const Place& field, Domain& domain);

} // namespace rivulet::catalyst2
